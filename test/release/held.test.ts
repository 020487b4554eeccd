/** A document that the printer holds until its person comes to the panel: the documents behind it do not wait for it. */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { JobReport } from '../../src/domain/release.ts';
import { createPrinterTurns } from '../../src/release/turns.ts';
import { completed, job, releaseBench, ticketFor, timesOf, uuidsOf } from './release-bench.ts';

const print = () => Promise.withResolvers<JobReport>();

it('the next document has the printer, and the held one ends when it is released at the panel', async () => {
  const [held, next] = [print(), print()];
  const bench = releaseBench({ follow: [held.promise, next.promise] });
  await bench.release(ticketFor('one', 1), ticketFor('two', 2), ticketFor('three', 3));
  const atPanel = bench.seen();
  expect(timesOf(bench.deeds, 'createJob')).toBe(1);
  atPanel.onWait?.('held');
  await bench.clock.advance(seconds(0));
  expect(timesOf(bench.deeds, 'createJob')).toBe(2);
  atPanel.onWait?.(undefined);
  held.resolve(completed);
  await bench.clock.advance(seconds(0));
  expect(uuidsOf(bench.ended)).toEqual(['one']);
  next.resolve(completed);
  await bench.clock.advance(seconds(0));
  expect(uuidsOf(bench.ended)).toEqual(['one', 'two', 'three']);
});

it('stays in hand until it ends, but the desk releases nothing meanwhile', async () => {
  const held = print();
  const bench = releaseBench({ follow: [held.promise] });
  await bench.release(ticketFor('one'));
  expect([bench.desk.isReleasing(), bench.desk.isIdle()]).toEqual([true, false]);
  bench.seen().onWait?.('held');
  expect([bench.desk.isReleasing(), bench.desk.isIdle()]).toEqual([false, false]);
  expect(bench.desk.standing('one')).toBe('in-progress');
  held.resolve(completed);
  await bench.clock.advance(seconds(0));
  expect(bench.desk.isIdle()).toBe(true);
});

it('who comes next is told so', async () => {
  const bench = releaseBench({ follow: 'never' });
  await bench.release(ticketFor('one', 1), ticketFor('two', 2));
  await bench.release({ ...ticketFor('three', 3), sessionId: 'session-2' });
  expect(bench.places.at(-1)).toBe(2);
  bench.seen().onWait?.('held');
  expect(bench.places).toContain(1);
});

it('another terminal has the printer, also where a restart found the held document', async () => {
  const turns = createPrinterTurns();
  const lobby = releaseBench({ follow: 'never' }, { turns });
  const stairs = releaseBench({ follow: 'never' }, { turns, terminal: 'stairs' });
  const found = { releaseId: 'f'.repeat(32), terminal: 'lobby', state: 'SENT', documentUuid: 'old' } as const;
  lobby.desk.resume([{ ...found, jobName: job.jobName, printerUri: 'ipp://printer/ipp/print', job }]);
  await lobby.clock.advance(seconds(0));
  await stairs.release(ticketFor('of-bob', 9));
  expect(timesOf(stairs.deeds, 'createJob')).toBe(0);
  lobby.seen().onWait?.('held');
  await stairs.clock.advance(seconds(0));
  expect(timesOf(stairs.deeds, 'createJob')).toBe(1);
  expect(lobby.desk.isIdle()).toBe(false);
});

it('a stop waits for it no longer than for any other job', async () => {
  const bench = releaseBench({ follow: 'never' });
  await bench.release(ticketFor('one'));
  bench.seen().onWait?.('held');
  let isOver = false;
  const stopped = bench.desk.stop(seconds(3)).then(() => (isOver = true));
  await bench.clock.advance(seconds(2));
  expect(isOver).toBe(false);
  await bench.clock.advance(seconds(1));
  await stopped;
  expect(bench.outcomes()).toEqual([]);
});
