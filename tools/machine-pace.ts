/**
 * How slow the machine is on which tests are about to run, so that their waits can be as many times longer
 * (test/support/patience.ts). A limit has to say that a promise was broken, not that a processor was shared.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** Milliseconds that the work takes on the machine for which a minute is enough: one quiet core of a server of 2022. */
const reference = 250;

/** Long enough for a group with a quarter of a processor to be held up several times. */
const rounds = 2400;

/** Milliseconds of a bare Node on that machine, from its start to its end. */
const referenceStart = 30;
const starts = 5;

/**
 * Times the reference, in wall time, at least 1. Of computing, or of starting processes if that is slower here: a
 * virtual machine may compute as fast as its host and take four times as long for each new page of memory.
 */
export const slownessOfMachine = (): number =>
  Math.max(1, computing() / reference, starting() / referenceStart);

function computing(): number {
  const began = performance.now();
  let text = '';
  for (let round = 0; round < rounds; round += 1) {
    const rows = Array.from({ length: 300 }, (_, index) => ({ index, round, name: `Document ${index}` }));
    text = createHash('sha256').update(JSON.stringify(rows)).update(text).digest('hex');
  }
  return performance.now() - began;
}

/** The median. */
function starting(): number {
  const spans = Array.from({ length: starts }, () => {
    const began = performance.now();
    spawnSync(process.execPath, ['--eval', '0']);
    return performance.now() - began;
  });
  return spans.toSorted((a, b) => a - b)[Math.floor(starts / 2)] ?? 0;
}
