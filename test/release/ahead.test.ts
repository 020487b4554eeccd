/** How many documents of a batch are got ready while one prints, and in which order they come to the printer. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { JobReport, Ticket } from '../../src/domain/release.ts';
import { createPrinterTurns } from '../../src/release/turns.ts';
import { completed, fault, job, releaseBench, ticketFor, timesOf, uuidsOf } from './release-bench.ts';

const batch = (count: number): Ticket[] =>
  Array.from({ length: count }, (_, at) => ticketFor(`number ${at + 1}`, at + 1));

describe('while one document prints', () => {
  it('eight others are got ready, and no more', async () => {
    const bench = releaseBench({ follow: 'never' });
    await bench.release(...batch(20));
    expect(timesOf(bench.deeds, 'ledger:fetched')).toBe(9);
    expect(timesOf(bench.deeds, 'ledger:intend')).toBe(1);
  });

  it('two come in at a time, and the next one begins when one of them is here', async () => {
    const downloads = Array.from({ length: 2 }, () => Promise.withResolvers<JobReport>());
    const bench = releaseBench({
      follow: 'never',
      download: [undefined, ...downloads.map(({ promise }) => promise), 'never', 'never', 'never'],
    });
    await bench.release(...batch(6));
    expect(timesOf(bench.deeds, 'download')).toBe(3);
    downloads[0]?.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(timesOf(bench.deeds, 'download')).toBe(4);
  });

  it('a further one waits until there is room in memory again', async () => {
    const prints = Array.from({ length: 2 }, () => Promise.withResolvers<JobReport>());
    let hasRoom = false;
    const follow = [...prints.map(({ promise }) => promise), 'never' as const];
    const bench = releaseBench({ follow }, { hasRoom: () => hasRoom });
    await bench.release(...batch(6));
    prints[0]?.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(timesOf(bench.deeds, 'ledger:fetched')).toBe(3);
    hasRoom = true;
    prints[1]?.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect(timesOf(bench.deeds, 'ledger:fetched')).toBe(6);
  });

  it('none is got ready for a terminal that waits for the documents of others', async () => {
    const turns = createPrinterTurns();
    const other = releaseBench({ follow: 'never' }, { turns, terminal: 'office' });
    const bench = releaseBench({ follow: 'never' }, { turns });
    await other.release(ticketFor('theirs', 99));
    await bench.release(...batch(4));
    expect(timesOf(bench.deeds, 'download')).toBe(1);
  });
});

describe('a release that a restart or a gone gateway left open', () => {
  const attempt = {
    releaseId: 'f'.repeat(32),
    terminal: 'lobby',
    state: 'SENT',
    documentUuid: 'old',
    jobName: job.jobName,
    printerUri: 'ipp://printer/ipp/print',
    job,
  } as const;

  it('comes to the printer before new documents that wait for it', async () => {
    const print = Promise.withResolvers<JobReport>();
    const bench = releaseBench({ follow: [print.promise, 'never'] });
    await bench.release(...batch(3));
    bench.desk.resume([attempt]);
    await bench.clock.advance(seconds(0));
    print.resolve(completed);
    await bench.clock.advance(seconds(0));
    expect([timesOf(bench.deeds, 'createJob'), timesOf(bench.deeds, 'follow')]).toEqual([1, 2]);
  });

  it('that waits for the documents of others keeps new ones from being got ready', async () => {
    const turns = createPrinterTurns();
    const other = releaseBench({ follow: 'never' }, { turns, terminal: 'office' });
    const bench = releaseBench({}, { turns });
    await other.release(ticketFor('theirs', 99));
    bench.desk.resume([attempt]);
    await bench.release(...batch(2));
    expect(bench.deeds).toEqual([]);
    expect([bench.desk.isReleasing(), bench.desk.isIdle()]).toEqual([true, false]);
  });
});

it('what is ready first does not overtake what was chosen first', async () => {
  const print = Promise.withResolvers<JobReport>();
  const slow = Promise.withResolvers<JobReport>();
  const bench = releaseBench({ follow: [print.promise], download: [undefined, slow.promise] });
  await bench.release(...batch(4));
  print.resolve(completed);
  await bench.clock.advance(seconds(0));
  expect(uuidsOf(bench.ended)).toEqual(['number 1']);
  expect(timesOf(bench.deeds, 'ledger:intend')).toBe(1);
  slow.resolve(completed);
  await bench.clock.advance(seconds(0));
  expect(uuidsOf(bench.ended)).toEqual(['number 1', 'number 2', 'number 3', 'number 4']);
});

it('behind a document that cannot be had the one before it still comes first', async () => {
  const print = Promise.withResolvers<JobReport>();
  const lost = Promise.withResolvers<JobReport>();
  const bench = releaseBench({ follow: [print.promise], download: [undefined, lost.promise] });
  await bench.release(...batch(3));
  lost.reject(fault('document-gone'));
  await bench.clock.advance(seconds(0));
  expect(timesOf(bench.deeds, 'ledger:intend')).toBe(1);
  print.resolve(completed);
  await bench.clock.advance(seconds(0));
  expect(uuidsOf(bench.ended)).toEqual(['number 2', 'number 1', 'number 3']);
});

it('a stop is heard by those that wait behind others', async () => {
  const bench = releaseBench({ follow: 'never', download: [undefined, 'never'] });
  await bench.release(...batch(4));
  const stopped = bench.desk.stop(seconds(1));
  await bench.clock.advance(seconds(20));
  await stopped;
  expect(bench.outcomes()).toEqual(['failed', 'failed', 'failed']);
  expect(timesOf(bench.deeds, 'ledger:intend')).toBe(1);
});
