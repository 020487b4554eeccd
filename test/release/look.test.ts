/** The last look at the list, right before the intent (I1): another gateway may have released the document meanwhile. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { JobReport } from '../../src/domain/release.ts';
import { conversion } from '../support/printer/conversion-samples.ts';
import { completed, fault, releaseBench, ticketFor } from './release-bench.ts';

type Settings = NonNullable<Parameters<typeof releaseBench>[1]>;

const ways: readonly [string, Settings, intent: string][] = [
  ['a printer of jobs', {}, 'ledger:intend'],
  ['a printer of bytes', { printer: 'bytes' }, 'ledger:intend'],
  ['a conversion', { conversion: conversion({ order: 'reversed' }) }, 'ledger:intend'],
  ['a delivery by the service', { delivery: 'cloud' }, 'ledger:intendByService SN-0001'],
];

describe.each(ways)('before %s', (_, settings, intent) => {
  /** What happened before the ledger had the intent, the look included. */
  function benchWith(look: () => Promise<void>) {
    const bench = releaseBench(
      {},
      {
        ...settings,
        look: async () => {
          bench.deeds.push('look');
          await look();
        },
      },
    );
    return bench;
  }

  it('the list is looked at, and nothing comes between the look and the intent', async () => {
    const bench = benchWith(async () => {});
    await bench.release(ticketFor('one'));
    const { deeds } = bench;
    expect(deeds.filter((deed) => deed === 'look')).toHaveLength(1);
    expect(
      deeds.slice(deeds.indexOf('look')).find((deed) => deed !== 'look' && deed !== 'ledger:fetched'),
    ).toBe(intent);
  });

  it('a document that waits no longer is not printed, and its owner is told why', async () => {
    const bench = benchWith(() => Promise.reject(fault('document-not-waiting')));
    await bench.release(ticketFor('one'));
    expect(bench.ended).toMatchObject([{ outcome: 'failed', problem: { code: 'document-not-waiting' } }]);
    expect(bench.deeds).not.toContain(intent);
    expect(bench.deeds.at(-1)).toBe('ledger:end NOOUTPUT');
  });

  it('where nobody can look, the list it was chosen from stands', async () => {
    const bench = benchWith(() => Promise.reject(fault('cloud-unreachable')));
    await bench.release(ticketFor('one'));
    expect(bench.outcomes()).toEqual(['completed']);
    expect(bench.log.records('list not looked at again')).toMatchObject([
      { terminal: 'lobby', error: { code: 'cloud-unreachable' } },
    ]);
  });

  it('a stop during the look leaves the document where it is', async () => {
    const bench = benchWith(() => new Promise(() => {}));
    await bench.release(ticketFor('one'));
    await bench.desk.stop(seconds(3));
    expect(bench.outcomes()).toEqual(['failed']);
    expect(bench.deeds).not.toContain(intent);
  });
});

it('the next document of the batch is printed all the same', async () => {
  const look = (uuid: string) =>
    uuid === 'one' ? Promise.reject(fault('document-not-waiting')) : Promise.resolve();
  const bench = releaseBench({}, { look });
  await bench.release(ticketFor('one', 1), ticketFor('two', 2));
  expect(bench.outcomes()).toEqual(['failed', 'completed']);
});

it('a look comes after the balance that was asked once more, at the turn of the document', async () => {
  const ready = Promise.withResolvers<JobReport>();
  const bench = releaseBench({ prepare: ready.promise }, { look: async () => void bench.deeds.push('look') });
  await bench.release(ticketFor('one'));
  await bench.clock.advance(seconds(61));
  ready.resolve(completed);
  await bench.clock.advance(seconds(0));
  expect(bench.deeds.filter((deed) => deed === 'look' || deed === 'balance')).toEqual([
    'balance',
    'balance',
    'look',
  ]);
  expect(bench.outcomes()).toEqual(['completed']);
});
