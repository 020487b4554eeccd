/** A page of a document that is looked at before it is printed: when it is asked for, and no longer than its person. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { PagePicture, WantedPage } from '../../src/domain/ports/preview.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

type StageOptions = NonNullable<Parameters<typeof terminalStage>[0]>;

/** Pictures are made when the test says so. */
async function openList(options: StageOptions = {}) {
  const asked: (WantedPage & { signal: AbortSignal; made(picture: PagePicture | Problem): void })[] = [];
  const one = terminalStage({
    documents: [documentNamed('one'), documentNamed('two', { storageOnline: false })],
    download: async () => ({ length: 1, bytes: Readable.from([Buffer.from('%')]) }),
    pictures: {
      of: (_, wanted, { signal }) =>
        new Promise((resolve, reject) => {
          const made = (what: PagePicture | Problem) =>
            what instanceof Problem ? reject(what) : resolve(what);
          asked.push({ ...wanted, signal, made });
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    },
    ...options,
  });
  await one.turn();
  await one.tap(alice);
  await one.turn();
  const look = async (documentUuid: string, page: number, generation = one.generation()) => {
    one.terminal.tell({ type: 'preview', documentUuid, page, generation });
    await one.turn();
  };
  const made = async (what: PagePicture | Problem) => {
    asked.at(-1)?.made(what);
    await one.turn();
  };
  const preview = () => one.terminal.view.current().preview;
  return { ...one, asked, look, made, preview };
}

const pictureOf = (text: string) => ({ kind: 'picture', png: Buffer.from(text) }) as const;

it('is made when it is asked for and not before, and shown under a name of its own', async () => {
  const one = await openList();
  expect(one.terminal.view.current()).toMatchObject({ state: 'choosing', offersPreview: true });
  expect([one.asked, one.preview()]).toEqual([[], undefined]);
  await one.look('one', 3);
  expect(one.preview()).toEqual({ documentUuid: 'one', page: 3, stage: 'making' });
  expect(one.asked).toMatchObject([{ page: 3, paperSize: documentNamed('one').paperSize }]);
  await one.made(pictureOf('page 3'));
  const { picture = '' } = one.preview() ?? {};
  expect(one.preview()).toMatchObject({ page: 3, stage: 'shown' });
  expect(picture).toMatch(/^[\w-]{22}$/);
  expect(one.terminal.picture(picture)?.toString()).toBe('page 3');
  expect(one.terminal.picture('another')).toBeUndefined();
  // A price for nobody: nothing is released, and the document waits.
  expect([one.tickets, one.removed, one.state()]).toEqual([[], [], 'choosing']);
});

it.each<[string, (one: Awaited<ReturnType<typeof openList>>) => unknown]>([
  [
    'looks away',
    ({ terminal, generation }) => terminal.tell({ type: 'end-preview', generation: generation() }),
  ],
  ['signs out', ({ terminal, generation }) => terminal.tell({ type: 'log-out', generation: generation() })],
  ['prints', ({ tap }) => tap(alice)],
  ['gives way to the next person', ({ tap }) => tap(bob)],
  ['walks off', ({ clock }) => clock.advance(seconds(61))],
  ['is there when the agent stops', ({ stop }) => stop.abort()],
])('is overwritten and forgotten when its person %s (I3)', async (_, leave) => {
  const one = await openList();
  await one.look('one', 1);
  const png = Buffer.from('page 1');
  await one.made({ kind: 'picture', png });
  const { picture = '' } = one.preview() ?? {};
  await leave(one);
  await one.turn();
  expect([one.preview(), one.terminal.picture(picture)]).toEqual([undefined, undefined]);
  expect(png).toEqual(Buffer.alloc(png.length));
});

it('is overwritten and forgotten when its document is in the list no more: its panel closed by itself', async () => {
  let listed = [documentNamed('one'), documentNamed('two')];
  const one = await openList({ list: async () => listed });
  await one.look('one', 1);
  const png = Buffer.from('page 1');
  await one.made({ kind: 'picture', png });
  listed = [documentNamed('one', { totalPages: 9 })];
  await one.clock.advance(seconds(11));
  expect(one.preview()?.stage).toBe('shown');
  listed = [documentNamed('two')];
  await one.clock.advance(seconds(11));
  expect([one.state(), one.preview()]).toEqual(['choosing', undefined]);
  expect(png).toEqual(Buffer.alloc(png.length));
});

it('what is under way ends with its person, and what comes of it all the same is thrown away (D2)', async () => {
  const one = await openList();
  await one.look('one', 1);
  const [first] = one.asked;
  await one.tap(bob);
  expect(first?.signal.aborted).toBe(true);
  const png = Buffer.from('late');
  first?.made({ kind: 'picture', png });
  await one.turn();
  expect(one.preview()).toBeUndefined();
  expect(one.log.records('preview not made')).toEqual([]);
});

it('of two touches the last one counts, one page at a time', async () => {
  const one = await openList();
  await one.look('one', 1);
  await one.look('one', 2);
  expect(one.asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  one.asked[0]?.made(pictureOf('page 1'));
  await one.made(pictureOf('page 2'));
  expect(one.preview()).toMatchObject({ page: 2, stage: 'shown' });
  const { picture = '' } = one.preview() ?? {};
  await one.look('one', 3);
  expect(one.terminal.picture(picture)).toBeUndefined();
});

it('is not for what is not shown: another generation, a document that is not there, or cannot be had', async () => {
  const one = await openList();
  await one.look('one', 1, one.generation() - 1);
  await one.look('three', 1);
  await one.look('two', 1);
  expect([one.asked, one.preview()]).toEqual([[], undefined]);
});

it('is not offered where the configuration has it off', async () => {
  const one = terminalStage();
  await one.turn();
  await one.tap(alice);
  one.terminal.tell({ type: 'preview', documentUuid: 'one', page: 1, generation: one.generation() });
  await one.turn();
  expect(one.terminal.view.current()).not.toHaveProperty('offersPreview');
  expect(one.terminal.view.current()).not.toHaveProperty('preview');
});

it.each<[PagePicture['kind'] | ProblemCode, string]>([
  ['no-such-page', 'no-such-page'],
  ['no-preview', 'no-preview'],
  ['document-gone', 'gone'],
  ['cloud-unreachable', 'not-fetched'],
  ['cloud-denied', 'not-fetched'],
  ['document-cut', 'not-fetched'],
  ['document-not-convertible', 'failed'],
  ['converter-missing', 'failed'],
])('says what is so when there is none: %s', async (what, why) => {
  const one = await openList();
  await one.look('one', 1);
  const isKind = what === 'no-such-page' || what === 'no-preview';
  await one.made(isKind ? { kind: what } : new Problem(what as ProblemCode, 'for a reason'));
  expect(one.preview()).toEqual({ documentUuid: 'one', page: 1, stage: 'none', why });
  expect(one.log.records('preview not made')).toHaveLength(isKind ? 0 : 1);
});

it('is given up after a while, and can be asked for again', async () => {
  const one = await openList();
  await one.look('one', 1);
  await one.clock.advance(seconds(21));
  expect(one.preview()).toMatchObject({ stage: 'none', why: 'not-fetched' });
  await one.look('one', 1);
  await one.made(pictureOf('page 1'));
  expect(one.preview()).toMatchObject({ stage: 'shown' });
});

it('what may have been printed can be looked at, before it is printed again', async () => {
  const last = { releaseId: 'before', state: 'UNKNOWN', deletionOwed: false } as const;
  const one = await openList({ standings: { one: 'may-have-printed' }, last, canBeAsked: true });
  await one.look('one', 1);
  await one.made(pictureOf('page 1'));
  expect(one.preview()).toMatchObject({ documentUuid: 'one', stage: 'shown' });
});
