/** A release whose document the printer does not take as it is (INVARIANTS.md B.4, 6 Convert). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { conversion } from '../support/printer/conversion-samples.ts';
import { fault, releaseBench, ticketFor } from './release-bench.ts';

const upToTheConversion = [
  'ledger:plan',
  'balance',
  'download',
  'ledger:fetched',
  'prepare',
  'convert',
] as const;
const forced = { conversion: conversion({ order: 'reversed' }) };

describe('a document that must be converted', () => {
  it.each(['jobs', 'bytes'] as const)('is, before the intent, and then sent (%s)', async (printer) => {
    const bench = releaseBench({}, { ...forced, printer });
    await bench.release(ticketFor('one'));
    expect(bench.deeds.slice(0, 7)).toEqual([...upToTheConversion, 'ledger:intend']);
    expect(bench.deeds).toContain('send');
    expect(bench.outcomes()).toEqual(['completed']);
    expect(bench.disposals()).toBeGreaterThan(1);
  });

  it.each([
    'converter-missing',
    'converter-unconfined',
    'document-not-convertible',
    'document-not-as-recorded',
    'document-beyond-limits',
  ] as const)(
    'is refused alone (%s): no intent, no byte, and the next one is released (I1)',
    async (code) => {
      const bench = releaseBench({ convert: [fault(code), undefined] }, forced);
      await bench.release(ticketFor('one', 1), ticketFor('two', 2));
      const first = bench.deeds.slice(0, bench.deeds.indexOf('ledger:end NOOUTPUT'));
      expect(first).toContain('convert');
      expect(first.filter((deed) => ['ledger:intend', 'send', 'createJob'].includes(deed))).toEqual([]);
      expect(bench.outcomes()).toEqual(['failed', 'completed']);
      expect(bench.ended[0]?.problem?.code).toBe(code);
      expect(bench.deeds.filter((deed) => deed === 'convert')).toHaveLength(2);
    },
  );

  it('is given up when the agent stops: the converter is told to end', async () => {
    const bench = releaseBench({ convert: 'never' }, forced);
    await bench.release(ticketFor('one'));
    expect(bench.deeds.at(-1)).toBe('convert');
    await bench.desk.stop(seconds(3));
    expect(bench.deeds.at(-1)).toBe('ledger:end NOOUTPUT');
    expect(bench.ended[0]?.problem?.code).toBe('release-abandoned');
  });
});

describe('a document that the printer takes', () => {
  it('is not converted', async () => {
    const bench = releaseBench();
    await bench.release(ticketFor('one'));
    expect(bench.deeds).not.toContain('convert');
  });
});
