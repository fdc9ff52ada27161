// Prompts, and completing their arguments.

import { equal, matches, rejection } from '../harness.mjs';
import { PIXEL, text } from './answers.mjs';

export const checks = {
  'prompts are listed': async ({ client }) => {
    const { prompts } = await client.listPrompts();
    equal(prompts.map((prompt) => prompt.name), [
      'test_simple_prompt',
      'test_prompt_with_arguments',
      'test_prompt_with_embedded_resource',
      'test_prompt_with_image',
      'test_input_required_result_prompt',
    ]);
    equal(prompts[1].arguments, [
      { name: 'arg1', description: 'Completed from a fixed list', required: true },
      { name: 'arg2', description: 'Completed by a method, which knows the first', required: true },
    ]);
  },
  'a prompt without arguments': (session) =>
    renders(session, { name: 'test_simple_prompt' }, [text('This is a simple prompt for testing.')]),
  'a prompt with arguments': (session) =>
    renders(session, { name: 'test_prompt_with_arguments', arguments: { arg1: 'one', arg2: '{{arg1}} "two"' } }, [
      text(`Prompt with arguments: arg1='one', arg2='{{arg1}} "two"'`),
    ]),
  'a prompt with a resource': (session) =>
    renders(session, { name: 'test_prompt_with_embedded_resource', arguments: { resourceUri: 'test://a' } }, [
      {
        type: 'resource',
        resource: { uri: 'test://a', mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      },
      text('Please process the embedded resource above.'),
    ]),
  'a prompt with an image': (session) =>
    renders(session, { name: 'test_prompt_with_image' }, [
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      text('Please analyze the image above.'),
    ]),
  'a missing argument': async ({ client }) => {
    const params = { name: 'test_prompt_with_arguments', arguments: { arg1: 'one' } };
    const error = await rejection(client.getPrompt(params));
    equal(error.code, -32602);
    return matches(error.message, /arg2/);
  },
  'an unknown prompt': async ({ client }) => {
    const error = await rejection(client.getPrompt({ name: 'test_prompt' }));
    equal(error.code, -32602);
    return matches(error.message, /test_prompt/);
  },
  'an argument is completed from its values': async (session) => {
    equal(await completes(session, { name: 'arg1', value: 'test' }), ['test', 'testing', 'tested']);
    equal(await completes(session, { name: 'arg1', value: 'teste' }), ['tested']);
    equal(await completes(session, { name: 'arg1', value: 'x' }), []);
  },
  'an argument is completed by what stands already': async (session) => {
    const context = { arguments: { arg1: 'lunch' } };
    equal(await completes(session, { name: 'arg2', value: 'be' }, context), ['before lunch', 'beside lunch']);
  },
};

async function renders({ client }, params, contents) {
  const { messages } = await client.getPrompt(params);
  equal(messages, contents.map((content) => ({ role: 'user', content })));
}

async function completes({ client }, argument, context) {
  const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
  const { completion } = await client.complete({ ref, argument, ...(context && { context }) });
  return completion.values;
}
