// Drives the server with @modelcontextprotocol/sdk 1.x, which opens a session.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { finish, run } from './checks.mjs';

async function connect(server) {
  const client = new Client({ name: 'client-tests', version: '1.0.0' });
  const transport = new StdioClientTransport(server);
  let version;
  transport.setProtocolVersion = (negotiated) => (version = negotiated);
  await client.connect(transport);
  const call = (params, options) => client.callTool(params, undefined, options);
  return { client, transport, call, version: () => version, hasSession: true };
}

await run('typescript 1.x', connect, '2025-11-25');
finish();
