/** An engine that comes and goes is told of, and no more when it has stayed. */
import { expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import type { Condition } from '../../src/domain/condition.ts';
import { Steadiness } from '../../src/fleet/engine/word.ts';

function watched() {
  let now = 0;
  let standing: Condition | undefined;
  const steadiness = new Steadiness({
    clock: { monotonic: () => now },
    conditions: {
      raise: (condition) => void (standing = condition),
      clear: () => void (standing = undefined),
    },
  });
  const loses = (times: number, every: number) => {
    for (let time = 0; time < times; time += 1) {
      steadiness.lost();
      now += every;
    }
  };
  return { steadiness, loses, wait: (span: number) => (now += span), standing: () => standing };
}

it('an engine that restarts every 20 seconds is told of with the fourth time', () => {
  const { loses, standing } = watched();
  loses(3, seconds(20));
  expect(standing()).toBeUndefined();
  loses(1, seconds(20));
  expect(standing()).toMatchObject({
    code: 'fleet-engine-unsteady',
    severity: 'warning',
    detail: 'the connection to it was lost 4 times in 10 minutes',
  });
});

it('the word is over when the engine has stayed for ten minutes, and a restart now and then is never told of', () => {
  const { steadiness, loses, wait, standing } = watched();
  loses(5, seconds(20));
  expect(standing()).toBeDefined();
  wait(minutes(10));
  steadiness.look();
  expect(standing()).toBeUndefined();
  loses(20, minutes(4));
  expect(standing()).toBeUndefined();
});
