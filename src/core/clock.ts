/**
 * Time comes in by this door only: no other file of `src` names `Date`, `setTimeout` or `performance`.
 * Wall time is for stamps and certificates; every deadline runs on monotonic time, because a wall clock jumps
 * (INVARIANTS.md D14).
 */
import { uptime as uptimeOfSystem } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Duration } from './duration.ts';

export interface Clock {
  /** Wall time, milliseconds since 1970-01-01T00:00Z. For stamps, never for deadlines. */
  now(): number;
  /** Milliseconds since an arbitrary start; never jumps, never runs backwards. */
  monotonic(): number;
  /**
   * Milliseconds since the machine started, those included in which it slept: comparable between all processes of one boot,
   * to a hundredth of a second.
   */
  sinceBoot(): number;
  /** Resolves after the span; rejects with the signal's reason when that comes first. */
  sleep(span: Duration, options?: { signal?: AbortSignal }): Promise<void>;
  /**
   * A signal that aborts after the span with a `TimeoutError`, or with the parent's reason when that comes first. Time in
   * which nothing ran (a suspend, a paused machine) does not end it.
   */
  deadline(span: Duration, parent?: AbortSignal): AbortSignal;
  /** The pair XState's `clock` option asks for. */
  setTimeout(action: () => void, delay: number): unknown;
  clearTimeout(timer: unknown): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sinceBoot: createSinceBoot({
    wall: () => Date.now(),
    monotonic: () => performance.now(),
    uptime: () => uptimeOfSystem() * 1000,
  }),
  async sleep(span, options) {
    options?.signal?.throwIfAborted();
    try {
      await wait(span, undefined, options);
    } catch (cause) {
      throw options?.signal?.aborted ? options.signal.reason : cause;
    }
  },
  deadline(span, parent) {
    const limit = awakeLimit(span);
    return parent ? AbortSignal.any([parent, limit]) : limit;
  },
  setTimeout: (action, delay) => setTimeout(action, delay),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** A timer that is later than this did not run on time because nothing did. */
const standstill = 5000;

/**
 * Like `AbortSignal.timeout`, but a suspended computer or a paused machine is nobody's silence: when the time is over
 * because nothing ran, whoever should have answered is given the span once more.
 */
function awakeLimit(span: Duration): AbortSignal {
  const begun = performance.now();
  const limit = AbortSignal.timeout(span);
  const over = new AbortController();
  limit.addEventListener('abort', () => {
    if (performance.now() - begun < span + standstill) return over.abort(limit.reason);
    const again = AbortSignal.timeout(span);
    again.addEventListener('abort', () => over.abort(again.reason));
  });
  return over.signal;
}

/** ISO 8601 with milliseconds in UTC: `2026-11-21T12:00:00.000Z`. */
export const isoInstant = (wall: number): string => new Date(wall).toISOString();

/** ISO 8601 in seconds with the local offset, as the service's history wants it: `2026-11-21T13:00:00+01:00`. */
export function isoWithOffset(wall: number): string {
  const offset = -new Date(wall).getTimezoneOffset();
  const local = new Date(wall + offset * 60_000).toISOString().slice(0, 19);
  const hh = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
  const mm = String(Math.abs(offset) % 60).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${hh}:${mm}`;
}

/** The HTTP-date of RFC 9110 section 5.6.7: `Sat, 21 Nov 2026 12:00:00 GMT`. */
export const httpDate = (wall: number): string => new Date(wall).toUTCString();

/** Milliseconds since 1970 of an HTTP-date or ISO text; `undefined` when it is neither. */
export function parseInstant(text: string): number | undefined {
  const wall = Date.parse(text);
  return Number.isNaN(wall) ? undefined : wall;
}

/**
 * The time since the machine started, without asking the system each time: its figure is a file to be opened (proc_uptime(5)),
 * and a release wants it some twenty times. Between two looks the monotonic time tells. That one stands still while the
 * machine sleeps, and the wall clock does not; whatever moves the two apart, a sleep or a correction, is a reason to look.
 */
interface Faces {
  /** Each in milliseconds. */
  wall(): number;
  monotonic(): number;
  /** In hundredths of a second. */
  uptime(): number;
}

/** Milliseconds: the wall clock is read in whole ones, and not in the same moment. */
const apart = 10;

/** Never runs backwards. */
export function createSinceBoot({ wall, monotonic, uptime }: Faces): () => number {
  let gap = Number.NaN;
  let start = 0;
  let latest = 0;
  return () => {
    const now = monotonic();
    const gapNow = wall() - now;
    // Not a number at first, and nothing is within it.
    if (!(Math.abs(gapNow - gap) < apart)) {
      gap = gapNow;
      start = uptime() - monotonic();
    }
    latest = Math.max(latest, start + now);
    return latest;
  };
}
