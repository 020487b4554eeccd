/**
 * What a 403 to a call that a trusted device may make is about (INVARIANTS.md B.3): the service is asked whether it
 * still trusts this device, at most once in 10 minutes. If it does not, or tells nobody, enrollment spends a refresh
 * on the question; a permission that is missing changes nothing.
 */
import { minutes } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { DeviceTrust } from '../../domain/ports/enrollment.ts';
import { deadlines } from '../http/api.ts';

export interface TrustCheckDeps extends Pick<Env, 'clock' | 'log'> {
  readonly trust: DeviceTrust;
  readonly clientId: string;
  /** Perhaps the device is no longer trusted. */
  doubt(): void;
}

const atMostEvery = minutes(10);

/** To be called at each such 403. Never rejects. */
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
