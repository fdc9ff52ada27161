// What every client must find when it drives the everything example: all that a server can do, by subject.

import * as answers from './everything/answers.mjs';
import * as asking from './everything/asking.mjs';
import * as changes from './everything/changes.mjs';
import * as pages from './everything/pages.mjs';
import * as prompts from './everything/prompts.mjs';
import * as resources from './everything/resources.mjs';
import * as rounds from './everything/rounds.mjs';
import * as tasks from './everything/tasks.mjs';
import * as telling from './everything/telling.mjs';
import { withSession } from './harness.mjs';

const SUBJECTS = [answers, resources, prompts, telling, asking, rounds, tasks, changes];

export async function run(client, server) {
  const asked = asking.host();
  await withSession(client, server, asked.answers, async (session, check) => {
    session.asked = asked;
    for (const { checks } of SUBJECTS) {
      for (const [name, body] of Object.entries(checks)) await check(name, () => body(session));
    }
  });
  await withSession(client, [...server, '--page-size', '4'], {}, async (session, check) => {
    for (const [name, body] of Object.entries({ ...pages.checks, ...asking.checksWithoutAnswers })) {
      await check(name, () => body(session));
    }
  });
}
