// What a tool says while it runs: its progress, and lines for the client's log.

import { equal } from '../harness.mjs';

export const checks = {
  'progress in steps': async ({ call }) => {
    const steps = [];
    await call({ name: 'test_tool_with_progress', arguments: {} }, { onprogress: (step) => steps.push(step) });
    equal(steps.map(({ progress, total, message }) => [progress, total, message]), [
      [0, 100, 'Completed 0 of 100'],
      [50, 100, 'Completed 50 of 100'],
      [100, 100, 'Completed 100 of 100'],
    ]);
  },
  'no progress unasked': async ({ call, received }) => {
    const before = received.length;
    await call({ name: 'test_tool_with_progress', arguments: {} });
    const said = received.slice(before).map((message) => message.method ?? 'answer');
    // a session hears of what others change
    equal(said.filter((method) => !method.endsWith('/list_changed')), ['answer']);
  },
  'log messages of the level asked for': async (session) => {
    const lines = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];
    equal(await logged(session, 'info'), lines.map((data) => ({ level: 'info', data })));
    equal(await logged(session, 'warning'), []);
  },
  'no log messages unasked': async (session) => {
    // a session has had its level set above
    if (!session.hasSession) equal(await logged(session), []);
  },
};

/** The log messages of one call: sessions set the level once, other requests carry it. */
async function logged({ client, call, heard, hasSession }, level) {
  const before = heard.length;
  const params = { name: 'test_tool_with_logging', arguments: {} };
  if (hasSession) await client.setLoggingLevel(level);
  else if (level) params._meta = { 'io.modelcontextprotocol/logLevel': level };
  await call(params);
  const messages = heard.slice(before).filter((one) => one.method === 'notifications/message');
  return messages.map(({ params: { level, data } }) => ({ level, data }));
}
