/** The service delivers: a way to print like any other (I1, I2; src/cloud/README.md 12, rows 17 to 19). */
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import type { DocumentStatus } from '../../src/domain/document.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import type { Answers } from './release-bench.ts';
import { fault, lost, releaseBench, ticketFor } from './release-bench.ts';

const asked = ['ledger:plan', 'balance', 'ledger:intendByService SN-0001', 'deliver'];
const printedHere = [
  'download',
  'ledger:fetched',
  'prepare',
  'ledger:intend',
  'createJob',
  'ledger:jobCreated',
  'send',
  'ledger:sent',
  'follow',
  'ledger:end CONFIRMED deletion owed',
  'delete',
  'ledger:deleted',
];
const notReady = fault('printer-not-ready', { reasons: ['output-not-ready'] });
const requests = ({ deeds }: { deeds: readonly string[] }) =>
  deeds.filter((deed) => deed === 'deliver').length;

async function releaseBy(delivery: 'cloud' | 'cloud-then-local', answers: Answers = {}) {
  const bench = releaseBench(answers, { delivery });
  await bench.release(ticketFor('one'));
  return bench;
}

it.each(['cloud', 'cloud-then-local'] as const)(
  'some pages alone are not printed where the service delivers (%s): all of them would come out (I1)',
  async (delivery) => {
    const bench = releaseBench({}, { delivery });
    await bench.release({ ...ticketFor('one'), picked: { from: 7, to: 12, of: 12 } });
    expect(bench.deeds).toEqual([]);
    expect(bench.outcomes()).toEqual(['failed']);
  },
);

describe('delivery: cloud', () => {
  it('records its intent, asks the service once, and has its word for it; the service keeps the history (I1, I2)', async () => {
    const bench = await releaseBy('cloud');
    expect(bench.deeds).toEqual([...asked, 'status', 'ledger:end CONFIRMED no row']);
    expect(bench.outcomes()).toEqual(['completed']);
    expect(bench.ends).toMatchObject([{ confirmation: 'spooler', deletionOwed: false }]);
    expect(bench.deliveries).toEqual([{ port: 'SN-0001', retain: false }]);
  });

  it.each([
    ['keep', true],
    ['delete', false],
    ['consume', false],
  ] as const)('with finish: %s asks with retain %s, and has nothing to finish', async (finish, retain) => {
    const bench = releaseBench({}, { delivery: 'cloud', finish });
    await bench.release(ticketFor('one'));
    expect(bench.deliveries).toEqual([{ port: 'SN-0001', retain }]);
    expect(bench.deeds.at(-1)).toBe('ledger:end CONFIRMED no row');
  });

  it.each<[DocumentStatus | 'gone', string]>([
    ['printed', 'CONFIRMED'],
    ['gone', 'HANDED-OVER'],
    ['deleted', 'HANDED-OVER'],
    ['stored', 'HANDED-OVER'],
    ['failed', 'UNKNOWN'],
    ['conversion-failed', 'UNKNOWN'],
    ['expired', 'UNKNOWN'],
  ])('watches the list until the document leaves; %s is %s', async (status, end) => {
    const bench = await releaseBy('cloud', { status: ['ready', 'converting', 'ready', status] });
    await bench.clock.advance(seconds(7));
    expect(bench.deeds.at(-1)).toBe(`ledger:end ${end} no row`);
  });

  it('looks after 1, 2, 4 and then every 5 s, and knows nothing after two minutes', async () => {
    const bench = await releaseBy('cloud', { status: Array.from({ length: 40 }, () => 'ready' as const) });
    const looks: number[] = [];
    for (let second = 1; second < 20; second += 1) {
      const before = bench.deeds.length;
      await bench.clock.advance(seconds(1));
      if (bench.deeds.length > before) looks.push(second);
    }
    expect(looks).toEqual([1, 3, 7, 12, 17]);
    await bench.clock.advance(minutes(2));
    expect(bench.deeds.at(-1)).toBe('ledger:end UNKNOWN no row');
    expect(bench.ended).toMatchObject([{ outcome: 'unknown', problem: { code: 'outcome-unknown' } }]);
    expect(requests(bench)).toBe(1);
  });

  it('looks again when the list cannot be had, and gives up when it never will', async () => {
    const passing = await releaseBy('cloud', {
      status: [fault('cloud-busy'), fault('cloud-unreachable', lost)],
    });
    await passing.clock.advance(seconds(3));
    expect(passing.deeds.at(-1)).toBe('ledger:end CONFIRMED no row');

    const lasting = await releaseBy('cloud', { status: fault('user-token-refused') });
    expect(lasting.deeds.at(-1)).toBe('ledger:end UNKNOWN no row');
  });

  it.each<[string, Error]>([
    ['was lost', fault('cloud-unreachable', lost)],
    ['makes no sense', fault('cloud-protocol', { ...lost, status: 200 })],
    ['is a 5xx', fault('cloud-busy', { ...lost, status: 502 })],
    ['failed for a reason that has no name', new Error('a defect of ours')],
  ])('an answer that %s is never asked for again: nobody knows (I1)', async (_what, problem) => {
    const bench = await releaseBy('cloud', { deliver: problem });
    await bench.clock.advance(minutes(5));
    expect(bench.deeds).toEqual([...asked, 'ledger:end UNKNOWN no row']);
    expect(bench.ended).toMatchObject([{ outcome: 'unknown', problem: { code: 'outcome-unknown' } }]);
  });

  it.each<ProblemCode>(['cloud-rejected', 'cloud-denied', 'cloud-not-found', 'user-token-refused'])(
    'a definite %s fails it: nothing came out',
    async (code) => {
      const bench = await releaseBy('cloud', { deliver: fault(code) });
      expect(bench.deeds).toEqual([...asked, 'ledger:end NOOUTPUT no row']);
      expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code } }]);
    },
  );

  it('waits 5 s for an output that is not ready, three times', async () => {
    const bench = await releaseBy('cloud', { deliver: [notReady, notReady, notReady] });
    await bench.clock.advance(seconds(14));
    expect([requests(bench), bench.outcomes()]).toEqual([3, []]);
    await bench.clock.advance(seconds(1));
    expect([requests(bench), bench.outcomes()]).toEqual([4, ['completed']]);
  });

  it('fails, and leaves the rest of its batch, when the output stays not ready', async () => {
    const bench = releaseBench({ deliver: notReady }, { delivery: 'cloud' });
    await bench.release(ticketFor('one', 1), ticketFor('two', 2));
    await bench.clock.advance(seconds(15));
    expect([requests(bench), bench.outcomes()]).toEqual([4, ['failed', 'failed']]);
    expect(bench.ended[0]?.problem).toMatchObject({
      code: 'printer-not-ready',
      reasons: ['output-not-ready'],
    });
    expect(bench.log.records('release skipped')).toHaveLength(1);
  });

  it('asks for nothing that the user cannot pay for (I9)', async () => {
    const bench = await releaseBy('cloud', { balance: fault('balance-insufficient') });
    expect(bench.deeds).toEqual(['ledger:plan', 'balance', 'ledger:end NOOUTPUT']);
  });

  it('asks for nothing whose intent the ledger cannot write (D8)', async () => {
    const bench = releaseBench({}, { delivery: 'cloud' });
    bench.refusals.set('intendByService', [fault('store-refused')]);
    await bench.release(ticketFor('one'));
    expect([requests(bench), bench.outcomes()]).toEqual([0, ['failed']]);
  });

  it('counts a document that merely left as unknown where a confirmation is required', async () => {
    const bench = releaseBench({ status: 'gone' }, { delivery: 'cloud', requireConfirmation: true });
    await bench.release(ticketFor('one'));
    expect(bench.deeds.at(-1)).toBe('ledger:end UNKNOWN no row');
  });
});

