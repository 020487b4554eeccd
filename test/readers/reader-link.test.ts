import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { createReaderLink, keepTrying, longestOpening } from '../../src/readers/intake/reader-link.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

it('a device whose opening hangs is told of as down, and is up when it opens after all', async () => {
  const clock = createSteeredClock();
  const reported: string[] = [];
  const link = createReaderLink({
    name: 'serial',
    log: recordLog().log,
    events: {
      onCard() {},
      onFrame() {},
      onUp: () => reported.push('up'),
      onDown: ({ message }) => reported.push(message),
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
  expect(reported).toEqual([]);
  await clock.advance(seconds(1));
  expect(reported).toEqual([expect.stringContaining('it does not open within 15 s. Unplug it')]);

  opened.resolve();
  await clock.advance(seconds(60));
  expect(reported.slice(1)).toEqual(['up']);
  stop.abort();
  unplugged.reject(new Error('closed'));
  await trying;
});

it('a device that stays down for another reason is told of anew, and once', () => {
  const reported: string[] = [];
  const { log, records } = recordLog();
  const link = createReaderLink({
    name: 'serial',
    log,
    events: {
      onCard() {},
      onFrame() {},
      onUp() {},
      onDown: ({ message }) => reported.push(message),
    },
  });
  const absent = 'no USB device 0403:6001 is there';
  const denied = "EPERM: operation not permitted, open '/dev/ttyUSB0'";
  for (const reason of [absent, absent, denied, denied, absent]) link.down(new Error(reason));
  expect(reported).toEqual([absent, denied, absent]);
  expect(records('reader down')).toHaveLength(1);
  link.up();
  link.down(new Error(absent));
  expect(reported).toHaveLength(4);
});
