/**
 * Finds the cause of a 403 to a call that a trusted device may make (INVARIANTS.md B.3). It asks the service whether it
 * still trusts this device, at most once in 10 minutes. If it does not, or if that cannot be found out, enrollment
 * makes a refresh to be sure.
 */
import { minutes } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { DeviceTrust } from '../../domain/ports/enrollment.ts';
import { deadlines } from '../http/api.ts';

export interface TrustCheckDeps extends Pick<Env, 'clock' | 'log'> {
  readonly trust: DeviceTrust;
  readonly clientId: string;
  /** Called if the device may not be trusted any more. */
  doubt(): void;
}

const atMostEvery = minutes(10);

/** To be called at each such 403. Never rejects. If only a permission is missing, nothing changes. */
export function createTrustCheck({ trust, clientId, clock, log, doubt }: TrustCheckDeps) {
  let lastLook = Number.NEGATIVE_INFINITY;
  return async (): Promise<void> => {
    if (clock.monotonic() - lastLook < atMostEvery) return;
    lastLook = clock.monotonic();
    try {
      const isTrusted = await trust.isAuthorized(clientId, { signal: clock.deadline(deadlines.background) });
      log.warn('call denied', { trusted: isTrusted });
      if (!isTrusted) doubt();
    } catch (error) {
      log.warn('call denied', { trusted: 'not told', error: error as Error });
      doubt();
    }
  };
}
