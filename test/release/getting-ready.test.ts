/**
 * What comes before the border of D1, the durable intent: every fault at every step, and a stop at every step. Each leaves
 * the document where it is, and nothing of it here; nothing has been asked of the printer or of a service that prints.
 */
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import type { CallOptions } from '../../src/domain/ports/call.ts';
import { isProblem, Problem } from '../../src/domain/problem/problem.ts';
import { createEmbeddedClaims } from '../../src/release/claiming.ts';
import { createPrinterTurns } from '../../src/release/turns.ts';
import { conversion } from '../support/printer/conversion-samples.ts';
import type { Answers } from './release-bench.ts';
import { fault, lost, releaseBench, ticketFor } from './release-bench.ts';

type Settings = NonNullable<Parameters<typeof releaseBench>[1]>;

const faults: readonly Error[] = [
  fault('cloud-busy'),
  fault('document-cut'),
  fault('document-not-waiting'),
  fault('printer-not-ready', { delivery: 'not-sent' }),
  fault('printer-refused-job'),
  fault('printer-stalled', lost),
  fault('outcome-unknown', lost),
  new Error('a slip of our own'),
];

const calls = ['balance', 'download', 'turn', 'prepare', 'convert', 'look', 'claim'] as const;
type Call = (typeof calls)[number];

interface Way {
  readonly name: string;
  readonly settings: Settings;
  readonly takes: readonly Call[];
  /** The service is asked first, and would not. */
  readonly isSecondTry?: true;
}

const wouldNot: Answers = { deliver: fault('cloud-rejected') };

/** The ways to the border, with the calls that are made on each. */
const ways: readonly Way[] = [
  { name: 'to a printer of jobs', settings: {}, takes: calls },
  { name: 'to a printer of bytes', settings: { printer: 'bytes' }, takes: calls },
  { name: 'to the service', settings: { delivery: 'cloud' }, takes: ['balance', 'turn', 'look', 'claim'] },
  {
    name: 'to the printer, after the service would not,',
    settings: { delivery: 'cloud-then-local' },
    takes: ['download', 'prepare', 'convert', 'look', 'claim'],
    isSecondTry: true,
  },
];

const played = ways.flatMap((way) => way.takes.map((call) => ({ way, call, name: way.name })));

/** A fault; or no answer, which ends with its signal or not even then. */
type Met = Error | 'never' | Promise<void>;

/** A release that meets this at that call; what is asked of it before, where the service is asked first, is answered. */
function benchThat(met: Met, call: Call, { settings, isSecondTry }: Way) {
  const turns = createPrinterTurns();
  const claims = createEmbeddedClaims({ ledger: { lastRelease: () => undefined } });
  let answered = isSecondTry ? 1 : 0;
  async function meet(here: Call, { signal }: CallOptions): Promise<void> {
    if (here !== call || (answered -= 1) >= 0) return;
    if (met instanceof Error) throw met;
    if (met !== 'never') return await met;
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  }
  const answers = { ...(isSecondTry && wouldNot), [call]: met } as Answers;
  return releaseBench(answers, {
    conversion: conversion({ order: 'reversed' }),
    ...settings,
    turns: {
      ask(wish) {
        const turn = turns.ask(wish);
        return {
          come: async (options) => (await meet('turn', options), turn.come(options)),
          [Symbol.dispose]: () => turn[Symbol.dispose](),
        };
      },
    },
    look: async (_, options) => meet('look', options),
    claims: {
      ...claims,
      take: async (wish, options) => (await meet('claim', options), claims.take(wish, options)),
    },
  });
}

/** What was asked for, or was about to be, that may come out; since the service would not, where it was asked first. */
const beyondTheBorder = ({ deeds }: { readonly deeds: readonly string[] }) =>
  deeds
    .slice(deeds.indexOf('ledger:refusedByService') + 1)
    .filter((deed) => /^(ledger:intend|createJob|send|print|deliver)/.test(deed));

const onlyTheLookIsMissing = (call: Call, error: Error): boolean =>
  call === 'look' && !isProblem(error, 'document-not-waiting');

const fatal = played.flatMap((one) =>
  faults.filter((error) => !onlyTheLookIsMissing(one.call, error)).map((error) => ({ ...one, error })),
);

describe('before the intent', () => {
  it.each(fatal)('$name $call meets $error: nothing came out, and nothing of it stays', async (one) => {
    const bench = benchThat(one.error, one.call, one.way);
    await bench.release(ticketFor('one'));
    await bench.clock.advance(minutes(2));
    expect(beyondTheBorder(bench)).toEqual([]);
    const code = one.error instanceof Problem ? one.error.code : 'outcome-unknown';
    expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code } }]);
    expect(bench.deeds.filter((deed) => deed.startsWith('ledger:end'))).toEqual(['ledger:end NOOUTPUT']);
    expect(bench.desk.isIdle()).toBe(true);
    expect(bench.clock.waits()).toEqual([]);
    expect(bench.disposals() > 0).toBe(bench.deeds.includes('ledger:fetched'));
  });

  it.each(played.filter(({ call }) => call === 'look'))(
    '$name nobody can look: it goes on all the same',
    async (one) => {
      for (const error of faults.filter((met) => onlyTheLookIsMissing('look', met))) {
        const bench = benchThat(error, 'look', one.way);
        await bench.release(ticketFor('one'));
        await bench.clock.advance(seconds(1));
        expect(bench.outcomes()).toEqual(['completed']);
      }
    },
  );

  it.each(played)(
    '$name $call takes its time: a stop ends it, though nothing answers',
    async ({ call, way }) => {
      for (const met of ['never', new Promise<never>(() => {})] as const) {
        const bench = benchThat(met, call, way);
        await bench.release(ticketFor('one'));
        await bench.clock.advance(seconds(1));
        expect(bench.ends).toEqual([]);
        await bench.desk.stop(seconds(3));
        expect(beyondTheBorder(bench)).toEqual([]);
        expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'release-abandoned' } }]);
        expect(bench.deeds.filter((deed) => deed.startsWith('ledger:end'))).toEqual(['ledger:end NOOUTPUT']);
        expect(bench.disposals() > 0).toBe(bench.deeds.includes('ledger:fetched'));
      }
    },
  );

  it.each(played)('$name $call answers after the stop: nothing more is done', async ({ call, way }) => {
    const answer = Promise.withResolvers<void>();
    const bench = benchThat(answer.promise, call, way);
    await bench.release(ticketFor('one'));
    await bench.desk.stop(seconds(3));
    const deeds = [...bench.deeds];
    answer.resolve();
    await bench.clock.advance(seconds(1));
    expect(bench.deeds).toEqual(deeds);
    expect(bench.ended).toMatchObject([{ problem: { code: 'release-abandoned' } }]);
  });

  it.each(ways)('$name a ledger that does not write keeps it there', async ({ settings, isSecondTry }) => {
    for (const step of ['plan', 'refusedByService', 'fetched'] as const) {
      const bench = releaseBench(isSecondTry && wouldNot, settings);
      bench.refusals.set(step, [fault('store-refused')]);
      await bench.release(ticketFor('one'));
      if ((bench.refusals.get(step) ?? []).length > 0) continue;
      expect(bench.deeds.filter((deed) => /^(ledger:intend$|createJob|send|print)/.test(deed))).toEqual([]);
      expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'store-refused' } }]);
      expect(bench.desk.isIdle()).toBe(true);
    }
  });
});
