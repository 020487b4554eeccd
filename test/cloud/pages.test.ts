/** Lists in pages: spec, General rules 6; INVARIANTS.md I8. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { entriesOf, readList } from '../../src/cloud/http/pages.ts';
import type { Answer } from '../../src/cloud/http/json.ts';
import { problemOf } from '../support/cloud/cloud-under-test.ts';
import { asUser, requestsOf, resourceWith } from './resources/resource-under-test.ts';
import { answerJson } from '../support/cloud/scripted-server.ts';

const pageOf = (value: unknown): Answer => ({
  call: 'GET /list',
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify(value)),
});

async function walk(pages: readonly unknown[]) {
  const asked: (string | undefined)[] = [];
  const entries: unknown[] = [];
  const list = entriesOf(async (pageToken) => {
    asked.push(pageToken);
    return pageOf(pages[Math.min(asked.length, pages.length) - 1]);
  });
  for await (const entry of list) entries.push(entry);
  return { asked, entries };
}

describe('the entries of a list', () => {
  it.each<[string, readonly unknown[], readonly unknown[], readonly (string | undefined)[]]>([
    ['bare', [[1, 2]], [1, 2], [undefined]],
    ['empty', [[]], [], [undefined]],
    ['one page', [{ items: [1], recordsOnPage: 1 }], [1], [undefined]],
    ['a last page with a null token', [{ items: [1], nextPageToken: null }], [1], [undefined]],
    ['a last page with a blank token', [{ items: [1], nextPageToken: ' ' }], [1], [undefined]],
    ['pages', [{ items: [1], nextPageToken: 'a' }, { items: [2] }], [1, 2], [undefined, 'a']],
    ['an empty page between', [{ items: [], nextPageToken: 'a' }, { items: [2] }], [2], [undefined, 'a']],
    ['of the history', [{ documents: [1], nextPageToken: 'a' }, { documents: [] }], [1], [undefined, 'a']],
  ])('come from a list that is %s', async (_, pages, entries, asked) => {
    expect(await walk(pages)).toEqual({ entries, asked });
  });

  it.each<[string, readonly unknown[], string]>([
    ['that comes back to a token', [{ items: [1], nextPageToken: 'a' }], 'goes round in a circle'],
    ['that is no list', [{ entries: [1] }], 'GET /list'],
    ['whose items are none', [{ items: 1 }], 'GET /list'],
    ['with a token that is no text', [{ items: [], nextPageToken: 7 }], 'GET /list'],
  ])('a list %s is refused (I8)', async (_, pages, message) => {
    const problem = await problemOf(walk(pages));
    expect(problem.code).toBe('cloud-protocol');
    expect(problem.message).toContain(message);
  });

  it('a list that never ends is refused after a hundred pages (I8)', async () => {
    let pages = 0;
    const list = entriesOf(async () => {
      pages += 1;
      return pageOf({ items: [], nextPageToken: `t${pages}` });
    });
    expect((await problemOf(list.next())).message).toContain('more than 100 pages');
    expect(pages).toBe(100);
  });

  it('are asked for no further than they are read', async () => {
    let pages = 0;
    const list = entriesOf(async () => {
      pages += 1;
      return pageOf({ items: [pages], nextPageToken: `t${pages}` });
    });
    for await (const entry of list) if (entry === 2) break;
    expect(pages).toBe(2);
  });
});

describe('a whole list', () => {
  const list = {
    name: 'things',
    path: '/api/v1/things',
    fields: [['username', 'ann & co'] as const],
    entry: z.object({ id: z.int() }),
  };

  it('keeps its parameters over the pages, and leaves out and counts what does not fit', async () => {
    await using under = await resourceWith((response, asked, count) => {
      const page = count === 1 ? { items: [{ id: 1 }, {}], nextPageToken: 'p&1' } : [{ id: '2' }, { id: 3 }];
      answerJson(page)(response, asked, count);
    });
    expect(await readList(under.parts, list, asUser)).toEqual([{ id: 1 }, { id: 3 }]);
    expect(requestsOf(under)).toEqual([
      'GET /api/v1/things?username=ann%20%26%20co',
      'GET /api/v1/things?username=ann%20%26%20co&pagetoken=p%261',
    ]);
    expect(JSON.parse(under.logged.join(''))).toMatchObject({ level: 'warn', list: 'things', unusable: 2 });
  });

  it('tells in its messages the path without the parameters, which may name a person (I5)', async () => {
    await using under = await resourceWith(answerJson({}, 403));
    const { message } = await problemOf(readList(under.parts, list, asUser));
    expect(message).toContain('/api/v1/things: status 403');
  });
});
