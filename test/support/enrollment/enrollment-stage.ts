/** One enrollment with an authority, a store and a clock that do what a test laid out. */
import { onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { hours, seconds } from '../../../src/core/duration.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { Condition } from '../../../src/domain/condition.ts';
import type { DeviceFacts } from '../../../src/domain/device.ts';
import { DeviceTokenHolder } from '../../../src/enrollment/tokens.ts';
import { Enrollment } from '../../../src/enrollment/runner.ts';
import { recordLog } from '../recorded-log.ts';
import { createSteeredClock } from '../steered-clock.ts';
import { remembered, scriptedAuthority } from './scripted-authority.ts';

const poll = { first: seconds(5), longest: seconds(60) };
export function enroll(
  options: {
    facts?: Partial<DeviceFacts>;
    tokenLife?: ReturnType<typeof seconds>;
    idle?: boolean;
    furtherServer?: string;
    /** That a registration is told; none unless said. */
    userCode?: string;
  } = {},
) {
  const clock = createSteeredClock();
  const authority = scriptedAuthority(options);
  const store = remembered(options.facts);
  const holder = new DeviceTokenHolder();
  const conditions = new Map<string, Condition>();
  const authorized: boolean[] = [];
  const obstacles: (string | undefined)[] = [];
  const log = recordLog();
  const enrollment = new Enrollment({
    authorization: authority,
    store,
    holder,
    ...(options.furtherServer === undefined ? {} : { furtherServer: options.furtherServer }),
    conditions: {
      raise: (condition) => conditions.set(condition.subject, condition),
      clear: (_scope, subject) => conditions.delete(subject),
    },
    poll,
    clock,
    chance: { ...systemChance, jitter: (span) => span },
    log: log.log,
    isIdle: () => options.idle ?? true,
    onAuthorized: (yes) => authorized.push(yes),
    onObstacle: () => {
      const code = enrollment.obstacle()?.code;
      if (obstacles.length === 0 || obstacles.at(-1) !== code) obstacles.push(code);
    },
  });
  const stop = new AbortController();
  // One turn later, so that a test can lay out the answers first.
  const running = Promise.resolve().then(() => enrollment.run(stop.signal));
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  return {
    clock,
    authority,
    store,
    holder,
    conditions,
    authorized,
    enrollment,
    log,
    /** The codes of what stood in the way, each once in a row. */
    obstacles: () => obstacles,
  };
}

export const storedTokens = (generation: number) => ({
  accessToken: new Secret('at-0'),
  refreshToken: new Secret('rt-0'),
  expiresIn: hours(1),
  generation,
  // The steered clock starts at this moment.
  issuedAt: Date.UTC(2026, 10, 21, 12),
});
