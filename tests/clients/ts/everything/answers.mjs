// What tools answer, and what their schemas say.

import { readFileSync } from 'node:fs';

import { equal, holds, matches } from '../harness.mjs';

const EXAMPLE = new URL('../../../../examples/everything/', import.meta.url);

export const PIXEL = readFileSync(new URL('assets/pixel.png', EXAMPLE)).toString('base64');
const SILENCE = readFileSync(new URL('assets/silence.wav', EXAMPLE)).toString('base64');

const IMAGE = { type: 'image', data: PIXEL, mimeType: 'image/png' };

export const checks = {
  'tools are listed in their order': async ({ client }) => {
    const { tools } = await client.listTools();
    equal(tools[0].name, 'test_simple_text');
    holds(tools.every((tool) => tool.description && tool.inputSchema.type === 'object'), 'a tool says nothing');
    return `${tools.length} tools`;
  },
  'a text': (session) => says(session, 'test_simple_text', [text('This is a simple text response for testing.')]),
  'an image': (session) => says(session, 'test_image_content', [IMAGE]),
  'a sound': (session) => says(session, 'test_audio_content', [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }]),
  'a resource': (session) =>
    says(session, 'test_embedded_resource', [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ]),
  'several blocks': (session) =>
    says(session, 'test_multiple_content_types', [
      text('Multiple content types test:'),
      IMAGE,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ]),
  'an error': async ({ call }) => {
    const result = await call({ name: 'test_error_handling', arguments: {} });
    equal(result.isError, true);
    return matches(result.content[0].text, /^This tool intentionally returns an error for testing/);
  },
  'a schema goes out as it was written': async ({ client }) => {
    const { tools } = await client.listTools();
    const { inputSchema } = tools.find((tool) => tool.name === 'json_schema_2020_12_tool');
    const written = JSON.parse(readFileSync(new URL('specs/contact.schema.json', EXAMPLE)));
    equal(inputSchema, written);
  },
  'a schema is kept': async ({ call }) => {
    const name = 'json_schema_2020_12_tool';
    const good = await call({ name, arguments: { name: 'Ada', contactMethod: 'phone', phone: '1' } });
    equal(good.content, [text('Ada is reached by 1')]);
    for (const bad of [{ contactMethod: 'phone', email: 'a@b' }, { phone: '1' }, { email: 'a@b', more: 1 }]) {
      const refused = await call({ name, arguments: bad });
      holds(refused.isError, `accepted ${JSON.stringify(bad)}`);
    }
  },
  'an argument that is a header over HTTP': async ({ client, call }) => {
    const { tools } = await client.listTools();
    const { inputSchema } = tools.find((tool) => tool.name === 'test_custom_header');
    equal(inputSchema.properties.value['x-mcp-header'], 'Value');
    const { content } = await call({ name: 'test_custom_header', arguments: { value: 'Grüße' } });
    equal(content, [text('Grüße')]);
  },
};

async function says({ call }, name, content) {
  const result = await call({ name, arguments: {} });
  equal(Boolean(result.isError), false);
  equal(result.content, content);
}

export function text(text) {
  return { type: 'text', text };
}

function resource(uri, mimeType, text) {
  return { type: 'resource', resource: { uri, mimeType, text } };
}
