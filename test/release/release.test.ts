import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import type { JobReport } from '../../src/domain/release.ts';
import type { Answers, Step } from './release-bench.ts';
import { blank, completed, fault, lost, releaseBench, ticketFor } from './release-bench.ts';

const half: JobReport = { state: 'canceled', reasons: [], impressionsCompleted: 2, sheetsCompleted: 1 };

const wholeWay = [
  'ledger:plan',
  'balance',
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

describe('a release without faults', () => {
  it('walks the nine steps, each recorded before the next one acts', async () => {
    const bench = releaseBench();
    await bench.release(ticketFor('one'));
    expect(bench.deeds).toEqual(wholeWay);
    expect(bench.outcomes()).toEqual(['completed']);
    expect(bench.disposals()).toBeGreaterThan(0);
  });
});

describe('a fault before the intent', () => {
  it.each<[Step, ProblemCode]>([
    ['balance', 'balance-insufficient'],
    ['balance', 'balance-unknown'],
    ['download', 'document-gone'],
    ['download', 'spool-full'],
    ['prepare', 'printer-not-ready'],
    ['prepare', 'document-not-printable'],
    ['prepare', 'printer-busy'],
  ])('%s: %s fails the release and the printer never hears of it (I9)', async (step, code) => {
    const bench = releaseBench({ [step]: fault(code) });
    await bench.release(ticketFor('one'));
    expect(bench.outcomes()).toEqual(['failed']);
    expect(bench.deeds.at(-1)).toBe('ledger:end NOOUTPUT');
    expect(bench.deeds).not.toContain('createJob');
    expect(bench.ended[0]?.problem?.code).toBe(code);
  });

  it.each(['plan', 'fetched', 'intend'] as const)(
    'a ledger that refuses %s: nothing is printed (D8)',
    async (step) => {
      const bench = releaseBench();
      bench.refusals.set(step, [fault('store-refused')]);
      await bench.release(ticketFor('one'));
      expect(bench.outcomes()).toEqual(['failed']);
      expect(bench.deeds).not.toContain('createJob');
    },
  );

  it('more copies than one release may have are refused before anything else', async () => {
    const bench = releaseBench();
    const ticket = ticketFor('one');
    await bench.release({ ...ticket, document: { ...ticket.document, copies: 1000 } });
    expect([bench.outcomes(), bench.deeds]).toEqual([['failed'], []]);
  });
});

describe('a fault after the intent', () => {
  const cases: readonly {
    what: string;
    answers: Answers;
    end: string;
    then: string[];
  }[] = [
    {
      what: 'Create-Job refused: there is no job',
      answers: { createJob: fault('printer-refused-job') },
      end: 'NOOUTPUT',
      then: [],
    },
    {
      what: 'Create-Job never answered, and the sweep found and cancelled what it left',
      answers: { createJob: fault('printer-unreachable', lost) },
      end: 'NOOUTPUT',
      then: ['sweep'],
    },
    {
      what: 'Create-Job never answered, and the printer cannot be asked',
      answers: { createJob: fault('printer-unreachable', lost), sweep: fault('printer-unreachable') },
      end: 'UNKNOWN',
      then: ['sweep'],
    },
    {
      what: 'Send-Document could not even connect',
      answers: { send: fault('printer-unreachable', { delivery: 'not-sent' }), cancel: blank },
      end: 'NOOUTPUT',
      then: ['cancel'],
    },
    {
      what: 'Send-Document was refused before anything was taken',
      answers: { send: fault('printer-denied', { delivery: 'answered' }), cancel: blank },
      end: 'NOOUTPUT',
      then: ['cancel'],
    },
    {
      what: 'the transfer broke off, whatever the printer says',
      answers: { send: fault('transfer-broken', lost), cancel: blank },
      end: 'UNKNOWN',
      then: ['cancel'],
    },
    {
      what: 'the transfer broke off and sheets came out',
      answers: { send: fault('printer-stalled', lost), cancel: half },
      end: 'PARTIAL',
      then: ['cancel'],
    },
    {
      what: 'the transfer broke off and the printer calls the cut job completed',
      answers: { send: fault('transfer-broken', lost), cancel: completed },
      end: 'PARTIAL',
      then: ['cancel'],
    },
    {
      what: 'the printer aborted with zero counters',
      answers: { follow: { ...blank, state: 'aborted' } },
      end: 'NOOUTPUT',
      then: [],
    },
    {
      what: 'the printer aborted and does not count',
      answers: { follow: { state: 'aborted', reasons: [] } },
      end: 'UNKNOWN',
      then: [],
    },
    { what: 'the printer aborted after two pages', answers: { follow: half }, end: 'PARTIAL', then: [] },
    {
      what: 'the printer vanished after it took everything',
      answers: { follow: fault('printer-unreachable') },
      end: 'UNKNOWN',
      then: [],
    },
    {
      what: 'the job stood for too long, and was cancelled before the first sheet (contract, section 3)',
      answers: { follow: fault('printer-stalled'), cancel: blank },
      end: 'UNKNOWN',
      then: ['cancel'],
    },
    {
      what: 'the printer stalled and finished all the same',
      answers: { follow: fault('printer-stalled'), cancel: completed },
      end: 'CONFIRMED deletion owed',
      then: ['cancel'],
    },
    {
      what: 'the printer stalled and cannot say any more',
      answers: { follow: fault('printer-stalled'), cancel: undefined },
      end: 'UNKNOWN',
      then: ['cancel'],
    },
  ];

  it.each(cases)('$what → $end', async ({ answers, end, then }) => {
    const bench = releaseBench(answers);
    await bench.release(ticketFor('one'));
    const intent = bench.deeds.indexOf('ledger:intend');
    const after = bench.deeds.slice(intent + 1).filter((deed) => deed === 'sweep' || deed === 'cancel');
    expect(after).toEqual(then);
    expect(bench.deeds.filter((deed) => deed.startsWith('ledger:end'))).toEqual([`ledger:end ${end}`]);
    expect(bench.deeds.filter((deed) => deed === 'send').length).toBeLessThanOrEqual(1);
    expect(bench.deeds.filter((deed) => deed === 'createJob')).toHaveLength(1);
  });

  it('keeps no document while its job is cancelled: the printer may take long over that (I4)', async () => {
    const bench = releaseBench({ send: fault('printer-stalled', lost), cancel: 'never' });
    await bench.release(ticketFor('one'));
    expect(bench.deeds.at(-1)).toBe('cancel');
    expect(bench.disposals()).toBe(1);
  });

  it('cancels the empty job when its id cannot be recorded', async () => {
    const bench = releaseBench({ cancel: blank });
    bench.refusals.set('jobCreated', [fault('store-refused')]);
    await bench.release(ticketFor('one'));
    expect(bench.deeds.slice(-2)).toEqual(['cancel', 'ledger:end NOOUTPUT']);
    expect(bench.deeds).not.toContain('send');
  });

  it('keeps an outcome the full disk refused until it can be written (I2)', async () => {
    const bench = releaseBench();
    bench.refusals.set('end', [fault('store-refused'), fault('store-refused')]);
    await bench.release(ticketFor('one'));
    expect(bench.outcomes()).toEqual([]);
    await bench.clock.advance(seconds(11));
    expect(bench.outcomes()).toEqual(['completed']);
  });
});

describe('a batch', () => {
  it('prints one after the other', async () => {
    const bench = releaseBench();
    await bench.release(ticketFor('one', 1), ticketFor('two', 2));
    expect(bench.outcomes()).toEqual(['completed', 'completed']);
    expect(bench.deeds.filter((deed) => deed === 'send')).toHaveLength(2);
  });

  it('leaves the rest untouched when the printer fails', async () => {
    const bench = releaseBench({ prepare: [fault('printer-not-ready')] }, { hasRoom: () => false });
    await bench.release(ticketFor('one', 1), ticketFor('two', 2), ticketFor('three', 3));
    expect(bench.outcomes()).toEqual(['failed', 'failed', 'failed']);
    expect(bench.deeds.filter((deed) => deed === 'ledger:plan')).toHaveLength(2);
    expect(bench.deeds.filter((deed) => deed === 'ledger:intend')).toEqual([]);
    expect(bench.log.records('release skipped')).toHaveLength(2);
  });

  it('goes on when only the one document is at fault', async () => {
    const bench = releaseBench({ download: [fault('document-gone')] });
    await bench.release(ticketFor('one', 1), ticketFor('two', 2));
    expect(bench.outcomes()).toEqual(['failed', 'completed']);
  });

  it('holds each document in hand, so that nobody can release it a second time meanwhile (I1)', async () => {
    const bench = releaseBench({ follow: ['never'] });
    await bench.release(ticketFor('one', 1), ticketFor('two', 2));
    expect([bench.desk.standing('one'), bench.desk.standing('two')]).toEqual(['in-progress', 'in-progress']);
    expect(bench.desk.standing('three')).toBe('releasable');
  });
});

describe('a stop', () => {
  it.each<Step>(['balance', 'download', 'prepare'])(
    'during %s gives the release up: nothing came out',
    async (step) => {
      const bench = releaseBench({ [step]: 'never' });
      await bench.release(ticketFor('one', 1), ticketFor('two', 2));
      const stopped = bench.desk.stop(seconds(3));
      await bench.clock.advance(seconds(1));
      await stopped;
      expect(bench.outcomes()).toEqual(['failed', 'failed']);
      expect(bench.deeds).not.toContain('createJob');
    },
  );

  it.each<Step>(['send', 'follow'])('during %s leaves the release open for the restart', async (step) => {
    const bench = releaseBench({ [step]: 'never' });
    await bench.release(ticketFor('one'));
    const stopped = bench.desk.stop(seconds(3));
    await bench.clock.advance(seconds(15));
    await stopped;
    expect(bench.deeds.filter((deed) => deed.startsWith('ledger:end'))).toEqual([]);
  });
});
