// Being told of changes: sessions subscribe to resources and hear of all lists, other clients open a stream.

import { equal, eventually, holds, matches } from '../harness.mjs';

const URI = 'test://watched-resource';
const UPDATED = 'notifications/resources/updated';

export const checks = {
  'a subscriber hears of updates': async (session) => {
    const watch = await (session.hasSession ? subscribe : listen)(session);
    const before = session.heard.length;
    await trigger(session, 'test_trigger_resource_update');
    const { params } = await eventually(() => one(session, before, UPDATED), 'the update');
    equal(params.uri, URI);
    const { contents } = await session.client.readResource({ uri: URI });
    matches(contents[0].text, session.isShared ? /^Updated [1-9]\d* times\.$/ : /^Updated 1 times\.$/);
    await watch.close();
    if (session.isShared) return 'others update it, too';
    const after = session.heard.length;
    await trigger(session, 'test_trigger_resource_update');
    await trigger(session, 'test_simple_text'); // what was to come has come before this answer
    equal(session.heard.slice(after), []);
  },
  'changed lists are told': async (session) => {
    const filter = { toolsListChanged: true };
    const stream = session.hasSession ? undefined : await session.client.listen(filter);
    if (stream) equal(stream.honoredFilter, filter);
    const before = session.heard.length;
    await trigger(session, 'test_trigger_prompt_change');
    await trigger(session, 'test_trigger_tool_change');
    await eventually(() => one(session, before, 'notifications/tools/list_changed'), 'the notice');
    const prompts = session.heard.slice(before).filter((heard) => heard.method === 'notifications/prompts/list_changed');
    if (session.isShared && session.hasSession) holds(prompts.length > 0, 'no notice');
    else equal(prompts.length, session.hasSession ? 1 : 0);
    await stream?.close();
  },
};

async function subscribe({ client }) {
  await client.subscribeResource({ uri: URI });
  return { close: () => client.unsubscribeResource({ uri: URI }) };
}

async function listen({ client }) {
  const stream = await client.listen({ resourceSubscriptions: [URI] });
  equal(stream.honoredFilter, { resourceSubscriptions: [URI] });
  return stream;
}

function one({ heard }, before, method) {
  return heard.slice(before).find((notification) => notification.method === method);
}

async function trigger({ call }, name) {
  const result = await call({ name, arguments: {} });
  equal(Boolean(result.isError), false);
}
