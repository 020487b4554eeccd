/**
 * The table "May it be resent automatically?" of INVARIANTS.md B.1, line by line, over the release machine: the end
 * state it comes to, and what that makes of the document at its owner's next login.
 */
import { describe, expect, it } from 'vitest';
import type { EndState, JobReport, Standing } from '../../src/domain/release.ts';
import { standingOf } from '../../src/domain/release.ts';
import type { Answers } from './release-bench.ts';
import { fault, lost, releaseBench, ticketFor } from './release-bench.ts';

const job = (state: JobReport['state'], counters: Partial<JobReport> = {}): JobReport => ({
  state,
  reasons: [],
  ...counters,
});
const zero = { impressionsCompleted: 0, sheetsCompleted: 0, isProvenCounter: true };
const two = { impressionsCompleted: 2, sheetsCompleted: 1 };
const unsent = { delivery: 'not-sent' } as const;

interface Line {
  readonly where: string;
  readonly evidence: string;
  readonly answers: Answers;
  readonly end: EndState;
}

/** At its owner's next login: an ordinary document, or one that asks before it is printed again. */
const verdicts: Record<EndState, Standing> = {
  NOOUTPUT: 'releasable',
  PARTIAL: 'may-have-printed',
  UNKNOWN: 'may-have-printed',
  CONFIRMED: 'may-have-printed',
  'HANDED-OVER': 'may-have-printed',
};

const beforeTheIntent: readonly Line[] = [
  {
    where: 'at the plan',
    evidence: 'none needed',
    answers: { balance: fault('balance-insufficient') },
    end: 'NOOUTPUT',
  },
  {
    where: 'at the download',
    evidence: 'none needed',
    answers: { download: fault('document-gone') },
    end: 'NOOUTPUT',
  },
  {
    where: 'at the printer’s door',
    evidence: 'none needed',
    answers: { prepare: fault('printer-not-ready') },
    end: 'NOOUTPUT',
  },
];

const protocols: Readonly<Record<'jobs' | 'bytes', readonly Line[]>> = {
  jobs: [
    ...beforeTheIntent,
    {
      where: 'Create-Job answered an error',
      evidence: 'no job',
      answers: { createJob: fault('printer-refused-job') },
      end: 'NOOUTPUT',
    },
    {
      where: 'the answer of Create-Job was lost',
      evidence: 'the sweep left no job of this name',
      answers: { createJob: fault('printer-unreachable', lost) },
      end: 'NOOUTPUT',
    },
    {
      where: 'the answer of Create-Job was lost',
      evidence: 'the printer cannot be asked',
      answers: { createJob: fault('printer-unreachable', lost), sweep: fault('printer-unreachable') },
      end: 'UNKNOWN',
    },
    {
      where: 'connecting for Send-Document',
      evidence: 'not a byte was sent',
      answers: { send: fault('printer-unreachable', unsent), cancel: job('canceled', zero) },
      end: 'NOOUTPUT',
    },
    {
      // Stricter than the table: the contract calls a transfer that broke off unknown, whatever the printer says.
      where: 'inside Send-Document',
      evidence: 'canceled with zero counters',
      answers: { send: fault('transfer-broken', lost), cancel: job('canceled', zero) },
      end: 'UNKNOWN',
    },
    {
      where: 'inside Send-Document',
      evidence: 'a slip of our own says nothing of the printer',
      answers: { send: new Error('a slip'), cancel: job('canceled', zero) },
      end: 'UNKNOWN',
    },
    {
      where: 'inside Send-Document',
      evidence: 'a counter above zero',
      answers: { send: fault('transfer-broken', lost), cancel: job('canceled', two) },
      end: 'PARTIAL',
    },
    {
      where: 'inside Send-Document',
      evidence: 'no counters',
      answers: { send: fault('transfer-broken', lost), cancel: job('canceled') },
      end: 'UNKNOWN',
    },
    {
      where: 'all sent',
      evidence: 'completed',
      answers: { follow: job('completed', two) },
      end: 'CONFIRMED',
    },
    {
      where: 'all sent',
      evidence: 'aborted with zero counters',
      answers: { follow: job('aborted', zero) },
      end: 'NOOUTPUT',
    },
    {
      where: 'all sent',
      evidence: 'the job is not found, or the printer not reached',
      answers: { follow: fault('outcome-unknown') },
      end: 'UNKNOWN',
    },
  ],
  bytes: [
    ...beforeTheIntent,
    {
      where: 'connecting',
      evidence: 'the kernel took nothing',
      answers: { send: fault('printer-unreachable', unsent) },
      end: 'NOOUTPUT',
    },
    {
      where: 'after a byte',
      evidence: 'what the kernel took proves nothing',
      answers: { send: fault('transfer-broken', lost) },
      end: 'UNKNOWN',
    },
    { where: 'all sent', evidence: 'the peer closed cleanly', answers: {}, end: 'HANDED-OVER' },
  ],
};

describe.each(Object.entries(protocols))('I1, B.1: a printer that takes %s', (kind, lines) => {
  it.each(lines)('$where, $evidence → $end', async ({ answers, end }) => {
    const bench = releaseBench(answers, kind === 'bytes' ? { printer: 'bytes' } : {});
    await bench.release(ticketFor('one'));
    expect(bench.ends.map(({ state }) => state)).toEqual([end]);
    for (const deed of ['createJob', 'send']) {
      expect(bench.deeds.filter((done) => done === deed).length).toBeLessThanOrEqual(1);
    }
    const last = { releaseId: 'r', state: end, deletionOwed: false };
    expect(standingOf(last, 'delete')).toBe(verdicts[end]);
  });
});
