/**
 * Repeats a call that is safe to repeat, while a person waits for it. At most three tries within 10 s by default, with
 * full jitter between them, or the time of Retry-After (INVARIANTS.md B.3). After a definite answer it does not ask
 * again.
 */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { deadlines } from './api.ts';

const usualTries = 3;
const mean = milliseconds(250);

export async function repeatSafely<T>(
  attempt: (options: CallOptions) => Promise<T>,
  tools: { clock: Clock; chance: Chance; tries?: number },
  { signal }: CallOptions,
): Promise<T> {
  const mostTries = tools.tries ?? usualTries;
  const within = { signal: tools.clock.deadline(deadlines.interactive, signal) };
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(within);
    } catch (error) {
      const wait = tries < mostTries ? waitAfter(error, tries, tools.chance) : undefined;
      if (wait === undefined) throw error;
      await rest(wait, tools.clock, within, error);
    }
  }
}

/** `undefined`: another try is not worth it. */
function waitAfter(error: unknown, tries: number, chance: Chance): Duration | undefined {
  if (!isWorthAnotherTry(error)) return undefined;
  const { retryAfter } = error;
  if (retryAfter !== undefined) return retryAfter < deadlines.interactive ? retryAfter : undefined;
  // Full jitter: between 0 and 0.5 s, then between 0 and 1 s.
  return chance.jitter(milliseconds(mean * 2 ** (tries - 1)), 1);
}

/** After a 429 the transport has repeated the call already. */
const isWorthAnotherTry = (error: unknown): error is Problem =>
  isProblem(error, 'cloud-unreachable', 'cloud-busy', 'cloud-protocol') &&
  error.delivery !== 'answered' &&
  error.status !== 429;

async function rest(wait: Duration, clock: Clock, within: CallOptions, error: unknown): Promise<void> {
  try {
    await clock.sleep(wait, within);
  } catch {
    // When the time is up, the last failure is the answer.
    throw error;
  }
}
