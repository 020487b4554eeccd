import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { createReaderLink, keepTrying, longestOpening } from '../../src/readers/intake/reader-link.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

it('a device whose opening hangs is told of as down, and is up when it opens after all', async () => {
  const clock = createSteeredClock();
  const told: string[] = [];
  const link = createReaderLink({
    name: 'serial',
    log: recordLog().log,
    events: {
      ...{ onCard() {}, onFrame() {} },
      onUp: () => told.push('up'),
      onDown: ({ message }) => told.push(message),
    },
  });
  const stop = new AbortController();
  const opened = Promise.withResolvers<void>();
  const unplugged = Promise.withResolvers<never>();
  const session = async (): Promise<void> => {
    await opened.promise;
    link.up();
    await unplugged.promise;
  };
  const waiting = { link, clock, waitAfter: () => seconds(1), opensWithin: longestOpening };
  const trying = keepTrying(session, waiting, stop.signal);
  await clock.advance(seconds(14));
  expect(told).toEqual([]);
  await clock.advance(seconds(1));
  expect(told).toEqual([expect.stringContaining('it does not open within 15 s. Unplug it')]);

  opened.resolve();
  await clock.advance(seconds(60));
  expect(told.slice(1)).toEqual(['up']);
  stop.abort();
  unplugged.reject(new Error('closed'));
  await trying;
});
