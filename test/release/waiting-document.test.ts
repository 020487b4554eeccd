/** What may happen to a document between its download and its intent: all of it leaves the document in the cloud. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { JobReport } from '../../src/domain/release.ts';
import { conversion } from '../support/printer/conversion-samples.ts';
import { completed, fault, releaseBench, ticketFor } from './release-bench.ts';

const forced = { conversion: conversion({ order: 'reversed' }) };
const count = (deeds: readonly string[], wanted: string) => deeds.filter((deed) => deed === wanted).length;

describe('a document that stops coming in', () => {
  it('while it waits for its turn ends at once, and the one at the printer goes on', async () => {
    const print = Promise.withResolvers<JobReport>();
    const whole = Promise.withResolvers<void>();
    const bench = releaseBench({ follow: [print.promise] }, { whole: whole.promise });
    await bench.release(ticketFor('one', 1), ticketFor('two', 2));
    whole.reject(fault('document-cut'));
    await bench.clock.advance(seconds(0));
    expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'document-cut' } }]);
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.outcomes()).toEqual(['failed', 'completed']);
    expect(count(bench.deeds, 'prepare')).toBe(1);
  });

  it('while the printer is busy has no intent: nothing was sent, and nobody has to look (I1)', async () => {
    const whole = Promise.withResolvers<void>();
    const bench = releaseBench({ prepare: 'never' }, { whole: whole.promise });
    await bench.release(ticketFor('one'));
    whole.reject(fault('document-gone'));
    await bench.clock.advance(seconds(0));
    expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'document-gone' } }]);
    expect(bench.deeds).not.toContain('ledger:intend');
  });
});

describe('a document that is there at the very moment of a stop', () => {
  it.each(['download', 'convert'] as const)('is put away all the same (%s, I4)', async (step) => {
    const last = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ [step]: last.promise }, forced);
    await bench.release(ticketFor('one'));
    await bench.desk.stop(seconds(3));
    const before = bench.disposals();
    last.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(bench.outcomes()).toEqual(['failed']);
    expect(bench.disposals() - before).toBe(1);
  });
});

describe('the balance of a document that took long to be made ready', () => {
  it.each([
    ['the printer was busy', 'prepare', {}],
    ['it was converted', 'convert', forced],
  ] as const)('is asked once more before the intent: %s (I9; B.4, 4)', async (_, step, settings) => {
    const ready = Promise.withResolvers<JobReport>();
    const answers = { [step]: ready.promise, balance: [undefined, fault('balance-insufficient')] };
    const bench = releaseBench(answers, settings);
    await bench.release(ticketFor('one'));
    await bench.clock.advance(seconds(61));
    ready.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(count(bench.deeds, 'balance')).toBe(2);
    expect(bench.deeds).not.toContain('ledger:intend');
    expect(bench.outcomes()).toEqual(['failed']);
  });
});
