// Tools that ask the client: its user by forms and pages, its model, its folders.

import { equal, eventually, matches, rejection } from '../harness.mjs';
import { text } from './answers.mjs';

/** A client that can be asked everything. What it was asked is kept; what it answers, a check can change. */
export function host() {
  const asked = { questions: [], user: () => ({ action: 'decline' }) };
  const keep = (method, answer) => (params, signal) => {
    asked.questions.push({ method, params });
    return answer(params, signal);
  };
  const model = ({ messages }) => ({
    role: 'assistant',
    model: 'test-model',
    stopReason: 'endTurn',
    content: text(`You said: ${messages[0].content.text}`),
  });
  const roots = [{ uri: 'file:///home/ada', name: 'Home' }, { uri: 'file:///tmp' }];
  asked.answers = {
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
    'elicitation/create': keep('elicitation/create', (params, signal) => asked.user(params, signal)),
    'sampling/createMessage': keep('sampling/createMessage', model),
    'roots/list': keep('roots/list', () => ({ roots })),
  };
  return asked;
}

const ACCOUNT = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "The user's name" },
    email: { type: 'string', description: "The user's address", format: 'email' },
  },
  required: ['username', 'email'],
};

export const checks = {
  'a form is filled in': async (session) => {
    const content = { username: 'ada', email: 'ada@example.com' };
    const { said, questions } = await ask(session, 'test_elicitation', { message: 'Who?' }, accept(content));
    equal(questions.map(({ params }) => [params.message, params.requestedSchema]), [['Who?', ACCOUNT]]);
    equal(said, `User response: action=accept, content=${JSON.stringify(content)}`);
  },
  'a form is declined, and closed': async (session) => {
    for (const action of ['decline', 'cancel']) {
      const { said } = await ask(session, 'test_elicitation', { message: 'Who?' }, { action });
      equal(said, `User response: action=${action}, content={}`);
    }
  },
  'a form has defaults': async (session) => {
    const { said, questions } = await ask(session, 'test_elicitation_sep1034_defaults', {}, accept({ age: 31 }));
    equal(questions[0].params.requestedSchema.properties, {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    });
    const filled = { name: 'John Doe', age: 31, score: 95.5, status: 'active', verified: true };
    equal(said, `Elicitation completed: action=accept, content=${JSON.stringify(filled)}`);
  },
  'a form has choices of every kind': async (session) => {
    const content = {
      untitledSingle: 'option1',
      titledSingle: 'value2',
      legacyEnum: 'opt3',
      untitledMulti: ['option1', 'option3'],
      titledMulti: ['value3'],
    };
    const { said, questions } = await ask(session, 'test_elicitation_sep1330_enums', {}, accept(content));
    const titled = (titles) => titles.map((title, index) => ({ const: `value${index + 1}`, title }));
    const options = ['option1', 'option2', 'option3'];
    equal(questions[0].params.requestedSchema.properties, {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled(['First Option', 'Second Option', 'Third Option']) },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled(['First Choice', 'Second Choice', 'Third Choice']) } },
    });
    equal(said, `Elicitation completed: action=accept, content=${JSON.stringify(content)}`);
  },
  'a page is opened': async (session) => {
    const { said, questions } = await ask(session, 'test_elicitation_url', {}, { action: 'accept' });
    const { mode, message, url } = questions[0].params;
    equal([mode, message, url], ['url', 'Sign in on this page, please.', 'https://example.com/sign-in']);
    equal(said, 'User response: accept');
  },
  'the model is asked': async (session) => {
    const { said, questions } = await ask(session, 'test_sampling', { prompt: 'Hello' });
    const { messages, maxTokens } = questions[0].params;
    equal([messages, maxTokens], [[{ role: 'user', content: text('Hello') }], 100]);
    equal(said, 'LLM response: You said: Hello');
  },
  'the folders are asked for': async (session) => {
    const { said } = await ask(session, 'test_list_roots', {});
    equal(said, 'Home: file:///home/ada\n(no name): file:///tmp');
  },
  'progress is told beside a question': async (session) => {
    const before = session.received.length;
    session.asked.user = () => ({ action: 'decline' });
    // what comes right before the answer, these clients receive, but hand on no more
    await session.call({ name: 'test_streaming_elicitation', arguments: {} }, { onprogress: () => {} });
    const notices = session.received.slice(before).filter((message) => message.method === 'notifications/progress');
    const steps = notices.map(({ params: { progress, message } }) => [progress, message]);
    const run = [[1, 'asking the user'], [2, 'asked the user']];
    // the handler begins anew once the question is answered, if there is no session
    equal(steps, session.hasSession ? run : [run[0], ...run]);
  },
  'who gives a call up takes its question back': async (session) => {
    // without a session the client asks itself, and nothing is under way
    if (!session.hasSession) return 'not without a session';
    const abort = new AbortController();
    let taken;
    session.asked.user = (_, signal) => {
      taken = signal;
      abort.abort('enough');
      return new Promise(() => {});
    };
    const call = session.call({ name: 'test_elicitation', arguments: { message: 'Who?' } }, { signal: abort.signal });
    await rejection(call);
    await eventually(() => taken?.aborted, 'the end of the question');
  },
};

/** For a client that declares nothing. */
export const checksWithoutAnswers = {
  'nobody is asked who cannot answer': async ({ call, hasSession }) => {
    for (const [name, capability] of [
      ['test_missing_capability', { sampling: {} }],
      ['test_list_roots', { roots: {} }],
      ['test_elicitation_url', { elicitation: { url: {} } }],
      ['test_streaming_elicitation', { elicitation: { form: {} } }],
    ]) {
      const params = { name, arguments: {} };
      if (hasSession) {
        const result = await call(params);
        equal(result.isError, true);
        matches(result.content[0].text, /does not have the capability/);
      } else {
        const error = await rejection(call(params));
        equal([error.code, error.data.requiredCapabilities], [-32021, capability]);
      }
    }
  },
  'a tool does without what the client lacks': async ({ call }) => {
    const { content } = await call({ name: 'test_input_required_result_capabilities', arguments: {} });
    equal(content, [text('That is all that the client can be asked.')]);
  },
};

/** Calls a tool, with a user who answers so: what it said, and what it asked on the way. */
export async function ask({ call, asked }, name, args, ...replies) {
  const before = asked.questions.length;
  asked.user = () => replies.shift();
  const result = await call({ name, arguments: args });
  equal(Boolean(result.isError), false);
  return { said: result.content.map((block) => block.text).join('\n'), questions: asked.questions.slice(before) };
}

export function accept(content) {
  return { action: 'accept', content };
}
