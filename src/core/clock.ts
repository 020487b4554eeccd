/**
 * All time comes from here: no other file of `src` names `Date`, `setTimeout` or `performance`. Wall time is for stamps
 * and certificates. Every deadline uses monotonic time, because a wall clock jumps (INVARIANTS.md D14).
 */
import { uptime as uptimeOfSystem } from 'node:os';
import type { Duration } from './duration.ts';

export interface Clock {
  /** Wall time in milliseconds since 1970-01-01T00:00Z; for stamps, never for deadlines. */
  now(): number;
  /** Milliseconds since an arbitrary start; it never jumps and never runs backwards. */
  monotonic(): number;
  /**
   * Milliseconds since the machine started, including the time it slept. All processes of one boot can compare it, to a
   * hundredth of a second.
   */
  sinceBoot(): number;
  /** Resolves after the span; rejects with the signal's reason if the signal aborts first. */
  sleep(span: Duration, options?: { signal?: AbortSignal }): Promise<void>;
  /**
   * A signal that aborts after the span with a `TimeoutError`, or with the parent's reason if the parent aborts first.
   * Time in which nothing ran (a suspend, a paused machine) does not end it.
   */
  deadline(span: Duration, parent?: AbortSignal): AbortSignal;
  /** This pair is what XState's `clock` option needs. */
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
  sleep: (span, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const giveUp = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      }, span);
      signal?.addEventListener('abort', giveUp, { once: true });
    }),
  deadline(span, parent) {
    const limit = awakeLimit(span);
    return parent ? AbortSignal.any([parent, limit]) : limit;
  },
  setTimeout: (action, delay) => setTimeout(action, delay),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** A timer that is later than this was late because the whole process stood still. */
const standstill = 5000;

/**
 * Like `AbortSignal.timeout`, but time in which this machine stood still must not count as silence of the other side.
 * If the timer was late for that reason, the span is given once more.
 */
function awakeLimit(span: Duration): AbortSignal {
  const over = new AbortController();
  const end = () => over.abort(new DOMException('the time is over', 'TimeoutError'));
  const begun = performance.now();
  setTimeout(() => {
    if (performance.now() - begun < span + standstill) end();
    else setTimeout(end, span).unref();
  }, span).unref();
  return over.signal;
}

/** Such as `2026-11-21T12:00:00.000Z`. */
export const isoInstant = (wall: number): string => new Date(wall).toISOString();

/**
 * ISO 8601 in seconds with the local offset, the form that the service's history needs: `2026-11-21T13:00:00+01:00`.
 */
export function isoWithOffset(wall: number): string {
  const offset = -new Date(wall).getTimezoneOffset();
  const local = new Date(wall + offset * 60_000).toISOString().slice(0, 19);
  const hh = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
  const mm = String(Math.abs(offset) % 60).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${hh}:${mm}`;
}

/** The HTTP-date of RFC 9110 section 5.6.7: `Sat, 21 Nov 2026 12:00:00 GMT`. */
export const httpDate = (wall: number): string => new Date(wall).toUTCString();

/** Milliseconds since 1970 of an HTTP-date or an ISO text; `undefined` for any other text. */
export function parseInstant(text: string): number | undefined {
  const wall = Date.parse(text);
  return Number.isNaN(wall) ? undefined : wall;
}

/**
 * The clocks that `createSinceBoot` reads. Reading the uptime means opening a file (proc_uptime(5)), and a release
 * needs it about twenty times. Therefore the monotonic clock measures between two reads. It stands still while the
 * machine sleeps, and the wall clock does not. When the two move apart, by a sleep or a correction, the uptime is read
 * again.
 */
interface Faces {
  /** In milliseconds, as is `monotonic`. */
  wall(): number;
  monotonic(): number;
  /** In milliseconds, but it moves in steps of a hundredth of a second. */
  uptime(): number;
}

/** Milliseconds. The wall clock gives whole ones, and the two clocks are not read at the same moment. */
const apart = 10;

/** The result never runs backwards. */
export function createSinceBoot({ wall, monotonic, uptime }: Faces): () => number {
  let gap = Number.NaN;
  let start = 0;
  let latest = 0;
  return () => {
    const now = monotonic();
    const gapNow = wall() - now;
    // The first gap is NaN, so this comparison is false and the uptime is read.
    if (!(Math.abs(gapNow - gap) < apart)) {
      gap = gapNow;
      start = uptime() - monotonic();
    }
    latest = Math.max(latest, start + now);
    return latest;
  };
}
