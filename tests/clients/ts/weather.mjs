// What every client must find when it drives the weather example, whatever its version and era.

import { setTimeout as sleep } from 'node:timers/promises';

import { equal, holds, matches, rejection, withSession } from './harness.mjs';

const INVALID_PARAMS = -32602;

export async function run(client, server) {
  await withSession(client, server, {}, async (session, check) => {
    await check('server name', () => equal(session.client.getServerVersion()?.name, 'weather'));
    await check('instructions', () => matches(session.client.getInstructions(), /get_weather/));
    if (session.hasSession) await check('ping', async () => equal(await session.client.ping(), {}));
    await check('list tools', () => listTools(session));
    await check('call with structured content', () => goodCall(session));
    await check('call without optional arguments and output schema', () => plainCall(session));
    await check('bad arguments', () => badArguments(session));
    await check('unknown tool', () => unknownTool(session));
    await check('tool error', () => toolError(session));
    await check('time-out', () => timeOut(session));
    await check('progress', () => progress(session));
    await check('cancellation', () => cancellation(session));
  });
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
  equal(result.structuredContent, expected);
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

async function cancellation({ call, sent, received }) {
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
