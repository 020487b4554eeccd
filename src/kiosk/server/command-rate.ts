/** How many commands a terminal is asked to look at (reliability.md T28): a token bucket that nobody waits for. */
import type { Clock } from '../../core/clock.ts';

const perSecond = 20;
const burst = 40;

/** `false` where it is one too many. */
export type CommandRate = () => boolean;

export function createCommandRate({ clock }: { readonly clock: Clock }): CommandRate {
  let tokens = burst;
  let filledAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
