/** What a desk does with many documents: in order, some ahead, and in turns with other terminals (B.4, 7). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { OpenAttempt } from '../../src/domain/ports/ledger.ts';
import type { JobReport, Ticket } from '../../src/domain/release.ts';
import { OnTheWay } from '../../src/release/on-the-way.ts';
import { createPrinterTurns } from '../../src/release/turns.ts';
import { blank, completed, fault, releaseBench, ticketFor } from './release-bench.ts';

const gotReady = ['ledger:plan', 'balance', 'download', 'ledger:fetched'];
const printed = [
  'prepare',
  'ledger:intend',
  'createJob',
  'ledger:jobCreated',
  'send',
  'ledger:sent',
  'follow',
];
const finished = ['ledger:end CONFIRMED deletion owed', 'delete', 'ledger:deleted'];
const tickets = (...uuids: string[]): Ticket[] => uuids.map((uuid, index) => ticketFor(uuid, index + 1));
/** Prints of jobs that end when the test says so. */
const prints = (count: number) => Array.from({ length: count }, () => Promise.withResolvers<JobReport>());

describe('a batch', () => {
  it('gets the next document ready while one prints, and no further one without room in memory', async () => {
    const [one, two, three] = prints(3);
    const follow = [one, two, three].flatMap((print) => print?.promise ?? []);
    const bench = releaseBench({ follow }, { hasRoom: () => false });
    await bench.release(...tickets('one', 'two', 'three'));
    // Of the first and of the second one, side by side.
    expect(bench.deeds.toSorted()).toEqual([...gotReady, ...printed, ...gotReady].toSorted());
    bench.deeds.length = 0;
    one?.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.deeds.toSorted()).toEqual([...finished, ...printed, ...gotReady].toSorted());
    two?.resolve(completed);
    three?.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.ended.map(({ documentUuid }) => documentUuid)).toEqual(['one', 'two', 'three']);
    expect(bench.disposals()).toBeGreaterThanOrEqual(3);
  });

  it('stopped by the printer gives up what was got ready without an intent, and says so (B.4, 7)', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise], cancel: undefined });
    await bench.release(...tickets('one', 'two', 'three'));
    print.reject(fault('printer-stalled'));
    await bench.clock.advance(seconds(0));
    expect(bench.deeds.filter((deed) => deed.startsWith('ledger:end'))).toEqual([
      'ledger:end UNKNOWN',
      ...Array(2).fill('ledger:end NOOUTPUT'),
    ]);
    expect(bench.deeds.filter((deed) => deed === 'ledger:intend')).toHaveLength(1);
    expect(bench.outcomes()).toEqual(['unknown', 'failed', 'failed']);
    expect(bench.ended.map(({ problem }) => problem?.code)).toEqual(Array(3).fill('printer-stalled'));
    expect(bench.log.records('release skipped')).toMatchObject([
      { documentUuid: 'two', code: 'printer-stalled' },
      { documentUuid: 'three', code: 'printer-stalled' },
    ]);
    expect(bench.disposals()).toBeGreaterThanOrEqual(2);
    expect(bench.desk.standing('two')).toBe('releasable');
  });

  it('of the next person goes on when the printer stopped that of the one before', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise], cancel: undefined });
    await bench.release(...tickets('one', 'two'));
    await bench.release({ ...ticketFor('three', 3), sessionId: 'session-2' });
    print.reject(fault('printer-stalled'));
    await bench.clock.advance(seconds(0));
    expect(bench.outcomes()).toEqual(['unknown', 'failed', 'completed']);
  });

  it('goes on past a document that cannot be printed while another one prints', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise], download: [undefined, fault('document-gone')] });
    await bench.release(...tickets('one', 'two', 'three'));
    expect(bench.deeds.filter((deed) => deed === 'ledger:plan')).toHaveLength(3);
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.ended.map(({ documentUuid, outcome }) => [documentUuid, outcome])).toEqual([
      ['two', 'failed'],
      ['one', 'completed'],
      ['three', 'completed'],
    ]);
  });

  describe('whose printer cannot unpack a document', () => {
    const reasons = ['aborted-by-system', 'compression-error'];
    const broken: JobReport = { ...blank, state: 'aborted', reasons };

    it('sends it again plain as a release of its own, and its person hears of that alone', async () => {
      const bench = releaseBench({ follow: [broken, completed, completed] });
      await bench.release(...tickets('one', 'two'));
      // The other one was ready before it.
      expect(bench.ended.map(({ documentUuid, outcome }) => [documentUuid, outcome])).toEqual([
        ['two', 'completed'],
        ['one', 'completed'],
      ]);
      expect(bench.ends.map(({ state }) => state)).toEqual(['NOOUTPUT', 'CONFIRMED', 'CONFIRMED']);
      expect(bench.deeds.filter((deed) => deed === 'ledger:plan')).toHaveLength(3);
      const [first] = bench.log.records('release ended');
      const [plain] = bench.log.records('release sent plain');
      expect(plain).toEqual(expect.objectContaining({ before: first?.['releaseId'] }));
      expect(bench.ended[1]?.releaseId).toBe(plain?.['releaseId']);
      expect(bench.desk.isIdle()).toBe(true);
    });

    it('sends it plain before a document that was chosen after it and does not stand in line yet', async () => {
      const bench = releaseBench({ follow: [broken, completed, completed, completed] });
      await bench.release(...tickets('one', 'two', 'three'));
      expect(bench.ended.map(({ documentUuid }) => documentUuid)).toEqual(['two', 'one', 'three']);
    });

    it('sends it once more and no third time', async () => {
      const bench = releaseBench({ follow: [broken, broken] });
      await bench.release(...tickets('one'));
      expect(bench.outcomes()).toEqual(['failed']);
      expect(bench.deeds.filter((deed) => deed === 'send')).toHaveLength(2);
    });

    it('leaves alone what may have come out (I1)', async () => {
      const bench = releaseBench({ follow: [{ state: 'aborted', reasons }] });
      await bench.release(...tickets('one'));
      expect(bench.outcomes()).toEqual(['unknown']);
      expect(bench.deeds.filter((deed) => deed === 'send')).toHaveLength(1);
    });
  });

  it('does not begin what another terminal has released since the list was made (I1)', async () => {
    const bench = releaseBench({ follow: 'never' });
    await bench.release(ticketFor('one', 1));
    await bench.release(ticketFor('one', 2));
    expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'document-taken' } }]);
    expect(bench.desk.standing('one')).toBe('in-progress');
    bench.last.set('two', { releaseId: 'r2', state: 'UNKNOWN', deletionOwed: false });
    await bench.release(ticketFor('two', 3));
    expect(bench.outcomes()).toEqual(['failed', 'failed']);
    await bench.release({ ...ticketFor('two', 5), again: 'r1' });
    expect(bench.outcomes()).toEqual(['failed', 'failed', 'failed']);
    await bench.release({ ...ticketFor('two', 4), again: 'r2' });
    expect(bench.desk.standing('two')).toBe('in-progress');
    expect(bench.deeds).toContain('ledger:plan again r2');
  });
});

