/** What runs only while a terminal is served. */
import { expect, it } from 'vitest';
import { attended } from '../../src/station/readers.ts';

const watch = { follow: () => ({ progress() {}, [Symbol.dispose]() {} }) };

it('a terminal without readers is served all the same, and is at rest until it is not', async () => {
  const stop = new AbortController();
  let closed = 0;
  const readers = attended([], {
    name: 'readers of lobby',
    watch,
    onClosed() {
      closed += 1;
      // What does not rest would go on for ever.
      if (closed === 2) stop.abort();
    },
  });
  const running = readers.run(stop.signal);
  await readers.serve(true);
  await new Promise(setImmediate);
  expect(closed).toBe(0);
  await readers.serve(false);
  expect(closed).toBe(1);
  stop.abort();
  await running;
  expect(closed).toBe(1);
});
