// Runs checks against a server, started anew or shared with others, whatever the client; prints one JSON line for each check:
// {check, ok, detail}.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

let failed = false;

/**
 * Connects by each of `clients`, `{ label, version, hasSession, connect }`, and runs the checks that the command line
 * names: `node CLIENT CHECKS stdio|http SERVER [ARGUMENT…]`, or `… shared URL PAGED_URL`. Ends the process with 1 if any check failed.
 */
export async function main(clients) {
  const [checks, way, ...server] = process.argv.slice(2);
  if (server.length === 0 || !WAYS[way]) {
    throw new Error('usage: node CLIENT CHECKS stdio|http SERVER [ARGUMENT…], or CHECKS shared URL PAGED_URL');
  }
  const { run } = await import(`./${checks}.mjs`);
  const found = { start: WAYS[way], isShared: way === 'shared' };
  for (const client of clients) await run({ ...client, ...found, label: `${client.label} ${way}` }, server);
  process.exitCode = failed ? 1 : 0;
}

/**
 * Connects `client` to a server, with `answers` to what the server may ask, hands the session to `body`, and closes it.
 * A session is `{ client, call, version(), heard, sent, received, hasSession, isShared }`, where `call(params, options)` calls a
 * tool, `heard` holds the notifications that the client handed on, `sent` and `received` all messages. Where the server is
 * shared, others change things, too.
 */
export async function withSession(client, command, answers, body) {
  const check = (name, body) => report(`${client.label}: ${name}`, body);
  let server;
  try {
    server = await client.start(command);
    const heard = [];
    const connected = await client.connect(server.address, answers, (one) => heard.push(one));
    const session = { ...connected, ...record(connected.transport), heard };
    Object.assign(session, { hasSession: client.hasSession, isShared: client.isShared });
    await check('negotiated revision', () => equal(session.version(), client.version));
    await body(session, check);
    await check('shutdown', () => shutdown(session, server));
  } catch (error) {
    await check('connection', () => Promise.reject(error));
  } finally {
    server?.clean();
  }
}

/** How a server is started: where a client finds it, and how it ended. */
const WAYS = {
  /** By the client itself, through a shell that notes the exit code: clients do not tell it. */
  stdio: async (command) => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-client-'));
    const status = join(folder, 'status');
    return {
      address: { command: '/bin/sh', args: ['-c', '"$@"; echo $? > "$0"', status, ...command], stderr: 'inherit' },
      // a server that does not end by itself is killed after 2 s, and then the shell notes nothing
      ended: async () => readFileSync(status, 'utf8').trim(),
      clean: () => rmSync(folder, { recursive: true }),
    };
  },
  /** Before the client, which learns where it listens; it ends when it is interrupted. */
  http: async ([program, ...args]) => {
    const stdio = ['ignore', 'pipe', 'inherit'];
    const server = spawn(program, ['--http', '127.0.0.1:0', ...args], { stdio });
    const [url] = await once(createInterface(server.stdout), 'line');
    return {
      address: { url: new URL(url) },
      ended: async () => {
        server.kill('SIGINT');
        const [code, signal] = await once(server, 'exit');
        return String(code ?? signal);
      },
      clean: () => server.kill('SIGKILL'),
    };
  },
  /** By somebody else, for many clients: one server, and one whose lists have small pages. It goes on after us. */
  shared: async ([url, paged, ...args]) => ({
    address: { url: new URL(args.length > 0 ? paged : url) },
    ended: async () => '0',
    clean: () => {},
  }),
};

async function shutdown({ client }, server) {
  const start = Date.now();
  await client.close();
  equal(await server.ended(), '0');
  return `exit code 0 after ${Date.now() - start} ms`;
}

/** Keeps a copy of every message from here on. */
function record(transport) {
  const seen = { sent: [], received: [] };
  const { onmessage, send } = transport;
  transport.onmessage = (message, ...rest) => {
    seen.received.push(message);
    return onmessage.call(transport, message, ...rest);
  };
  transport.send = (message, ...rest) => {
    seen.sent.push(message);
    return send.call(transport, message, ...rest);
  };
  return seen;
}

async function report(check, body) {
  let line;
  try {
    line = { check, ok: true, detail: String((await body()) ?? '') };
  } catch (error) {
    failed = true;
    line = { check, ok: false, detail: String(error?.message ?? error) };
  }
  console.log(JSON.stringify(line));
}

export async function rejection(promise) {
  const result = await promise.then((value) => ({ value }), (error) => ({ error }));
  if ('value' in result) throw new Error(`answered: ${JSON.stringify(result.value)}`);
  return result.error;
}

/** Equality of JSON values, whatever the order of members. */
export function equal(found, expected) {
  const [one, other] = [found, expected].map((value) => JSON.stringify(sorted(value)));
  holds(one === other, `found ${one}, expected ${other}`);
  return one;
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}

export function matches(text, pattern) {
  holds(pattern.test(text ?? ''), `${JSON.stringify(text)} does not match ${pattern}`);
  return text;
}

export function holds(condition, complaint) {
  if (!condition) throw new Error(complaint);
}

/** Waits until `condition` gives something. */
export async function eventually(condition, what) {
  const end = Date.now() + 5000;
  for (;;) {
    const found = condition();
    if (found) return found;
    holds(Date.now() < end, `${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