it('a stop that comes while the plan is written is heard at the printer, before the intent (I1)', async () => {
  let stopped: Promise<void> | undefined;
  const bench = releaseBench(
    {},
    {
      whenWriting(step) {
        if (step === 'plan') stopped = bench.desk.stop(seconds(1));
      },
    },
  );
  await bench.release(...tickets('one'));
  expect(bench.outcomes()).toEqual(['failed']);
  expect(bench.deeds).toContain('download');
  expect(bench.deeds).not.toContain('ledger:intend');
  await stopped;
});

describe('the balance of a document that waits for its turn', () => {
  it.each([
    [49, 2],
    [51, 3],
  ])('%d s after it was checked: %d checks for two documents (B.4, 4)', async (wait, checks) => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise] });
    await bench.release(...tickets('one', 'two'));
    await bench.clock.advance(seconds(wait));
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.outcomes()).toEqual(['completed', 'completed']);
    expect(bench.deeds.filter((deed) => deed === 'balance')).toHaveLength(checks);
  });

  it('is asked again where prints are charged and another one was printed since', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise] }, { clearance: 'unknown-allowed' });
    await bench.release(...tickets('one', 'two'));
    expect(bench.deeds.filter((deed) => deed === 'balance')).toHaveLength(2);
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.deeds.filter((deed) => deed === 'balance')).toHaveLength(3);
    expect(bench.outcomes()).toEqual(['completed', 'completed']);
  });

  it.each([
    ['printed something since', true, 2],
    ['printed nothing', false, 1],
  ])(
    'where another printer of the terminal %s, and prints are charged',
    async (_what, hasPrinted, checks) => {
      const print = Promise.withResolvers<JobReport>();
      const turns = createPrinterTurns();
      const stairs = releaseBench({ follow: [print.promise] }, { turns, terminal: 'stairs' });
      await stairs.release(...tickets('one'));
      const onTheWay = new OnTheWay();
      const lobby = releaseBench({}, { turns, clearance: 'unknown-allowed', onTheWay });
      await lobby.release(...tickets('two'));
      if (hasPrinted) await releaseBench({}, { onTheWay }).release(...tickets('three'));
      print.resolve(completed);
      for (const { clock } of [stairs, lobby]) await clock.advance(seconds(0));
      expect(lobby.outcomes()).toEqual(['completed']);
      expect(lobby.deeds.filter((deed) => deed === 'balance')).toHaveLength(checks);
    },
  );

  it('that no longer suffices stops it before its intent (I9)', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({
      follow: [print.promise],
      balance: [undefined, undefined, fault('balance-insufficient')],
    });
    await bench.release(...tickets('one', 'two'));
    await bench.clock.advance(seconds(61));
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.outcomes()).toEqual(['completed', 'failed']);
    expect(bench.deeds.filter((deed) => deed === 'ledger:intend')).toHaveLength(1);
    expect(bench.disposals()).toBeGreaterThanOrEqual(2);
  });
});

