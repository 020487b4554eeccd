/** What a terminal does with the stick of whoever is in front: when it is looked at, and what becomes of a file, and of what is under way. */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Document } from '../../src/domain/document.ts';
import type { Bringing } from '../../src/domain/ports/bringing.ts';
import type { Stick, StickContents, StickFile } from '../../src/domain/ports/sticks.ts';
import { StickFailure } from '../../src/domain/ports/sticks.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { StickWord } from '../../src/domain/terminal/persons-word.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const fileOf = (name: string): StickFile => ({
  folder: 'Work',
  name,
  octets: 10,
  format: 'pdf' as const,
  place: `place of ${name}`,
});
const contents: StickContents = { files: [fileOf('mine.pdf'), fileOf('locked.pdf')], isMore: false };

type Said = StickWord extends infer One ? (One extends StickWord ? Omit<One, 'generation'> : never) : never;

interface StageOptions {
  readonly queue?: string;
  /** How long a file is read. */
  readonly reading?: () => Promise<void>;
  readonly autoRelease?: boolean;
  readonly documents?: Document[];
}

/** Lists are read, and uploads end, when the test says so. */
async function stage({
  queue = 'Pull',
  reading = async () => {},
  autoRelease = false,
  documents = [documentNamed('one')],
}: StageOptions = {}) {
  const present: Stick[] = [{ id: 'stick' }];
  const lists: { signal: AbortSignal; done(what: StickContents | Error): void }[] = [];
  const reads: StickFile[] = [];
  const sent: string[] = [];
  const uploads: {
    name: string;
    queue: string;
    user: string;
    signal: AbortSignal;
    done(what: string | Error): void;
  }[] = [];
  const settled = <T>(signal: AbortSignal, keep: (done: (what: T | Error) => void) => void) =>
    new Promise<T>((resolve, reject) => {
      keep((what) => (what instanceof Error ? reject(what) : resolve(what)));
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  async function* octets() {
    yield Buffer.from('%PDF');
    await Promise.resolve();
    yield Buffer.from('-1.7\n\n');
  }
  const bringing: Bringing = {
    queue: async () => (queue === 'none' ? undefined : queue),
    bring: async ({ name, stream }, to, { user }, { signal }) => {
      const whole = settled<string>(signal, (done) =>
        uploads.push({ name, queue: to.queue, user: user.userName, signal, done }),
      );
      for await (const chunk of stream as AsyncIterable<Buffer>) sent.push(chunk.toString());
      return whole;
    },
  };
  const one = terminalStage({
    documents,
    autoRelease,
    list: async () => [...documents],
    stick: {
      bringing,
      queue: undefined,
      sticks: {
        present: async () => [...present],
        files: (_, { signal }) => settled<StickContents>(signal, (done) => lists.push({ signal, done })),
        read: async (_, file) => {
          reads.push(file);
          await reading();
          if (file.name === 'locked.pdf') throw new StickFailure('locked', 'it asks for a password');
          return octets();
        },
      },
    },
  });
  await one.turn();
  await one.tap(alice);
  await one.turn();
  const settle = async () => {
    for (const _ of Array.from({ length: 8 })) await one.turn();
  };
  await settle();
  const stick = () => one.terminal.view.current().stick;
  const say = async (said: Said, generation = one.generation()) => {
    one.terminal.tell({ ...said, generation });
    await settle();
  };
  return {
    ...one,
    present,
    lists,
    reads,
    sent,
    uploads,
    documents,
    settle,
    stick,
    say,
    async open() {
      await say({ type: 'open-stick' });
      lists.at(-1)?.done(contents);
      await settle();
    },
    bring: (file: number, edition = stick()?.edition ?? 0) => say({ type: 'bring-file', file, edition }),
  };
}

it('is seen to be in, and looked at by nobody before somebody signed in asks for it', async () => {
  const one = await stage();
  expect([one.stick(), one.lists.length]).toEqual([{ stage: 'in', edition: 0 }, 0]);
  await one.say({ type: 'open-stick' });
  expect(one.stick()).toMatchObject({ stage: 'reading' });
  one.lists[0]?.done(contents);
  await one.settle();
  expect(one.stick()).toEqual({
    stage: 'files',
    edition: 1,
    files: [
      { folder: 'Work', name: 'mine.pdf', octets: 10 },
      { folder: 'Work', name: 'locked.pdf', octets: 10 },
    ],
  });
  expect([one.reads, one.uploads]).toEqual([[], []]);
});

it('a file goes to their queue with their login, whole, and their list is looked at again', async () => {
  const one = await stage();
  await one.open();
  await one.bring(0);
  expect(one.stick()).toMatchObject({ stage: 'bringing', name: 'mine.pdf', percent: 100 });
  expect(one.uploads).toMatchObject([{ name: 'mine.pdf', queue: 'Pull', user: 'alice' }]);
  expect(one.sent.join('')).toBe('%PDF-1.7\n\n');
  one.documents.push(documentNamed('brought'));
  one.uploads[0]?.done('brought');
  await one.settle();
  expect(one.stick()).toMatchObject({ stage: 'files', name: 'mine.pdf' });
  expect(one.terminal.view.current().documents?.map(({ uuid }) => uuid)).toEqual(['one', 'brought']);
  expect(one.log.records('file brought')).toMatchObject([{ documentUuid: 'brought', octets: 10 }]);
  // What a person calls their files is in no record.
  expect(one.log.text()).not.toMatch(/mine\.pdf|Work/);
});

it('two touches at once bring one file, and an older list brings none (D2)', async () => {
  const one = await stage();
  await one.open();
  one.terminal.tell({ type: 'bring-file', file: 0, edition: 1, generation: one.generation() });
  await one.bring(0, 1);
  expect(one.uploads).toHaveLength(1);
  one.uploads[0]?.done('brought');
  await one.settle();
  await one.say({ type: 'close-stick' });
  await one.open();
  await one.bring(0, 1);
  await one.bring(7);
  await one.say({ type: 'bring-file', file: 0, edition: 2 }, one.generation() - 1);
  expect(one.uploads).toHaveLength(1);
});

it.each<[string, (one: Awaited<ReturnType<typeof stage>>) => unknown]>([
  ['another badge', (one) => one.tap(bob)],
  ['their own badge', (one) => one.tap(alice)],
  ['the button', (one) => one.terminal.tell({ type: 'log-out', generation: one.generation() })],
  ['the end of their trust', (one) => one.terminal.tell({ type: 'hold-lost' })],
  ['their closing it', (one) => one.say({ type: 'close-stick' })],
])('%s breaks off what is under way, and nothing of it is left (I3)', async (_, end) => {
  const one = await stage();
  await one.open();
  await one.bring(0);
  const [upload] = one.uploads;
  await end(one);
  await one.settle();
  expect(upload?.signal.aborted).toBe(true);
  expect(JSON.stringify(one.terminal.view.current())).not.toMatch(/mine\.pdf|Work/);
  expect(one.log.records('file not brought')).toMatchObject([{ reason: 'left' }]);
  expect(one.log.records('file brought')).toEqual([]);
});

it('a list that comes when they have gone is shown to nobody', async () => {
  const one = await stage();
  await one.say({ type: 'open-stick' });
  await one.tap(bob);
  one.lists[0]?.done(contents);
  await one.settle();
  expect(one.stick()).toEqual({ stage: 'in', edition: 0 });
});

it('pulled out it is not there any more, and what was under way is broken off with a word', async () => {
  const one = await stage();
  await one.open();
  await one.bring(0);
  one.present.length = 0;
  await one.clock.advance(seconds(1));
  await one.settle();
  expect(one.uploads[0]?.signal.aborted).toBe(true);
  expect(one.stick()).toEqual({ stage: 'failed', edition: 1, why: 'pulled-out' });
  expect(one.log.records('file not brought')).toMatchObject([{ reason: 'pulled-out' }]);
  await one.say({ type: 'close-stick' });
  expect(one.stick()).toBeUndefined();
  one.present.push({ id: 'another' });
  await one.clock.advance(seconds(1));
  await one.settle();
  expect(one.stick()).toMatchObject({ stage: 'in' });
});

it('of two sticks none is read, for nobody knows whose the other one is', async () => {
  const one = await stage();
  one.present.push({ id: 'of the person before' });
  await one.clock.advance(seconds(1));
  await one.settle();
  expect(one.stick()).toMatchObject({ stage: 'several' });
  await one.say({ type: 'open-stick' });
  expect([one.stick()?.stage, one.lists]).toEqual(['several', []]);
});

it('a file that asks for a password is said to, and the list is as before', async () => {
  const one = await stage();
  await one.open();
  await one.bring(1);
  expect(one.stick()).toMatchObject({ stage: 'files', edition: 1, why: 'locked' });
  expect(one.uploads).toEqual([]);
  expect(one.log.records('file not brought')).toMatchObject([{ reason: 'locked' }]);
});

const answered = (code: 'cloud-denied' | 'cloud-busy' | 'document-too-large' | 'internal') =>
  new Problem(code, 'no', { delivery: 'answered' });

it.each([
  ['denied', answered('cloud-denied')],
  ['not-sent', answered('cloud-busy')],
  ['too-large', answered('document-too-large')],
  ['failed', new Error('a fault of ours')],
] as const)('what the service says to it is said: %s', async (why, problem) => {
  const one = await stage();
  await one.open();
  await one.bring(0);
  one.uploads[0]?.done(problem);
  await one.settle();
  expect(one.stick()).toMatchObject({ stage: 'files', why });
  expect(one.log.records('file not brought')).toHaveLength(1);
});

it('without a queue of theirs nothing is read of it', async () => {
  const one = await stage({ queue: 'none' });
  await one.open();
  await one.bring(0);
  expect(one.stick()).toMatchObject({ stage: 'files', why: 'no-queue' });
  expect([one.reads, one.uploads]).toEqual([[], []]);
});

it.each([
  ['unreadable', new StickFailure('unreadable', 'no filesystem')],
  ['failed', new StickFailure('not-shut-in', 'there is no room')],
] as const)('a stick that cannot be read is %s', async (why, problem) => {
  const one = await stage();
  await one.say({ type: 'open-stick' });
  one.lists[0]?.done(problem);
  await one.settle();
  expect(one.stick()).toMatchObject({ stage: 'failed', why });
  expect(one.log.records('stick not read')).toMatchObject([{ reason: problem.why }]);
});

it('a file that is read, slow as it may be, is a sign of its person, for a while', async () => {
  const one = await stage({ reading: () => new Promise(() => {}) });
  await one.open();
  await one.bring(0);
  for (const _ of Array.from({ length: 100 })) await one.clock.advance(seconds(1));
  await one.settle();
  expect([one.state(), one.stick()?.stage]).toEqual(['choosing', 'bringing']);
  for (const _ of Array.from({ length: 30 })) await one.clock.advance(seconds(1));
  await one.settle();
  expect(one.state()).toBe('prompting');
});

it('while it is read the countdown runs on, and with the session all of it ends', async () => {
  const one = await stage();
  await one.say({ type: 'open-stick' });
  await one.clock.advance(seconds(61));
  await one.settle();
  expect([one.state(), one.lists[0]?.signal.aborted]).toEqual(['prompting', true]);
});

it('is said to be in while their pages come, so that nobody forgets it, and cannot be opened then', async () => {
  const one = await stage();
  const documentUuids = ['one'];
  await one.open();
  one.terminal.tell({ type: 'release', documentUuids, generation: one.generation() });
  await one.settle();
  expect([one.state(), one.stick()]).toEqual(['releasing', { stage: 'in', edition: 1 }]);
  await one.say({ type: 'open-stick' });
  expect([one.stick()?.stage, one.lists.length]).toEqual(['in', 1]);
});

it('whoever looks at their stick chooses: with autoRelease they are not sent away, and what they bring prints by their word', async () => {
  const one = await stage({ autoRelease: true, documents: [] });
  await one.open();
  await one.clock.advance(seconds(20));
  await one.settle();
  expect([one.state(), one.stick()?.stage]).toEqual(['choosing', 'files']);
  await one.bring(0);
  one.documents.push(documentNamed('brought'));
  one.uploads[0]?.done('brought');
  await one.settle();
  expect([one.state(), one.stick()?.stage, one.tickets]).toEqual(['choosing', 'files', []]);
});
