/** Lists of any length, split into their entries as they come in (F14; INVARIANTS.md T23, I8). */
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectList, listLimits } from '../../src/cloud/http/list-split.ts';
import { problemOf } from '../support/cloud/cloud-under-test.ts';

async function split(chunks: Iterable<Buffer> | AsyncIterable<Buffer>) {
  const entries: unknown[] = [];
  let received = 0;
  const counted = async function* () {
    for await (const chunk of chunks) {
      received += chunk.length;
      yield chunk;
    }
  };
  const answer = { call: 'GET /list', status: 200, headers: {}, received: () => received };
  const { body } = await collectList({ ...answer, body: Readable.from(counted()) }, (entry) => {
    entries.push(entry);
  });
  return { entries, around: body.toString() };
}

const inPieces = (text: string, length: number): Buffer[] => {
  const octets = Buffer.from(text);
  return Array.from({ length: Math.ceil(octets.length / length) }, (_, index) =>
    octets.subarray(index * length, (index + 1) * length),
  );
};

describe('a list that is split as it comes in', () => {
  it.each([
    ['bare', '[{"id":1},{"id":2}]', [{ id: 1 }, { id: 2 }], '[]'],
    ['empty', ' [ ] ', [], ' [] '],
    ['of numbers and texts', '[1 , "a,]\\"[" ,null]', [1, 'a,]"[', null], '[]'],
    ['of lists', '[[1,2],[]]', [[1, 2], []], '[]'],
    [
      'a page',
      '{"nextPageToken":"t","items":[{"a":[1]}],"n":[7]}',
      [{ a: [1] }],
      '{"nextPageToken":"t","items":[],"n":[7]}',
    ],
    ['of the history', '{"documents":[1]}', [1], '{"documents":[]}'],
    ['none, but an object', '{"other":[1],"x":"items"}', [], '{"other":[1],"x":"items"}'],
  ])('%s', async (_, text, entries, around) => {
    for (const length of [1, 2, 3, 1000]) {
      expect(await split(inPieces(text, length)), `in pieces of ${length}`).toEqual({ entries, around });
    }
  });

  it('gives what JSON.parse gives, wherever the pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 3 })),
        fc.integer({ min: 1, max: 9 }),
        async (list, length) => {
          // A __proto__ is let in nowhere.
          const text = JSON.stringify({ before: 1, items: list });
          fc.pre(!text.includes('__proto__'));
          const { entries } = await split(inPieces(text, length));
          expect(entries).toEqual((JSON.parse(text) as { items: unknown[] }).items);
        },
      ),
    );
  });

  it.each([
    ['ends too early', '[{"id":1},{"id"', 'cut off'],
    ['ends between two entries', '[{"id":1},', 'cut off'],
    ['has a comma too many', '[{"id":1},]', 'empty'],
    ['begins with a comma', '[,{"id":1}]', 'empty'],
    ['has an entry that is no JSON', '[{"id":1}, nonsense]', 'not JSON'],
    ['has two entries without a comma', '[1 2]', 'not JSON'],
    ['closes with the wrong bracket', '[{"id":1]]', 'not JSON'],
    ['is not UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), 'not JSON'],
    ['would change every object', '[{"__proto__":{}}]', '__proto__'],
    ['nests too deep', `[${'['.repeat(30)}${']'.repeat(30)}]`, 'nests more than 20 levels deep'],
    ['has a gigantic entry', `["${'x'.repeat(listLimits.entry)}"]`, 'an entry of the list is larger'],
    ['is no list at all', `"${'x'.repeat(listLimits.around)}"`, 'is no list'],
  ])('is refused when it %s', async (_, text, message) => {
    for (const length of [1, 1000]) {
      const pieces = typeof text === 'string' ? inPieces(text, length) : [text];
      const problem = await problemOf(split(pieces));
      expect(problem.code).toBe('cloud-protocol');
      expect(problem.message).toContain(message);
    }
  });

  it('is refused at its 256th MB when it does not end, and nothing of it is held', async () => {
    const piece = Buffer.from(`"${'x'.repeat(60_000)}",`);
    const endless = function* () {
      yield Buffer.from('[');
      for (;;) yield piece;
    };
    let entries = 0;
    let received = 0;
    const body = Readable.from(endless());
    body.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    body.pause();
    const answer = { call: 'GET /list', status: 200, headers: {}, body, received: () => received };
    const problem = await problemOf(collectList(answer, () => void (entries += 1)));
    expect(problem.message).toContain('larger than 268435456 bytes');
    expect(received).toBeLessThan(listLimits.whole + 3 * piece.length);
    expect(entries).toBeGreaterThan(4000);
  });
});
