/**
 * How slow the machine is on which tests are about to run, so that their waits can be as many times longer
 * (test/support/patience.ts). A limit has to say that a promise was broken, not that a processor was shared.
 */
import { createHash } from 'node:crypto';

/** Milliseconds that the work takes on the machine for which a minute is enough: one quiet core of a server of 2022. */
const reference = 250;

/** Long enough for a group with a quarter of a processor to be held up several times. */
const rounds = 2400;

/** Times the reference, in wall time, at least 1. */
export function slownessOfMachine(): number {
  const began = performance.now();
  let text = '';
  for (let round = 0; round < rounds; round += 1) {
    const rows = Array.from({ length: 300 }, (_, index) => ({ index, round, name: `Document ${index}` }));
    text = createHash('sha256').update(JSON.stringify(rows)).update(text).digest('hex');
  }
  return Math.max(1, (performance.now() - began) / reference);
}
