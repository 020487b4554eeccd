/**
 * Time that stands still while anything is on its way, and then leaps to the next moment that somebody waits for: whole
 * agents, clouds and printers on real sockets live through an hour in a fraction of a second, and no deadline runs out
 * because this computer was busy. All ends of all sockets have to be in this process.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../src/core/clock.ts';
import type { Duration } from '../../src/core/duration.ts';
import { patience } from './patience.ts';
import { sleepBy } from './sleep-by.ts';

export interface VirtualTime {
  /** One for each who may be switched off alone. */
  clock(): VirtualClock;
  /** Leaps on until the work is done; rejects when nobody waits for anything and it is not. */
  until<Result>(work: Promise<Result>): Promise<Result>;
  /** Leaps on until nothing is thrown, and gives what was seen; rejects with the last failure when patience has run out. */
  see<Seen>(look: () => Seen): Promise<Seen>;
  /** All at once, while nobody is running whose deadlines would run out. */
  forward(span: Duration): void;
  /** Milliseconds of wall time, as everybody's clock tells it. */
  now(): number;
  /** How often it leapt. */
  leaps(): number;
}

export interface VirtualClock extends Clock {
  /** Nothing that waits on it ever goes on. */
  stop(): void;
}

interface Timer {
  readonly at: number;
  /** Of two for the same moment the older one comes first. */
  readonly order: number;
  fire: (() => void) | undefined;
}

/** Wall and monotonic time start at different figures on purpose. */
const wallStart = Date.UTC(2026, 10, 21, 12);
const start = 5000;

/** One for all: most deadlines run out when nobody minds any more, and a stack for each is dear. */
const tooLate = new DOMException('too late', 'TimeoutError');

/** Turns of the event loop without an event, after which nothing is on its way. */
const calmTurns = 3;

/** Milliseconds: what is waited for comes from outside of this process, as the system's own timers do. */
const outsideTurn = 2;

/** Requests of Node's thread pool, which are no events until they are done. */
const underWay = /Req|^(?:Zlib|RandomBytes|SignRequest|KeyGen)/;

export function createVirtualTime(): VirtualTime {
  let now = start;
  let leaps = 0;
  let orders = 0;
  const queue = createQueue();

  const schedule = (action: () => void, delay: number): Timer => {
    orders += 1;
    const timer: Timer = { at: now + Math.max(0, delay), order: orders, fire: action };
    // What waits for ever does not wait for time.
    if (Number.isFinite(timer.at)) queue.add(timer);
    return timer;
  };

  function clock(): VirtualClock {
    let isStopped = false;
    const set = (action: () => void, delay: number): Timer => {
      // As Node's own timers do, it goes on for whoever set it: a dead life would get out of its grave otherwise.
      const go = AsyncLocalStorage.bind(action);
      return schedule(() => {
        if (!isStopped) go();
      }, delay);
    };
    const clear = (timer: Timer) => {
      timer.fire = undefined;
    };
    return {
      now: () => wallStart + now - start,
      monotonic: () => now,
      sinceBoot: () => now,
      stop() {
        isStopped = true;
      },
      sleep: sleepBy({ set, clear }),
      deadline(span, parent) {
        const limit = new AbortController();
        set(() => limit.abort(tooLate), span);
        return parent ? AbortSignal.any([parent, limit.signal]) : limit.signal;
      },
      setTimeout: set,
      clearTimeout(timer) {
        if (timer !== undefined) clear(timer as Timer);
      },
    };
  }

  function fireNext(): void {
    const timer = queue.take();
    if (!timer?.fire) return;
    if (timer.at > now) {
      now = timer.at;
      leaps += 1;
    }
    timer.fire();
  }

  /** To the next moment, and all that is due then; `false` where nobody waits for anything. */
  function leap(): boolean {
    if (!queue.next()) return false;
    fireNext();
    for (let next = queue.next(); next && (next.at <= now || !next.fire); next = queue.next()) fireNext();
    return true;
  }

  return {
    clock,
    now: () => wallStart + now - start,
    leaps: () => leaps,
    forward(span) {
      now += span;
    },
    async until(work) {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      work.then(over, over);
      for (;;) {
        await calm();
        if (isOver) return await work;
        if (!leap()) throw new Error('nobody waits for anything any more');
      }
    },
    async see(look) {
      const end = performance.now() + patience();
      for (;;) {
        await calm();
        try {
          return look();
        } catch (failure) {
          if (performance.now() > end) throw failure;
        }
        if (!leap()) await pause(outsideTurn);
      }
    },
  };
}

/** What another process has been asked, and has not answered. */
const asked = new Set<Promise<unknown>>();

/** As long as this has no answer it is on its way, though nothing moves in this process. */
export function isAsked(answer: Promise<unknown>): void {
  asked.add(answer);
  const over = () => void asked.delete(answer);
  answer.then(over, over);
}

/** Resolves when turn after turn of the event loop has brought nothing: nothing is on its way in this process. */
export async function calm(): Promise<void> {
  for (let turns = 0; turns < calmTurns; turns += 1) {
    const before = performance.nodeTiming.uvMetricsInfo.events;
    await new Promise((resolve) => setImmediate(resolve));
    const isBusy =
      performance.nodeTiming.uvMetricsInfo.events !== before ||
      asked.size > 0 ||
      (turns === calmTurns - 1 && process.getActiveResourcesInfo().some((kind) => underWay.test(kind)));
    if (isBusy) turns = -1;
    if (asked.size > 0) await pause(1);
  }
}

/** A binary heap by moment. */
function createQueue() {
  const heap: Timer[] = [];
  const isBefore = (a: Timer, b: Timer) => a.at < b.at || (a.at === b.at && a.order < b.order);
  const at = (index: number): Timer => {
    const timer = heap[index];
    if (!timer) throw new RangeError('outside the heap');
    return timer;
  };
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [at(b), at(a)];
  };
  return {
    next: (): Timer | undefined => heap[0],
    add(timer: Timer): void {
      heap.push(timer);
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (!isBefore(at(index), at(parent))) return;
        swap(index, parent);
        index = parent;
      }
    },
    take(): Timer | undefined {
      const [first] = heap;
      const last = heap.pop();
      if (!first || !last || heap.length === 0) return first;
      heap[0] = last;
      for (let index = 0; ; ) {
        let least = index;
        for (const child of [2 * index + 1, 2 * index + 2]) {
          if (child < heap.length && isBefore(at(child), at(least))) least = child;
        }
        if (least === index) return first;
        swap(index, least);
        index = least;
      }
    },
  };
}