describe('a stop', () => {
  it('gives up what was got ready, forgets its bytes, and waits for what prints (I4, I5)', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise] });
    await bench.release(...tickets('one', 'two', 'three'));
    const before = bench.disposals();
    const stopped = bench.desk.stop(seconds(3));
    await bench.clock.advance(seconds(1));
    expect([bench.outcomes(), bench.disposals() - before]).toEqual([['failed', 'failed'], 2]);
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    await stopped;
    expect(bench.outcomes()).toEqual(['failed', 'failed', 'completed']);
    expect(bench.deeds.filter((deed) => deed === 'ledger:intend')).toHaveLength(1);
  });
});

describe('a stop while a document is on its way', () => {
  it.each([
    ['waits until its last octet is out, and leaves its job to the next start (B.4, 11)', 12, 'ledger:sent'],
    ['waits no longer than 15 s', 20, 'send'],
  ])('%s', async (_, sentAfter, last) => {
    const sent = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ send: [sent.promise], follow: 'never' });
    await bench.release(ticketFor('one', 1));
    let isOver = false;
    const stopped = bench.desk.stop(seconds(3)).then(() => (isOver = true));
    await bench.clock.advance(seconds(Math.min(sentAfter, 14)));
    expect(isOver).toBe(false);
    if (sentAfter < 15) sent.resolve(completed);
    await bench.clock.advance(seconds(sentAfter < 15 ? 0 : 1));
    await stopped;
    expect(bench.deeds.findLast((deed) => deed !== 'follow')).toBe(last);
    expect(bench.outcomes()).toEqual([]);
  });
});

describe('two terminals at one printer', () => {
  it('print in turns, each getting its next document ready meanwhile, and the one who waits is told', async () => {
    const turns = createPrinterTurns();
    const [one, two] = prints(2);
    const lobby = releaseBench({ follow: [one, two].flatMap((print) => print?.promise ?? []) }, { turns });
    const stairs = releaseBench({ follow: 'never' }, { turns, terminal: 'stairs' });
    await lobby.release(...tickets('one', 'two', 'three'));
    await stairs.release(ticketFor('of-bob', 9));
    expect(stairs.deeds).toEqual(gotReady);
    expect(stairs.places).toEqual([1]);
    one?.resolve(completed);
    await lobby.clock.advance(seconds(0));
    await stairs.clock.advance(seconds(0));
    expect(stairs.deeds).toEqual([...gotReady, ...printed]);
    expect(stairs.places).toEqual([1, 0]);
    expect(lobby.deeds.filter((deed) => deed === 'prepare')).toHaveLength(1);
    expect(lobby.places.at(-1)).toBe(1);
  });

  it('leave the printer to the next one when a stop ends them in the middle', async () => {
    const turns = createPrinterTurns();
    const lobby = releaseBench({ follow: 'never' }, { turns });
    const stairs = releaseBench({}, { turns, terminal: 'stairs' });
    await lobby.release(ticketFor('one', 1));
    await stairs.release(ticketFor('of-bob', 9));
    const stopped = lobby.desk.stop(seconds(3));
    await lobby.clock.advance(seconds(4));
    await stopped;
    await stairs.clock.advance(seconds(0));
    expect(stairs.outcomes()).toEqual(['completed']);
  });
});

