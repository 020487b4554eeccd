/** A release whose document still comes in while it prints: what is recorded when (INVARIANTS.md B.1). */
import { describe, expect, it } from 'vitest';
import { fault, lost, releaseBench, ticketFor } from './release-bench.ts';

const recorded = ({ deeds }: { deeds: readonly string[] }) =>
  deeds.filter((deed) => deed === 'send' || deed.startsWith('ledger:'));

async function release(...settings: Parameters<typeof releaseBench>) {
  const bench = releaseBench(...settings);
  await bench.release(ticketFor('one'));
  return bench;
}

describe('a document that flows to the printer', () => {
  it('has its intent before it is whole, and its digest with the last byte', async () => {
    const bench = await release({}, { wholeIn: 'send' });
    expect(recorded(bench)).toEqual([
      'ledger:plan',
      'ledger:intend',
      'ledger:jobCreated',
      'send',
      'ledger:sent d 3',
      'ledger:end CONFIRMED deletion owed',
      'ledger:deleted',
    ]);
    expect(bench.outcomes()).toEqual(['completed']);
  });

  it('that is whole before the intent is recorded as fetched, once', async () => {
    const bench = await release({}, { wholeIn: 'prepare' });
    expect(recorded(bench).slice(0, 5)).toEqual([
      'ledger:plan',
      'ledger:fetched',
      'ledger:intend',
      'ledger:jobCreated',
      'send',
    ]);
    expect(recorded(bench)).toContain('ledger:sent');
  });

  it.each([
    ['a printer that takes mere bytes', { printer: 'bytes' as const }],
    ['a terminal where that is switched off', { cutThrough: 'off' as const }],
  ])('does not, at %s', async (_, setting) => {
    const bench = await release({}, { wholeIn: 'send', ...setting });
    expect(recorded(bench).slice(0, 3)).toEqual(['ledger:plan', 'ledger:fetched', 'ledger:intend']);
  });

  it('whose download cannot go on is cancelled and unknown, and its document let go (contract, 3)', async () => {
    const bench = await release({ send: fault('transfer-broken', lost) }, { wholeIn: 'send' });
    expect(bench.deeds).toContain('cancel');
    expect(recorded(bench).slice(-2)).toEqual(['send', 'ledger:end UNKNOWN']);
    expect(bench.ended).toMatchObject([{ outcome: 'unknown', problem: { code: 'transfer-broken' } }]);
    expect(bench.disposals()).toBeGreaterThan(0);
    expect(bench.deeds).not.toContain('delete');
  });

  it('of which not one byte went out is not printed, and the empty job is cancelled', async () => {
    const notSent = fault('document-cut', { delivery: 'not-sent' });
    const bench = await release({ send: notSent }, { wholeIn: 'send' });
    expect(bench.deeds).toContain('cancel');
    expect(bench.outcomes()).toEqual(['failed']);
  });
});
