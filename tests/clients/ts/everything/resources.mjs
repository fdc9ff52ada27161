// Resources, templates, and completing a template's variable.

import { equal, matches, rejection } from '../harness.mjs';
import { PIXEL } from './answers.mjs';

export const checks = {
  'resources are listed': async ({ client }) => {
    const { resources } = await client.listResources();
    equal(resources.map(({ uri, name, mimeType }) => [uri, name, mimeType]), [
      ['test://static-text', 'static-text', 'text/plain'],
      ['test://static-binary', 'static-binary', 'image/png'],
      ['test://watched-resource', 'watched-resource', 'text/plain'],
    ]);
    equal(resources[0].title, 'Static text');
  },
  'a text is read': (session) =>
    reads(session, 'test://static-text', {
      mimeType: 'text/plain',
      text: 'This is the content of the static text resource.',
    }),
  'bytes are read': (session) => reads(session, 'test://static-binary', { mimeType: 'image/png', blob: PIXEL }),
  'templates are listed': async ({ client }) => {
    const { resourceTemplates } = await client.listResourceTemplates();
    equal(resourceTemplates.map(({ uriTemplate, name }) => [uriTemplate, name]), [
      ['test://template/{id}/data', 'template-data'],
    ]);
  },
  'a template is read': (session) => reads(session, 'test://template/123/data', data('123')),
  'a variable is decoded once': (session) => reads(session, 'test://template/a%20b%2525/data', data('a b%25')),
  'an unknown resource': async (session) => {
    const error = await rejection(session.client.readResource({ uri: 'test://nowhere' }));
    // the newer client gives the error of a session the code that it has today
    const { code, data } = session.received.at(-1).error;
    equal([code, data], [session.hasSession ? -32002 : -32602, { uri: 'test://nowhere' }]);
    return matches(error.message, /test:\/\/nowhere/);
  },
  'a variable is completed': async ({ client }) => {
    const ref = { type: 'ref/resource', uri: 'test://template/{id}/data' };
    const some = await client.complete({ ref, argument: { name: 'id', value: '14' } });
    equal(some.completion.values.slice(0, 3), ['14', '140', '141']);
    const all = await client.complete({ ref, argument: { name: 'id', value: '' } });
    const { values, total, hasMore } = all.completion;
    equal([values.length, values[99], total, hasMore], [100, '100', 150, true]);
  },
};

async function reads({ client }, uri, content) {
  const { contents } = await client.readResource({ uri });
  equal(contents, [{ uri, ...content }]);
}

function data(id) {
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { mimeType: 'application/json', text };
}
