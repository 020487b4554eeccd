/** When what people left is forgotten for good (I5; B.4, 10): soon after the last has gone, not in front of anybody, not all the time. */
import { expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import { createOblivion } from '../../src/core/oblivion.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function watch(rinse?: () => Promise<void>) {
  const clock = createSteeredClock();
  const stop = new AbortController();
  const begun = clock.monotonic();
  const reported: string[] = [];
  let busy = false;
  const tell = (what: string) => reported.push(`${what} at ${(clock.monotonic() - begun) / 1000} s`);
  const oblivion = createOblivion({
    isBusy: () => busy,
    rinse: [rinse ?? (async () => void tell('rinsed'))],
    collect: () => void tell('collected'),
    room: { stretch: () => void tell('stretched'), shrink: () => void tell('shrunk') },
    clock,
  });
  const running = oblivion.run(stop.signal);
  return {
    clock,
    oblivion,
    collected: () => reported.filter((line) => line.startsWith('collected')),
    reported,
    busy(isBusy: boolean) {
      busy = isBusy;
      oblivion.due();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running.catch(() => {});
    },
  };
}

it('rinses before there is anything, and does nothing more while nobody comes', async () => {
  await using watched = watch();
  await watched.clock.advance(minutes(60));
  expect(watched.reported).toEqual(['rinsed at 0 s']);
});

it('comes a second after the last person has gone, and once more for what was still held then', async () => {
  await using watched = watch();
  const { clock } = watched;
  watched.busy(true);
  await clock.advance(seconds(20));
  expect(watched.collected()).toEqual([]);
  watched.busy(false);
  await clock.advance(minutes(5));
  expect(watched.collected()).toEqual(['collected at 21 s', 'collected at 31 s']);
});

it('goes on where something cannot be rinsed', async () => {
  await using watched = watch(() => Promise.reject(new Error('EMFILE')));
  watched.oblivion.due();
  await watched.clock.advance(minutes(1));
  expect(watched.collected()).toEqual(['collected at 1 s', 'collected at 11 s']);
});

it('leaves ten seconds between two collections, however often somebody goes', async () => {
  await using watched = watch();
  for (let second = 0; second < 30; second += 2) {
    watched.oblivion.due();
    await watched.clock.advance(seconds(2));
  }
  expect(watched.collected()).toEqual(['collected at 1 s', 'collected at 11 s', 'collected at 21 s']);
});

it('comes every minute where somebody is always there', async () => {
  await using watched = watch();
  watched.busy(true);
  await watched.clock.advance(minutes(3));
  expect(watched.collected()).toEqual(['collected at 60 s', 'collected at 120 s', 'collected at 180 s']);
});

it('leaves room for new objects while somebody is there, and takes it back before the collection after them', async () => {
  await using watched = watch();
  const { clock } = watched;
  watched.busy(true);
  await clock.advance(seconds(60));
  watched.busy(false);
  await clock.advance(seconds(10));
  expect(watched.reported.slice(1)).toEqual([
    'stretched at 0 s',
    'rinsed at 60 s',
    'collected at 60 s',
    'rinsed at 70 s',
    'shrunk at 70 s',
    'collected at 70 s',
  ]);
});
