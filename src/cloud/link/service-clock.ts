/**
 * The port ServiceTime, from the Date headers of the service's answers (RFC 9110 section 6.6.1). A time counts once two
 * answers in a row agree, until two agree on another time: one odd server or proxy changes nothing.
 */
import type { Clock } from '../../core/clock.ts';
import { isoInstant, parseInstant } from '../../core/clock.ts';
import { hours, minutes, seconds } from '../../core/duration.ts';
import { madeAfter } from '../../core/version.ts';
import type { Conditions } from '../../domain/condition.ts';
import type { ServiceTime } from '../../domain/service-time.ts';
import type { Headers } from '../http/json.ts';
import { headerOf } from '../http/json.ts';

export interface ServiceClock extends ServiceTime {
  /** Called when the head of an answer has just come. */
  heard(headers: Headers): void;
}

/** A Date has whole seconds, and an answer needs time on its way. */
const agreement = seconds(5);
/** A clock that was never set differs by more than this; a clock that runs fast or slow does not. */
const far = hours(24);
const proof = minutes(5);

/**
 * A time more than a day from our own clock counts once answers have agreed on it for a while, and a condition reports
 * it. A time before this version was made never counts. `conditions` is absent for a command that looks once.
 */
export function createServiceClock(clock: Clock, conditions?: Conditions): ServiceClock {
  /** The service's wall time at the boot of this machine, and the monotonic time since which answers agree on it. */
  let last: { readonly origin: number; readonly since: number } | undefined;
  let origin: number | undefined;

  function tell(there: number, isFar: boolean): void {
    if (!isFar) return conditions?.clear('agent', 'clock');
    conditions?.raise({
      code: 'clock-doubtful',
      severity: 'warning',
      scope: 'agent',
      subject: 'clock',
      detail: `the print service says that it is ${dayOf(there)}, and this computer that it is ${dayOf(clock.now())}`,
    });
  }

  function agreed(reading: number, since: number): void {
    const there = reading + clock.sinceBoot();
    const isFar = Math.abs(there - clock.now()) > far;
    tell(there, isFar);
    if (there < madeAfter) return;
    const isProven = clock.now() < madeAfter || clock.monotonic() - since >= proof;
    if (!isFar || isProven) origin = reading;
  }

  return {
    at: (sinceBoot) => (origin === undefined ? undefined : origin + sinceBoot),
    heard(headers) {
      // An answer from a cache has an old date.
      if (headerOf(headers, 'age') !== undefined) return;
      const date = parseInstant(headerOf(headers, 'date') ?? '');
      if (date === undefined) return;
      const reading = date - clock.sinceBoot();
      const agrees = last !== undefined && Math.abs(reading - last.origin) <= agreement;
      last = { origin: reading, since: agrees && last ? last.since : clock.monotonic() };
      if (agrees) agreed(reading, last.since);
    },
  };
}

const dayOf = (wall: number): string => isoInstant(wall).slice(0, 10);