it('what any terminal has in hand is released at no other, until its outcome is settled (I1)', async () => {
  const print = Promise.withResolvers<JobReport>();
  const onTheWay = new OnTheWay();
  const lobby = releaseBench({ follow: [print.promise], delete: 'never' }, { onTheWay });
  const stairs = releaseBench({}, { onTheWay, terminal: 'stairs' });
  await lobby.release(...tickets('one', 'two'));
  expect(['one', 'two'].map((uuid) => stairs.desk.standing(uuid))).toEqual(['in-progress', 'in-progress']);
  await stairs.release(ticketFor('two', 9));
  expect(stairs.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'document-taken' } }]);
  print.resolve(completed);
  await lobby.clock.advance(seconds(0));
  expect([lobby.outcomes(), lobby.desk.isIdle()]).toEqual([['completed', 'completed'], false]);
  expect([stairs.desk.standing('one'), onTheWay.isAnyInHand()]).toEqual(['releasable', false]);
});

describe('two people at one terminal', () => {
  it('are printed in the order of their badges, and the second one is told how many come first', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise] });
    await bench.release(...tickets('one', 'two'));
    await bench.release({ ...ticketFor('three', 3), sessionId: 'session-2' });
    expect(bench.places).toEqual([0, 2]);
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.places).toEqual([0, 2, 0, 1, 0]);
    expect(bench.ended.map(({ documentUuid }) => documentUuid)).toEqual(['one', 'two', 'three']);
  });
});

describe('after a restart', () => {
  const attempt: OpenAttempt = {
    releaseId: 'f'.repeat(32),
    terminal: 'lobby',
    state: 'SENT',
    documentUuid: 'old',
    jobName: 'Old.pdf [ffffffff]',
    printerUri: 'ipp://printer/ipp/print',
    job: { jobId: 3, jobUri: 'ipp://printer/jobs/3', jobName: 'Old.pdf [ffffffff]' },
  };

  it('what was found open has the printer first, and a new document is got ready meanwhile', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise] });
    bench.desk.resume([attempt]);
    await bench.release(ticketFor('one', 1));
    expect(bench.deeds).toEqual(['follow', ...gotReady]);
    expect(bench.places).toEqual([1]);
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.outcomes()).toEqual(['completed']);
  });

  it('what waits for its turn when the agent ends again is left as it was found', async () => {
    const turns = createPrinterTurns();
    const lobby = releaseBench({ follow: 'never' }, { turns });
    const stairs = releaseBench({}, { turns, terminal: 'stairs' });
    await lobby.release(ticketFor('one', 1));
    stairs.desk.resume([attempt]);
    await stairs.clock.advance(seconds(0));
    await stairs.desk.stop(seconds(3));
    expect(stairs.deeds).toEqual([]);
  });
});

describe('what was sent', () => {
  it('is synced when the job takes its time, so that a restart after a power cut follows it', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise] });
    await bench.release(...tickets('one'));
    await bench.clock.advance(seconds(0.9));
    expect(bench.deeds.at(-1)).toBe('follow');
    await bench.clock.advance(seconds(20));
    expect(bench.deeds.slice(-2)).toEqual(['follow', 'ledger:sync']);
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.outcomes()).toEqual(['completed']);
  });

  it('prints on where it cannot be synced', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise] });
    bench.refusals.set('sync', [fault('store-failed')]);
    await bench.release(...tickets('one'));
    await bench.clock.advance(seconds(2));
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.outcomes()).toEqual(['completed']);
  });
});
