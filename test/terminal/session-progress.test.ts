/** What a person is shown of the documents that the session released, how often, and for how long (I3, I12). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import type { LastRelease, Standing } from '../../src/domain/release.ts';
import type { DocumentEnd } from '../../src/terminal/session-progress.ts';
import { noticeOfEnd, withEnd } from '../../src/terminal/session-progress.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

type Stand = ReturnType<typeof terminalStage>;
const progressOf = ({ terminal }: Stand) => terminal.view.current().progress;
const stagesOf = (one: Stand) => progressOf(one)?.map(({ stage }) => stage);
const choose = ({ terminal, generation, turn }: Stand, ...documentUuids: string[]) => {
  terminal.tell({ type: 'release', generation: generation(), documentUuids });
  return turn();
};
const outOfPaper = () => new Problem('printer-not-ready', 'out of paper');
const cut = () => new Problem('transfer-broken', 'cut', { delivery: 'perhaps' });

async function opened(options: Parameters<typeof terminalStage>[0] = {}) {
  const one = terminalStage(options);
  await one.tap(alice);
  return one;
}

describe('the progress of a session', () => {
  it('has an entry for each document it released, in the order of its wishes, and none before', async () => {
    const one = await opened({ documents: ['a', 'b', 'c'].map((uuid) => documentNamed(uuid)) });
    expect(progressOf(one)).toBeUndefined();
    await choose(one, 'c');
    await choose(one, 'b', 'a');
    expect(progressOf(one)).toEqual(
      ['c', 'a', 'b'].map((uuid) => ({ documentUuid: uuid, name: `${uuid}.pdf`, stage: 'waiting' })),
    );
  });

  it('follows each document through its stages and pages', async () => {
    const one = await opened({ autoRelease: true });
    one.stages[0]?.({ documentUuid: 'one', stage: 'printing', page: 1, pages: 3 });
    expect(progressOf(one)?.[0]).toMatchObject({ stage: 'printing', page: 1, pages: 3 });
    await one.clock.advance(seconds(1));
    one.stages[0]?.({ documentUuid: 'two', stage: 'downloading' });
    expect(stagesOf(one)).toEqual(['printing', 'downloading']);
  });

  it('keeps what has ended through the new list, with why and where to find it in the log', async () => {
    const standings: Record<string, Standing> = {};
    const last: LastRelease = { releaseId: 'r1', state: 'UNKNOWN', deletionOwed: false };
    const documents = ['printed', 'failed', 'unknown'].map((uuid) => documentNamed(uuid));
    let answer = () => {};
    let lists = 0;
    const list = () => {
      lists += 1;
      return lists === 1
        ? Promise.resolve(documents)
        : new Promise<typeof documents>((resolve) => {
            answer = () => resolve(documents.slice(1));
          });
    };
    const one = await opened({ standings, last, list });
    await choose(one, 'printed', 'failed', 'unknown');
    one.ends.get('printed')?.();
    one.ends.get('failed')?.(outOfPaper());
    standings['unknown'] = 'may-have-printed';
    one.ends.get('unknown')?.(cut());
    await one.turn();
    const reference = (index: number) => one.tickets[index]?.releaseId.slice(0, 8);
    const kept = [
      { documentUuid: 'printed', name: 'printed.pdf', stage: 'printed' },
      { stage: 'failed', code: 'printer-not-ready', reference: reference(1) },
      { stage: 'unknown', code: 'transfer-broken', reference: reference(2) },
    ];
    expect([one.state(), progressOf(one)]).toMatchObject(['listing', kept]);
    expect(progressOf(one)?.[0]).not.toHaveProperty('reference');
    answer();
    await one.turn();
    expect([one.state(), progressOf(one)]).toMatchObject(['choosing', kept]);
    const { documents: shown, mayHavePrinted } = one.terminal.view.current();
    expect(shown?.map(({ uuid, standing }) => [uuid, standing])).toEqual([
      ['failed', 'releasable'],
      ['unknown', 'may-have-printed'],
    ]);
    expect(mayHavePrinted).toMatchObject([{ documentUuid: 'unknown' }]);
  });

  it('begins anew for a document that is released once more', async () => {
    const one = await opened();
    await choose(one, 'one', 'two');
    one.ends.get('one')?.(outOfPaper());
    one.ends.get('two')?.(outOfPaper());
    await one.turn();
    await choose(one, 'one');
    expect(progressOf(one)).toMatchObject([
      { documentUuid: 'two', stage: 'failed', code: 'printer-not-ready' },
      { documentUuid: 'one', stage: 'waiting' },
    ]);
    expect(progressOf(one)?.[1]).not.toHaveProperty('code');
  });

  it('is gone with the session, and what is told later reaches nobody (I3)', async () => {
    const one = await opened({ autoRelease: true });
    one.stages[0]?.({ documentUuid: 'one', stage: 'downloading' });
    one.stages[0]?.({ documentUuid: 'one', stage: 'printing' });
    await one.tap(bob);
    expect(stagesOf(one)).toEqual(['waiting', 'waiting']);
    one.stages[0]?.({ documentUuid: 'one', stage: 'printing', page: 1 });
    await one.clock.advance(seconds(1));
    expect(stagesOf(one)).toEqual(['waiting', 'waiting']);
    one.terminal.tell({ type: 'log-out', generation: one.generation() });
    expect(progressOf(one)).toBeUndefined();
    expect(one.clock.waits().filter((wait) => wait < 1000)).toEqual([]);
  });

  it('is told at once, and of fast pages four times a second, the last of them always', async () => {
    const one = await opened({ autoRelease: true });
    await one.clock.advance(seconds(1));
    let frames = 0;
    one.terminal.view.onChange(() => (frames += 1));
    const seen: unknown[] = [];
    for (let page = 1; page <= 200; page += 1) {
      one.stages[0]?.({ documentUuid: 'one', stage: 'printing', page, pages: 200 });
      seen.push(progressOf(one)?.[0]?.page);
      await one.clock.advance(seconds(0.01));
    }
    await one.clock.advance(seconds(0.25));
    expect([seen[0], progressOf(one)?.[0]?.page]).toEqual([1, 200]);
    expect(frames).toBeLessThanOrEqual(10);
  });

  it('is not taken back by a stage that was waiting to be told when the end came', async () => {
    const one = await opened({ autoRelease: true });
    one.stages[0]?.({ documentUuid: 'one', stage: 'downloading' });
    one.stages[0]?.({ documentUuid: 'one', stage: 'printing' });
    one.ends.get('one')?.();
    await one.clock.advance(seconds(1));
    expect(stagesOf(one)).toEqual(['printed', 'waiting']);
  });
});

describe('a session that ends by its last release', () => {
  it('shows how the last one ended before it closes, and closes in the same moment', async () => {
    const one = await opened({ autoRelease: true });
    const seen: (readonly [string, readonly string[] | undefined])[] = [];
    one.terminal.view.onChange(() => seen.push([one.state(), stagesOf(one)]));
    one.ends.get('one')?.();
    one.ends.get('two')?.(outOfPaper());
    expect(seen.slice(-2)).toEqual([
      ['releasing', ['printed', 'failed']],
      ['prompting', undefined],
    ]);
  });

  it('says how many of how many may be missing, to everybody, and nobody’s name', async () => {
    const documents = ['a', 'b', 'c'].map((uuid) => documentNamed(uuid));
    const one = await opened({ autoRelease: true, documents });
    one.ends.get('a')?.();
    one.ends.get('b')?.(cut());
    one.ends.get('c')?.(outOfPaper());
    await one.turn();
    const { notice, progress } = one.terminal.view.current();
    expect([one.closed(), progress]).toEqual([['released'], undefined]);
    expect(notice).toMatchObject({ code: 'not-all-printed', params: { n: 2, of: 3 } });
    expect(one.sentence()).toMatch(/^2 of 3 documents may be missing\. Please look at the tray\. /);
    expect(one.sentence()).not.toMatch(/pdf|alice/);
  });

  it('of one document says why that did not come out', async () => {
    const one = await opened({ autoRelease: true, documents: [documentNamed('a')] });
    one.ends.get('a')?.(outOfPaper());
    await one.turn();
    expect(one.terminal.view.current().notice).toMatchObject({ code: 'printer-not-ready' });
  });

  it('with everything out says nothing of it', async () => {
    const one = await opened({ autoRelease: true });
    one.ends.get('one')?.();
    one.ends.get('two')?.();
    await one.turn();
    expect(one.terminal.view.current().notice).toBeUndefined();
  });
});

describe('where the first badge prints and only doubtful documents wait', () => {
  const last: LastRelease = { releaseId: 'r1', state: 'UNKNOWN', deletionOwed: false };
  const doubtful = (): Parameters<typeof terminalStage>[0] => ({
    autoRelease: true,
    canBeAsked: true,
    last,
    documents: [documentNamed('one')],
    standings: { one: 'may-have-printed' },
  });

  it('a person who can answer is asked, until the countdown ends', async () => {
    const one = await opened(doubtful());
    expect([one.state(), one.terminal.view.current().mayHavePrinted?.length]).toEqual(['choosing', 1]);
    await one.clock.advance(seconds(61));
    expect(one.closed()).toEqual(['timeout']);
  });

  it('one who cannot is kept no longer than it takes to read it (contract, section 3)', async () => {
    const one = await opened({ ...doubtful(), canBeAsked: false });
    expect(one.closed()).toEqual([]);
    await one.clock.advance(seconds(12));
    expect([one.closed(), one.tickets]).toEqual([['released'], []]);
  });

  it('and the same badge leaves', async () => {
    const one = await opened(doubtful());
    await one.tap(alice);
    expect([one.closed(), one.tickets]).toEqual([['badge'], []]);
  });

  it('the session closes by itself when the last of them was printed again', async () => {
    const documents = [documentNamed('one')];
    const one = await opened({ ...doubtful(), list: async () => documents });
    one.terminal.tell({ type: 'print-again', generation: one.generation(), documentUuid: 'one' });
    await one.turn();
    expect(stagesOf(one)).toEqual(['waiting']);
    documents.length = 0;
    one.ends.get('one')?.();
    await one.turn();
    expect([one.closed(), one.state()]).toEqual([['released'], 'prompting']);
  });

  it('what failed when it was printed again is not printed a third time by itself (I1)', async () => {
    const standings: Record<string, Standing> = { one: 'may-have-printed' };
    const one = await opened({ ...doubtful(), standings });
    one.terminal.tell({ type: 'print-again', generation: one.generation(), documentUuid: 'one' });
    await one.turn();
    standings['one'] = 'releasable';
    one.ends.get('one')?.(outOfPaper());
    await one.turn();
    expect([one.tickets.length, one.state(), stagesOf(one)]).toEqual([1, 'choosing', ['failed']]);
  });
});

it.each<[stage: DocumentEnd['stage'], code: ProblemCode, told: ProblemCode]>([
  ['failed', 'printer-aborted-job', 'printer-aborted-job'],
  ['unknown', 'printer-aborted-job', 'outcome-unknown'],
  ['unknown', 'printer-stalled', 'printer-stalled'],
])(
  'of a document that ended %s for %s the person is told %s: nothing asks for a second print (I1)',
  (stage, code, reported) => {
    const problem = new Problem(code, 'the printer said so');
    const end = { documentUuid: 'one', releaseId: '7f3a9c21', stage, problem };
    const [shown] = withEnd([{ documentUuid: 'one', name: 'One', stage: 'printing' }], end);
    expect([shown?.code, noticeOfEnd(end)?.code]).toEqual([reported, reported]);
  },
);
