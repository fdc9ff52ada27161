// Lists that come in pages of four.

import { equal, rejection } from '../harness.mjs';

export const checks = {
  'pages make up the whole list': async ({ client, received }) => {
    const before = received.length;
    const names = [];
    let cursor;
    do {
      // the newer client fetches all pages by itself
      const page = await client.listTools(cursor && { cursor });
      names.push(...page.tools.map((tool) => tool.name));
      cursor = page.nextCursor;
    } while (cursor);
    const sizes = received.slice(before).map((message) => message.result.tools.length);
    const last = names.length % 4 || 4;
    equal(sizes, [...Array(sizes.length - 1).fill(4), last]);
    equal(new Set(names).size, names.length);
    return `${names.length} tools on ${sizes.length} pages`;
  },
  'a cursor that nobody gave': async ({ client }) => {
    const error = await rejection(client.listPrompts({ cursor: 'nowhere' }));
    equal(error.code, -32602);
  },
};
