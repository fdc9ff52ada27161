// Drives the server with @modelcontextprotocol/client 2.x in both eras: with a session, and with requests that carry
// their version, both where the client finds the era out and where it is told.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { finish, run } from './checks.mjs';

const connectIn = (mode) => async (server) => {
  const client = new Client({ name: 'client-tests', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport(server);
  await client.connect(transport);
  const version = () => client.getNegotiatedProtocolVersion();
  return { client, transport, call: client.callTool.bind(client), version, hasSession: mode === 'legacy' };
};

await run('typescript 2.x legacy', connectIn('legacy'), '2025-11-25');
await run('typescript 2.x auto', connectIn('auto'), '2026-07-28');
await run('typescript 2.x pinned', connectIn({ pin: '2026-07-28' }), '2026-07-28');
finish();
