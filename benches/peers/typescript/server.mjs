// The tools of `bench-server`, in the official TypeScript SDK.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { z } from 'zod';

const { tools } = JSON.parse(readFileSync(new URL('../../server/specs/tools.json', import.meta.url)));

/** The zod type that a person would write for a schema. */
function type(schema) {
  let type;
  if (schema.enum) type = z.enum(schema.enum);
  else if (schema.type === 'object') type = shape(schema);
  else if (schema.type === 'array') type = z.array(typeOf(schema.items));
  else if (schema.type === 'integer') type = z.number().int();
  else if (schema.type === 'number') type = z.number();
  else if (schema.type === 'boolean') type = z.boolean();
  else type = z.string();
  if (schema.minimum !== undefined) type = type.min(schema.minimum);
  if (schema.maximum !== undefined) type = type.max(schema.maximum);
  return type;
}

function typeOf(schema) {
  const described = schema.description ? type(schema).describe(schema.description) : type(schema);
  return schema.default === undefined ? described : described.default(schema.default);
}

function shape(schema) {
  const required = schema.required ?? [];
  const member = ([name, property]) => {
    const type = typeOf(property);
    return [name, required.includes(name) || property.default !== undefined ? type : type.optional()];
  };
  return z.object(Object.fromEntries(Object.entries(schema.properties).map(member)));
}

const text = text => ({ content: [{ type: 'text', text }] });

const handlers = {
  add: async ({ a, b }) => text(String(a + b)),
  bulk: async ({ items }) => text(String(items.length)),
  echo: async arguments_ => text(arguments_.text),
  get_weather: async ({ city, days, units }) => {
    const day = (_, day) => ({ day, high: 20 + day, low: 10 + day, summary: 'clear' });
    const report = { city, days, units, forecast: Array.from({ length: days }, day) };
    return { ...text(JSON.stringify(report)), structuredContent: report };
  },
};

const known = tools.map(({ name, description, inputSchema, outputSchema }) => {
  const output = outputSchema && shape(outputSchema);
  return [name, { description, inputSchema: shape(inputSchema), outputSchema: output }, handlers[name] ?? (async () => text('ok'))];
});

function server() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } });
  for (const [name, config, handler] of known) server.registerTool(name, config, handler);
  return server;
}

if (process.argv[2] === '--http') {
  createServer(toNodeHandler(createMcpHandler(server))).listen(Number(process.argv[3]), '127.0.0.1');
} else {
  serveStdio(server);
}
