/**
 * The border of D1 and what is beyond it: every fault at every call from the intent on. Nothing goes out before the intent,
 * nothing goes out twice, nothing is sent after a fault, each comes to its end, and no stop gives it up any more (I1).
 */
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import { isUnsettled, Problem } from '../../src/domain/problem/problem.ts';
import { createEmbeddedClaims } from '../../src/release/claiming.ts';
import { blank, fault, lost, releaseBench, ticketFor } from './release-bench.ts';

type Settings = NonNullable<Parameters<typeof releaseBench>[1]>;

const faults: readonly Error[] = [
  fault('cloud-busy'),
  fault('document-cut'),
  fault('claim-lost', { delivery: 'not-sent' }),
  fault('printer-not-ready', { delivery: 'not-sent' }),
  fault('printer-refused-job', { delivery: 'answered' }),
  fault('printer-stalled', lost),
  fault('outcome-unknown', lost),
  fault('store-refused'),
  new Error('a slip of our own'),
];

type Call =
  | 'intend'
  | 'createJob'
  | 'announce'
  | 'recordJob'
  | 'send'
  | 'print'
  | 'recordSent'
  | 'follow'
  | 'deliver'
  | 'status';
/** What asks the outside, and may take its time. */
const waits: readonly Call[] = ['createJob', 'announce', 'send', 'print', 'follow', 'deliver', 'status'];

interface Way {
  readonly name: string;
  readonly settings: Settings;
  readonly takes: readonly Call[];
}

const ways: readonly Way[] = [
  {
    name: 'to a printer of jobs',
    settings: {},
    takes: ['intend', 'createJob', 'announce', 'recordJob', 'send', 'recordSent', 'follow'],
  },
  {
    name: 'to a printer that makes its job of the document itself',
    settings: { inOneStep: true },
    takes: ['intend', 'announce', 'print', 'recordJob', 'recordSent', 'follow'],
  },
  {
    name: 'to a printer of bytes',
    settings: { printer: 'bytes' },
    takes: ['intend', 'announce', 'send', 'recordSent'],
  },
  {
    name: 'to the service',
    settings: { delivery: 'cloud' },
    takes: ['intend', 'announce', 'deliver', 'status'],
  },
];

const played = ways.flatMap((way) => way.takes.map((call) => ({ way, call, name: way.name })));
const met = played.flatMap((one) => faults.map((error) => ({ ...one, error })));

const beforeTheFirstByte: readonly Call[] = ['intend', 'createJob', 'announce'];

const written = { recordJob: 'jobCreated', recordSent: 'sent' } as const;

/** A release that meets this at that call. */
function benchThat(answer: Error | Promise<void>, call: Call, settings: Settings) {
  const claims = createEmbeddedClaims({ ledger: { lastRelease: () => undefined } });
  const bench = releaseBench(
    { [call]: answer, cancel: blank },
    {
      ...settings,
      claims: {
        ...claims,
        async sending(...options) {
          if (call === 'announce' && answer instanceof Error) throw answer;
          if (call === 'announce') await answer;
          await claims.sending(...options);
        },
      },
    },
  );
  const intent = settings.delivery === 'cloud' ? 'intendByService' : 'intend';
  const step =
    call === 'intend' ? intent : call === 'recordJob' || call === 'recordSent' ? written[call] : undefined;
  if (step && answer instanceof Error) bench.refusals.set(step, [answer as Problem]);
  return bench;
}

const isSend = (deed: string): boolean => /^(send|print|deliver)/.test(deed);
const wordOf = (error: Error): string => (error instanceof Problem ? error.code : 'outcome-unknown');

describe('from the intent on', () => {
  it.each(met)('$name $call meets $error: it comes to an end, and nothing goes out twice', async (one) => {
    const bench = await playedThrough(benchThat(one.error, one.call, one.way.settings));
    const { deeds, ends, ended, desk, clock } = bench;
    expect(ends).toHaveLength(1);
    expect(ended).toHaveLength(1);
    expect(desk.isIdle()).toBe(true);
    expect(clock.waits()).toEqual([]);
    expect(deeds.filter((deed) => deed.endsWith('before the ledger is durable'))).toEqual([]);
    const sends = deeds.filter(isSend);
    // The service is asked again only where it is known not to have taken it on.
    const isAskedAgain = one.call === 'deliver' && wordOf(one.error) === 'printer-not-ready';
    expect(sends.length).toBeLessThanOrEqual(isAskedAgain ? 4 : 1);
    const untilTheIntent = deeds.slice(
      0,
      deeds.findIndex((deed) => deed.startsWith('ledger:intend')),
    );
    expect(untilTheIntent.filter(isSend)).toEqual([]);
  });

  it.each(met.filter(({ call }) => beforeTheFirstByte.includes(call)))(
    '$name $call meets $error before the first byte: nothing came out',
    async (one) => {
      const { deeds, ended } = await playedThrough(benchThat(one.error, one.call, one.way.settings));
      expect(deeds.filter(isSend)).toEqual([]);
      expect(ended).toMatchObject([{ outcome: 'failed', problem: { code: wordOf(one.error) } }]);
    },
  );

  it.each(faults)('a job that Create-Job may have made is swept after %s, where it may', async (error) => {
    const { deeds } = await playedThrough(releaseBench({ createJob: error }));
    expect(deeds.includes('sweep')).toBe(isUnsettled(error));
    expect(deeds).not.toContain('cancel');
  });

  it.each(['announce', 'recordJob', 'send'] as const)('the job is cancelled when %s fails', async (call) => {
    for (const error of faults) {
      const bench = await playedThrough(benchThat(error, call, {}));
      expect(bench.deeds.filter((deed) => /^(cancel|sweep|find)/.test(deed))).toEqual(['cancel']);
    }
  });

  it.each(faults)(
    'a job that a Print-Job may have made is looked for after %s, where it may',
    async (error) => {
      const { deeds } = await playedThrough(releaseBench({ print: error }, { inOneStep: true }));
      expect(deeds.includes('find')).toBe(isUnsettled(error));
    },
  );

  it.each(faults)(
    'a job that can be followed no more is cancelled where it stood alone: %s',
    async (error) => {
      const { deeds, ends } = await playedThrough(releaseBench({ follow: error, cancel: blank }));
      expect(deeds.includes('cancel')).toBe(wordOf(error) === 'printer-stalled');
      expect(ends.map(({ state }) => state)).toEqual(['UNKNOWN']);
    },
  );

  it.each(played.filter(({ call }) => waits.includes(call)))(
    '$name a stop while $call takes its time gives nothing up',
    async ({ call, way }) => {
      const answer = Promise.withResolvers<void>();
      const bench = benchThat(answer.promise, call, way.settings);
      await bench.release(ticketFor('one'));
      const stopped = bench.desk.stop(minutes(1));
      await bench.clock.advance(seconds(1));
      expect(bench.ends).toEqual([]);
      answer.resolve();
      await bench.clock.advance(minutes(1));
      await stopped;
      expect(bench.outcomes()).toEqual(['completed']);
    },
  );
});

async function playedThrough(bench: ReturnType<typeof releaseBench>) {
  await bench.release(ticketFor('one'));
  await bench.clock.advance(minutes(5));
  return bench;
}