describe('delivery: cloud-then-local', () => {
  it('leaves to the service what it takes', async () => {
    const bench = await releaseBy('cloud-then-local');
    expect(bench.deeds).toEqual([...asked, 'status', 'ledger:end CONFIRMED no row']);
  });

  it.each([
    ['by a 4xx', fault('cloud-rejected', { status: 400 })],
    ['because it could not even be reached', fault('cloud-unreachable', { delivery: 'not-sent' })],
  ])('prints here, under the same release, what was refused %s', async (_what, problem) => {
    const bench = await releaseBy('cloud-then-local', { deliver: problem });
    expect(bench.deeds).toEqual([...asked, 'ledger:refusedByService', ...printedHere]);
    expect(bench.ended).toMatchObject([{ outcome: 'completed', problem: undefined }]);
    expect(bench.log.records('delivery refused')).toMatchObject([{ level: 'warn', code: problem.code }]);
  });

  it('prints here when the service’s output is not ready after all its repetitions', async () => {
    const bench = await releaseBy('cloud-then-local', { deliver: notReady });
    await bench.clock.advance(seconds(15));
    expect([requests(bench), bench.outcomes()]).toEqual([4, ['completed']]);
    expect(bench.deeds.slice(-printedHere.length)).toEqual(printedHere);
  });

  it('never prints here what the service may have printed (I1)', async () => {
    for (const answers of [
      { deliver: fault('cloud-unreachable', lost) },
      { status: 'failed' },
      { status: fault('cloud-denied') },
    ] satisfies Answers[]) {
      const bench = await releaseBy('cloud-then-local', answers);
      await bench.clock.advance(minutes(5));
      expect(bench.outcomes()).toEqual(['unknown']);
      expect(bench.deeds).not.toContain('download');
    }
  });

  it('prints nothing when the refusal cannot be written down (I1)', async () => {
    const bench = releaseBench({ deliver: fault('cloud-rejected') }, { delivery: 'cloud-then-local' });
    bench.refusals.set('refusedByService', [fault('store-refused')]);
    await bench.release(ticketFor('one'));
    expect([bench.outcomes(), bench.deeds.at(-1)]).toEqual([['failed'], 'ledger:end NOOUTPUT no row']);
  });
});

describe('a stop', () => {
  it('while the output is not ready gives the release up: nothing came out', async () => {
    const bench = await releaseBy('cloud', { deliver: notReady });
    await bench.desk.stop(seconds(3));
    expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'release-abandoned' } }]);
  });

  it.each([{ deliver: 'never' }, { status: 'never' }] satisfies Answers[])(
    'after the service was asked (%o) leaves the release open for the restart',
    async (answers) => {
      const bench = await releaseBy('cloud', answers);
      const stopped = bench.desk.stop(seconds(3));
      await bench.clock.advance(seconds(4));
      await stopped;
      expect(bench.ends).toEqual([]);
    },
  );
});
