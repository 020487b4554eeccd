/** Pages that did not come out by the printer's own count: one explicit word that names them, and never another (I1). */
import { expect, it } from 'vitest';
import type { LastRelease } from '../../src/domain/release.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const last: LastRelease = { releaseId: 'r1', state: 'PARTIAL', deletionOwed: false };
const missing = { from: 7, to: 12 };
type StageOptions = NonNullable<Parameters<typeof terminalStage>[0]>;

async function openList(options: StageOptions = {}) {
  const one = terminalStage({
    documents: [documentNamed('one', { totalPages: 12, colorPages: 0, copies: 1 }), documentNamed('two')],
    standings: { one: 'may-have-printed' },
    last,
    ending: { missing },
    canBeAsked: true,
    ...options,
  });
  await one.turn();
  await one.tap(alice);
  const say = async (from: number, to: number, generation = one.generation(), documentUuid = 'one') => {
    one.terminal.tell({ type: 'print-missing', documentUuid, from, to, generation });
    await one.turn();
  };
  const offered = () => one.terminal.view.current().mayHavePrinted?.[0]?.missing;
  return { ...one, say, offered };
}

it('are offered, and printed by a ticket of their own that repeats the release', async () => {
  const one = await openList();
  expect(one.offered()).toEqual(missing);
  await one.say(7, 12);
  expect(one.tickets).toMatchObject([
    { document: { uuid: 'one', totalPages: 6, colorPages: 0 }, again: 'r1', picked: { ...missing, of: 12 } },
  ]);
  expect(one.log.records('release repeated')).toMatchObject([{ again: 'r1', pages: '7-12' }]);
});

it('are printed once for one word: said twice, or by a view that is over, it does nothing', async () => {
  const one = await openList();
  const { generation } = one.terminal.view.current();
  await one.say(7, 12, generation - 1);
  expect(one.tickets).toEqual([]);
  await one.say(7, 12);
  await one.say(7, 12);
  expect(one.tickets).toHaveLength(1);
  await one.tap(bob);
  await one.say(7, 12, generation);
  expect(one.tickets).toHaveLength(1);
});

it.each([
  [6, 12],
  [7, 11],
  [8, 12],
  [1, 12],
  [12, 7],
])('are those that were offered, and no others: %s to %s', async (from, to) => {
  const one = await openList();
  await one.say(from, to);
  await one.say(7, 12, one.generation(), 'two');
  expect(one.tickets).toEqual([]);
});

it.each<[string, StageOptions]>([
  ['nothing was counted', { ending: {} }],
  ['the document is another one by now', { documents: [documentNamed('one', { totalPages: 11 })] }],
  [
    'one copy was wanted then, and its owner sent several',
    { documents: [documentNamed('one', { totalPages: 12, copies: 3 })] },
  ],
  ['the record makes no sense', { ending: { missing: { from: 13, to: 12 } } }],
  [
    'it was another member’s release',
    { elsewhere: { one: { how: 'in-doubt', releaseId: 'x' } as never }, standings: {} },
  ],
])('are not offered where %s', async (_, options) => {
  const one = await openList(options);
  expect(one.offered()).toBeUndefined();
  await one.say(7, 12);
  expect(one.tickets).toEqual([]);
});

it('are offered of a document that is wanted grey or on both sides, by what is kept with a badge too, and printed so', async () => {
  const defaults = { of: () => ({ grey: true, twoSided: true }), keep: () => {}, forget: () => {} };
  const sent = documentNamed('one', { totalPages: 12, colorPages: 12, copies: 1, sides: 'one-sided' });
  const one = await openList({ defaults, documents: [sent] });
  expect(one.offered()).toEqual(missing);
  await one.say(7, 12);
  expect(one.tickets).toMatchObject([
    { document: { totalPages: 6, grayscale: true, sides: 'two-sided-long-edge' }, picked: missing },
  ]);
});

it('are not offered of a document that was sent in several copies and printed once: of which copy nobody would know', async () => {
  const one = await openList({
    documents: [documentNamed('one', { totalPages: 12, colorPages: 0, copies: 2 })],
  });
  expect(one.offered()).toBeUndefined();
  await one.say(7, 12);
  expect(one.tickets).toEqual([]);
});

it('are not offered of a document that is wanted several times by now', async () => {
  const one = await openList();
  const generation = one.generation();
  one.terminal.tell({
    type: 'change',
    generation,
    documentUuid: 'one',
    copies: 2,
    color: true,
    sides: 'one-sided',
  });
  await one.turn();
  expect(one.offered()).toBeUndefined();
  await one.say(7, 12);
  expect(one.tickets).toEqual([]);
});

it('are offered to who keeps wishes with their badge, and printed as they wish', async () => {
  const kept = { grey: false, twoSided: true };
  const one = await openList({
    documents: [documentNamed('one', { totalPages: 12, copies: 1, sides: 'one-sided' })],
    defaults: { of: () => kept, keep() {}, forget() {} },
  });
  expect(one.offered()).toEqual(missing);
  await one.say(7, 12);
  expect(one.tickets).toMatchObject([
    {
      document: { totalPages: 6, sides: 'two-sided-long-edge' },
      picked: missing,
      changed: { twoSided: true },
    },
  ]);
});
