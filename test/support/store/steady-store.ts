/** A whole store as the agent opens it, with real clock and chance. */
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Log } from '../../../src/core/log.ts';
import type { Secret } from '../../../src/core/secret.ts';
import type { Problem } from '../../../src/domain/problem/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { openStore } from '../../../src/store/store.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };

export const openSteadyStore = (
  stateDir: string,
  options: { sealingKey?: Secret; clientId?: string; log?: Log; onFatal?: (problem: Problem) => void } = {},
): Promise<Store> =>
  openStore({
    stateDir,
    clock: systemClock,
    chance: systemChance,
    log: silent,
    onFatal() {},
    ...options,
  });
