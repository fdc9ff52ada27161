// The client of @modelcontextprotocol/sdk 1.x, which opens a session.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

import { main } from './harness.mjs';

const SCHEMAS = {
  'elicitation/create': ElicitRequestSchema,
  'roots/list': ListRootsRequestSchema,
  'sampling/createMessage': CreateMessageRequestSchema,
};

async function connect({ url, ...command }, { capabilities, ...answers }, onNotification) {
  const client = new Client({ name: 'client-tests', version: '1.0.0' }, { capabilities });
  for (const [method, answer] of Object.entries(answers)) {
    client.setRequestHandler(SCHEMAS[method], ({ params }, { signal }) => answer(params, signal));
  }
  client.fallbackNotificationHandler = async (notification) => onNotification(notification);
  const transport = url ? new StreamableHTTPClientTransport(url) : new StdioClientTransport(command);
  const { setProtocolVersion } = transport;
  let version;
  transport.setProtocolVersion = (negotiated) => {
    version = negotiated;
    setProtocolVersion?.call(transport, negotiated);
  };
  await client.connect(transport);
  const call = (params, options) => client.callTool(params, undefined, options);
  return { client, transport, call, version: () => version };
}

await main([{ label: 'typescript 1.x', version: '2025-11-25', hasSession: true, connect }]);
