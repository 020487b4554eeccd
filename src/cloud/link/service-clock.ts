/**
 * The port ServiceTime, from the Date headers of the service's answers (RFC 9110 section 6.6.1): believed once two answers
 * in a row agree, and until two agree on something else, so that one odd server or proxy moves nothing.
 */
import type { Clock } from '../../core/clock.ts';
import { parseInstant } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { ServiceTime } from '../../domain/service-time.ts';
import type { Headers } from '../http/json.ts';
import { headerOf } from '../http/json.ts';

export interface ServiceClock extends ServiceTime {
  /** The head of an answer has just come. */
  heard(headers: Headers): void;
}

/** A Date tells whole seconds, and the way of an answer takes its time. */
const agreement = seconds(5);

export function createServiceClock(clock: Clock): ServiceClock {
  /** Wall time there when this machine started. */
  let lastOrigin: number | undefined;
  let origin: number | undefined;
  return {
    at: (sinceBoot) => (origin === undefined ? undefined : origin + sinceBoot),
    heard(headers) {
      // From a cache it is as old as Age tells.
      if (headerOf(headers, 'age') !== undefined) return;
      const date = parseInstant(headerOf(headers, 'date') ?? '');
      if (date === undefined) return;
      const told = date - clock.sinceBoot();
      if (lastOrigin !== undefined && Math.abs(told - lastOrigin) <= agreement) origin = told;
      lastOrigin = told;
    },
  };
}
