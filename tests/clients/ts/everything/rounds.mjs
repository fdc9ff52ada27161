// Questions that make rounds for a client without a session. The client does not know it either: it is asked, and in
// the end there is an answer.

import { equal } from '../harness.mjs';
import { text } from './answers.mjs';
import { accept, ask } from './asking.mjs';

export const checks = {
  'a name is asked for': (session) => round(session, 'elicitation', 'Hello, Ada!', accept({ name: 'Ada' })),
  'a model is asked': (session) => round(session, 'sampling', 'You said: What is the capital of France?'),
  'folders are asked for': (session) =>
    round(session, 'list_roots', 'Home: file:///home/ada\n(no name): file:///tmp'),
  'a state is kept': (session) =>
    round(session, 'request_state', 'state-ok, confirmed: true', accept({ ok: true })),
  'three are asked at once': async (session) => {
    const said = 'You said: Generate a greeting Ada works in Home: file:///home/ada\n(no name): file:///tmp';
    await round(session, 'multiple_inputs', said, accept({ name: 'Ada' }));
  },
  'one thing is asked after the other': async (session) => {
    const replies = [accept({ name: 'Ada' }), accept({ color: 'green' })];
    const { said, questions } = await ask(session, 'test_input_required_result_multi_round', {}, ...replies);
    equal(said, 'Ada likes green');
    const messages = ['Step 1: What is your name?', 'Step 2: What is your favorite color?'];
    equal(questions.map(({ params }) => params.message), messages);
  },
  'a client is asked what it can answer': (session) =>
    round(
      session,
      'capabilities',
      'You said: Generate a greeting\nconfirmed: false\nThat is all that the client can be asked.',
      { action: 'cancel' },
    ),
  'a prompt asks': async ({ client, asked }) => {
    asked.user = () => accept({ context: 'a rainy day' });
    const { messages } = await client.getPrompt({ name: 'test_input_required_result_prompt' });
    equal(messages, [{ role: 'user', content: text('Use this context: a rainy day') }]);
  },
};

async function round(session, tool, expected, ...replies) {
  const { said } = await ask(session, `test_input_required_result_${tool}`, {}, ...replies);
  equal(said, expected);
}
