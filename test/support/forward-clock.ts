/**
 * The system's clock, except that a test may put it forward: what waits for minutes is over then, while real sockets
 * and processes go on. For whole agents, where a clock that stands still would hold up everything. In a hurry it is the
 * clock of the sessions (virtual-time.ts): it stands still while anything is on its way in this process, and leaps when
 * nothing is, so no deadline runs out because the machine was busy.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../src/core/clock.ts';
import type { Duration } from '../../src/core/duration.ts';
import { milliseconds } from '../../src/core/duration.ts';
import { patience } from './patience.ts';
import { sleepBy } from './sleep-by.ts';
import { calm } from './virtual-time.ts';

export interface ForwardClock extends Clock {
  /** All at once: deadlines that are running run out too. */
  forward(span: Duration): void;
  /**
   * Leaps from one moment that somebody waits for to the next until the work is done. A printer has to be on this clock,
   * and what comes from another process has to be waited for before. Rejects when patience has run out.
   */
  hurry<Result>(work: Promise<Result>): Promise<Result>;
  /** Hurries to the end of the work, and tells how much time has passed by this clock until then. */
  spanOf(work: Promise<unknown>): Promise<Duration>;
  /** It stands still until the work is done: for what comes from another process while nothing may run out. */
  standStill<Result>(work: Promise<Result>): Promise<Result>;
}

interface Timer {
  /** By this clock's monotonic time. */
  readonly at: number;
  readonly fire: () => void;
  /** A deadline keeps no process alive. */
  readonly isDeadline: boolean;
  armed?: NodeJS.Timeout;
}

/**
 * Milliseconds: Node's own timers take no less. Who waits for what a rounding left, a millionth of a millisecond, would
 * else be woken at the same moment again and again, and time would stand still for ever.
 */
const shortest = 1;

/** Nobody waits for a moment: what the work waits for comes from outside of this process. */
const outsideTurn = 2;

/** So many of them after a program has ended. */
const readingTurns = 10;

/** A program that was running when a hurry began is waited for so long. Milliseconds of the world outside. */
const longestProgram = 2_000;

/** Peers that stay, as far as they are known in this worker. */
let residents = 0;

const programsRunning = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;

/** For whoever wonders what a hurry has waited for. */
const onItsWay = (): string => [...new Set(process.getActiveResourcesInfo())].join(', ');

export function forwardClock(): ForwardClock {
  // Read once: the difference of two readings wavers by a millisecond.
  const wall = Date.now() - performance.now();
  let ahead = 0;
  /** Where it stands while it is in a hurry, or has to stand still. */
  let still: number | undefined;
  /** Of several at once the first one leaps, unless somebody wants it to stand still. */
  const hurries: object[] = [];
  let stops = 0;
  const timers = new Set<Timer>();
  const monotonic = () => still ?? performance.now() + ahead;

  const fire = (timer: Timer) => {
    if (timers.delete(timer)) timer.fire();
  };
  const arm = (timer: Timer) => {
    clearTimeout(timer.armed);
    if (still === undefined) {
      timer.armed = setTimeout(() => fire(timer), Math.max(0, timer.at - monotonic()));
      if (timer.isDeadline) timer.armed.unref();
    }
  };
  const armAll = () => {
    for (const timer of timers) arm(timer);
  };
  const schedule = (action: () => void, delay: number, isDeadline = false): Timer => {
    const timer: Timer = { at: monotonic() + Math.max(shortest, delay), fire: action, isDeadline };
    timers.add(timer);
    arm(timer);
    return timer;
  };
  const cancel = (timer: Timer) => {
    clearTimeout(timer.armed);
    timers.delete(timer);
  };

  /** To the next moment that somebody waits for; `false` where nobody does. */
  function leap(now: number): boolean {
    const next = Math.min(...[...timers].map(({ at }) => at));
    if (!Number.isFinite(next)) return false;
    still = Math.max(now, next);
    for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
      if (timer.at <= still) fire(timer);
    }
    return true;
  }

  function stop(): void {
    still ??= monotonic();
    armAll();
  }
  function goOn(): void {
    if (hurries.length > 0 || stops > 0) return;
    ahead = monotonic() - performance.now();
    still = undefined;
    armAll();
  }

  async function leapUntil(isOver: () => boolean, hurry: object): Promise<void> {
    const since = performance.now();
    const end = since + patience();
    const before = programsRunning();
    let programs = Math.min(before, residents);
    let turnsAfter = 0;
    for (;;) {
      await calm();
      if (isOver()) return;
      if (performance.now() > end)
        throw new Error(`what the hurry is for has not come; on its way: ${onItsWay()}`);
      // A converter that was started is on its way, too, where no event tells.
      const running = programsRunning();
      // Who was here before and stays is a peer of the test, not a converter at work.
      if (running <= before && performance.now() - since > longestProgram) residents = programs = running;
      // What a program has left behind is read before time goes on.
      turnsAfter = running > programs ? readingTurns : Math.max(0, turnsAfter - 1);
      // One that was about to end when the hurry began makes no room for the next one.
      programs = Math.min(programs, running);
      const isFree = stops === 0 && hurries[0] === hurry && turnsAfter === 0;
      const isMoved = isFree && leap(monotonic());
      if (!isMoved) await pause(outsideTurn);
    }
  }

  async function inHurry<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    const mine = {};
    hurries.push(mine);
    stop();
    try {
      await leapUntil(() => isOver, mine);
    } finally {
      hurries.splice(hurries.indexOf(mine), 1);
      goOn();
    }
    return await work;
  }

  return {
    now: () => Math.round(wall + monotonic()),
    monotonic,
    sinceBoot: monotonic,
    forward(span) {
      if (still === undefined) ahead += span;
      else still += span;
      armAll();
    },
    hurry: inHurry,
    spanOf(work) {
      // Begins a moment later, when it stands still already.
      const spent = async () => {
        await Promise.resolve();
        const since = monotonic();
        await work;
        return milliseconds(monotonic() - since);
      };
      return inHurry(spent());
    },
    async standStill(work) {
      stops += 1;
      stop();
      try {
        return await work;
      } finally {
        stops -= 1;
        goOn();
      }
    },
    sleep: sleepBy({ set: schedule, clear: cancel }),
    deadline(span, parent) {
      const limit = new AbortController();
      schedule(() => limit.abort(new DOMException('too late', 'TimeoutError')), span, true);
      return parent ? AbortSignal.any([parent, limit.signal]) : limit.signal;
    },
    setTimeout: (action, delay) => schedule(action, delay),
    clearTimeout(timer) {
      if (timers.has(timer as Timer)) cancel(timer as Timer);
    },
  };
}
