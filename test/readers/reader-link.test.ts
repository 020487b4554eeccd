import { expect, it } from 'vitest';
import type { Duration } from '../../src/core/duration.ts';
import { forEver, minutes, seconds } from '../../src/core/duration.ts';
import { createReaderLink, keepTrying } from '../../src/readers/reader-link.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

it('a reader promises to be open or not within minutes at each try, and nothing while it is open (E)', async () => {
  const clock = createSteeredClock();
  const promises: Duration[] = [];
  const link = createReaderLink({
    name: 'serial',
    log: recordLog().log,
    events: { onCard() {}, onUp() {}, onDown() {}, onFrame() {} },
    progress: (within) => promises.push(within),
  });
  const stop = new AbortController();
  let tries = 0;
  const session = async (): Promise<void> => {
    tries += 1;
    if (tries > 2) return stop.abort();
    link.up();
    throw new Error('it was unplugged');
  };
  const trying = keepTrying(session, { link, clock, waitAfter: () => seconds(1) }, stop.signal);
  await clock.advance(seconds(5));
  await trying;
  expect(promises).toEqual([minutes(5), forEver, minutes(5), forEver, minutes(5)]);
});
