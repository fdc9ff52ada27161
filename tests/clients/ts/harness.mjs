// Runs checks against a server that is started anew, whatever the client; prints one JSON line for each check:
// {check, ok, detail}.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let failed = false;

/**
 * Connects by each of `clients`, `{ label, version, hasSession, connect }`, and runs the checks that the command line
 * names: `node CLIENT CHECKS SERVER [ARGUMENT…]`. Ends the process with 1 if any check failed.
 */
export async function main(clients) {
  const [checks, ...server] = process.argv.slice(2);
  if (server.length === 0) throw new Error('usage: node CLIENT CHECKS SERVER [ARGUMENT…]');
  const { run } = await import(`./${checks}.mjs`);
  for (const client of clients) await run(client, server);
  process.exitCode = failed ? 1 : 0;
}

/**
 * Connects `client` to a server, with `answers` to what the server may ask, hands the session to `body`, and closes it.
 * A session is `{ client, call, version(), heard, sent, received, hasSession }`, where `call(params, options)` calls a
 * tool, `heard` holds the notifications that the client handed on, `sent` and `received` all messages.
 */
export async function withSession(client, command, answers, body) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-client-'));
  const check = (name, body) => report(`${client.label}: ${name}`, body);
  try {
    const heard = [];
    const connected = await client.connect(serverCommand(command, folder), answers, (one) => heard.push(one));
    const session = { ...connected, ...record(connected.transport), heard, hasSession: client.hasSession };
    await check('negotiated revision', () => equal(session.version(), client.version));
    await body(session, check);
    await check('shutdown', () => shutdown(session, join(folder, 'status')));
  } catch (error) {
    await check('connection', () => Promise.reject(error));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The server's command, started through a shell that notes the exit code: clients do not tell it. */
function serverCommand(command, folder) {
  const args = ['-c', '"$@"; echo $? > "$0"', join(folder, 'status'), ...command];
  return { command: '/bin/sh', args, stderr: 'inherit' };
}

async function shutdown({ client }, statusFile) {
  const start = Date.now();
  await client.close();
  const took = Date.now() - start;
  // a server that does not end by itself is killed after 2 s, and then the shell notes nothing
  equal(readFileSync(statusFile, 'utf8').trim(), '0');
  return `exit code 0 after ${took} ms`;
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
