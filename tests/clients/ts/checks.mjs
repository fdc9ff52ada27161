// What every client must find when it drives the weather example over stdio, whatever its version and era.
// Prints one JSON line for each check: {check, ok, detail}.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const INVALID_PARAMS = -32602;

let failed = false;

/** Ends the process: 1 if any check failed. */
export function finish() {
  process.exitCode = failed ? 1 : 0;
}

/** The server command of the command line, started through a shell that notes the exit code: clients do not tell it. */
export function serverCommand(folder) {
  const command = process.argv.slice(2);
  if (command.length === 0) throw new Error('usage: node SCRIPT SERVER [ARGUMENT…]');
  return {
    command: '/bin/sh',
    args: ['-c', '"$@"; echo $? > "$0"', join(folder, 'status'), ...command],
    stderr: 'inherit',
  };
}

/**
 * Runs all checks. `connect(server)` yields a connected `{ client, transport, call, version, hasSession }`, where
 * `call(params, options)` calls a tool.
 */
export async function run(label, connect, expectedVersion) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-client-'));
  try {
    const session = await connect(serverCommand(folder));
    const seen = record(session.transport);
    const check = (name, body) => report(`${label}: ${name}`, body);
    await check('negotiated revision', () => equal(session.version(), expectedVersion));
    await check('server name', () => equal(session.client.getServerVersion()?.name, 'weather'));
    await check('instructions', () => matches(session.client.getInstructions(), /get_weather/));
    if (session.hasSession) await check('ping', async () => equal(JSON.stringify(await session.client.ping()), '{}'));
    await check('list tools', () => listTools(session));
    await check('call with structured content', () => goodCall(session));
    await check('call without optional arguments and output schema', () => plainCall(session));
    await check('bad arguments', () => badArguments(session));
    await check('unknown tool', () => unknownTool(session));
    await check('tool error', () => toolError(session));
    await check('time-out', () => timeOut(session));
    await check('progress', () => progress(session));
    await check('cancellation', () => cancellation(session, seen));
    await check('shutdown', () => shutdown(session, join(folder, 'status')));
  } catch (error) {
    await report(`${label}: connect`, () => Promise.reject(error));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function listTools({ client }) {
  const { tools } = await client.listTools();
  equal(tools.map((tool) => tool.name).join(), 'get_weather,watch_station');
  equal(tools[0].inputSchema.type, 'object');
  equal(tools[0].outputSchema?.type, 'object');
  equal(tools[0].title, 'Weather');
  return `${tools.length} tools`;
}

async function goodCall({ call }) {
  const result = await call({ name: 'get_weather', arguments: { city: 'Oslo', days: 3, units: 'imperial' } });
  equal(Boolean(result.isError), false);
  const expected = { city: 'Oslo', temperature: 40.1, conditions: 'rain' };
  equal(JSON.stringify(result.structuredContent), JSON.stringify(expected));
  equal(result.content[0].text, JSON.stringify(expected));
  return matches(result.content[1].text, /next 2 days/);
}

async function plainCall({ call }) {
  const result = await call({ name: 'watch_station', arguments: { seconds: 0 } });
  equal(result.structuredContent, undefined);
  return matches(result.content[0].text, /watched for 0 seconds/);
}

async function badArguments({ call }) {
  const result = await call({ name: 'get_weather', arguments: { city: 'Oslo', days: 99 } });
  equal(result.isError, true);
  matches(result.content[0].text, /days/);
  return matches(result.content[0].text, /16/);
}

async function unknownTool({ call }) {
  const error = await rejection(call({ name: 'get_wether', arguments: {} }));
  equal(error.code, INVALID_PARAMS);
  return matches(error.message, /get_wether/);
}

async function toolError({ call }) {
  const result = await call({ name: 'get_weather', arguments: { city: 'Atlantis' } });
  equal(result.isError, true);
  return matches(result.content[0].text, /no station in `Atlantis`/);
}

async function timeOut({ call }) {
  const start = Date.now();
  const result = await call({ name: 'watch_station', arguments: { seconds: 10 } });
  const took = Date.now() - start;
  equal(result.isError, true);
  holds(took >= 1900, `took ${took} ms where the contract says 2 s`);
  return matches(result.content[0].text, /timed out/);
}

async function progress({ call }) {
  const steps = [];
  const onprogress = (step) => steps.push(step);
  await call({ name: 'watch_station', arguments: { seconds: 0.5 } }, { onprogress });
  holds(steps.length > 1, `${steps.length} notifications`);
  holds(steps.every((step, i) => i === 0 || step.progress > steps[i - 1].progress), 'progress does not increase');
  holds(steps.every((step) => step.total === 10 && step.message === 'watching'), JSON.stringify(steps[0]));
  return `${steps.length} notifications`;
}

async function cancellation({ call }, { sent, received }) {
  const abort = new AbortController();
  const onprogress = () => abort.abort('enough');
  await rejection(call({ name: 'watch_station', arguments: { seconds: 1.5 } }, { onprogress, signal: abort.signal }));
  const { id } = sent.findLast((message) => message.params?.name === 'watch_station');
  holds(sent.some((m) => m.method === 'notifications/cancelled' && m.params.requestId === id), 'nothing was cancelled');
  const next = await call({ name: 'get_weather', arguments: { city: 'Rome' } });
  equal(next.structuredContent.city, 'Rome');
  await sleep(1700); // by now an answer would have come
  equal(received.filter((message) => message.id === id).length, 0);
  return `request ${id} was never answered`;
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

async function rejection(promise) {
  const result = await promise.then((value) => ({ value }), (error) => ({ error }));
  if ('value' in result) throw new Error(`answered: ${JSON.stringify(result.value)}`);
  return result.error;
}

function equal(found, expected) {
  holds(found === expected, `found ${found}, expected ${expected}`);
  return found;
}

function matches(text, pattern) {
  holds(pattern.test(text ?? ''), `${JSON.stringify(text)} does not match ${pattern}`);
  return text;
}

function holds(condition, complaint) {
  if (!condition) throw new Error(complaint);
}
