// Calls that run as tasks, by the one client that knows them: 1.x, in a session.

import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

import { equal, holds, matches, rejection } from '../harness.mjs';
import { text } from './answers.mjs';
import { accept } from './asking.mjs';

const unknown = 'this client knows no tasks';

export const checks = {
  'a call runs as a task': async (session) => {
    const { tasks } = session.client.experimental ?? {};
    if (!tasks) return unknown;
    const seen = await follow(tasks, { name: 'slow_compute', arguments: { seconds: 0.3, label: 'sum' } });
    equal(seen.at(0).type, 'taskCreated');
    equal(seen.at(-1).result?.content, [text('sum: computed for 0.3 seconds')]);
    const { taskId } = seen[0].task;
    equal((await tasks.getTask(taskId)).status, 'completed');
    // over HTTP the server does not know whose tasks it would list, and offers no list
    if (!session.client.getServerCapabilities().tasks.list) return 'without a list';
    const { tasks: listed } = await tasks.listTasks();
    holds(listed.some((task) => task.taskId === taskId), 'the task is not listed');
  },
  'a task that fails': async (session) => {
    const { tasks } = session.client.experimental ?? {};
    if (!tasks) return unknown;
    const seen = await follow(tasks, { name: 'failing_job', arguments: {} });
    equal(seen.at(-1).type, 'error');
    const { taskId } = seen[0].task;
    equal((await tasks.getTask(taskId)).status, 'failed');
    const { isError, content } = await tasks.getTaskResult(taskId, CallToolResultSchema);
    equal(isError, true);
    return matches(content[0].text, /as it always does/);
  },
  'a task asks': async (session) => {
    const { tasks } = session.client.experimental ?? {};
    if (!tasks) return unknown;
    session.asked.user = ({ message }) => accept({ confirm: message === 'Delete a.txt?' });
    const seen = await follow(tasks, { name: 'confirm_delete', arguments: { filename: 'a.txt' } });
    equal(seen.at(-1).result?.content, [text('a.txt is deleted')]);
  },
  'a task is cancelled': async (session) => {
    const { tasks } = session.client.experimental ?? {};
    if (!tasks) return unknown;
    const params = { name: 'slow_compute', arguments: { seconds: 60 } };
    let taskId;
    for await (const message of tasks.callToolStream(params, undefined, { task: {} })) {
      if (message.type !== 'taskCreated') continue;
      ({ taskId } = message.task);
      equal((await tasks.cancelTask(taskId)).status, 'cancelled');
      break;
    }
    equal((await tasks.getTask(taskId)).status, 'cancelled');
    equal((await rejection(tasks.cancelTask(taskId))).code, -32602);
  },
};

/** All that is told of a call that runs as a task, up to its result or its error. */
async function follow(tasks, params) {
  const seen = [];
  for await (const message of tasks.callToolStream(params, undefined, { task: {} })) seen.push(message);
  return seen;
}
