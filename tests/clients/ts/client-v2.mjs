// The client of @modelcontextprotocol/client 2.x in both eras: with a session, and with requests that carry their
// version, both where the client finds the era out and where it is told.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { main } from './harness.mjs';

const connectIn = (mode) => async ({ url, ...command }, { capabilities, ...answers }, onNotification) => {
  const client = new Client(
    { name: 'client-tests', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  );
  for (const [method, answer] of Object.entries(answers)) {
    client.setRequestHandler(method, ({ params }, context) => answer(params, context.mcpReq.signal));
  }
  client.fallbackNotificationHandler = async (notification) => onNotification(notification);
  const transport = url ? new StreamableHTTPClientTransport(url) : new StdioClientTransport(command);
  await client.connect(transport);
  const version = () => client.getNegotiatedProtocolVersion();
  return { client, transport, call: client.callTool.bind(client), version };
};

await main([
  { label: 'typescript 2.x legacy', version: '2025-11-25', hasSession: true, connect: connectIn('legacy') },
  { label: 'typescript 2.x auto', version: '2026-07-28', hasSession: false, connect: connectIn('auto') },
  { label: 'typescript 2.x pinned', version: '2026-07-28', hasSession: false, connect: connectIn({ pin: '2026-07-28' }) },
]);
