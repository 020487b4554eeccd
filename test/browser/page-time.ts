/**
 * The time of a page stands still until a test moves it: how long the page waits before it calls its terminal lost, says
 * goodbye or deletes something must not depend on how busy the machine is. Short delays, by which a page draws itself and
 * speaks, go on by themselves.
 */
import type { BrowserContext, Page } from 'playwright-core';

/** Milliseconds; a shorter delay is none that a page waits for. */
const shortest = 200;

declare global {
  var pageTime: {
    forward(span: number): void;
    setDate(date: string): void;
  };
}

/** For all pages that the context opens from now on. */
export const holdTime = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(standStill, shortest);

/**
 * All at once: of what is due by then, each happens once. What is on the screen has set its timers first: a page draws
 * before it does so, and a timer that is set behind the step would wait for another one that no test takes.
 */
export async function forwardPage(page: Page, milliseconds: number): Promise<void> {
  await drawn(page);
  await page.evaluate((span) => pageTime.forward(span), milliseconds);
}

/** Resolves when what the page has heard is on the screen, and what belongs to it goes on (`useEffect`). */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) =>
        // Effects run in a task behind the frame, and this task is asked for after theirs.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
      ),
  );

/** What the clock on the wall shows. */
export const setDateOf = (page: Page, date: string): Promise<void> =>
  page.evaluate((to) => pageTime.setDate(to), date);

/** Runs in the page, before its own scripts. */
function standStill(least: number): void {
  interface Timer {
    at: number;
    /** Of an interval. */
    readonly every?: number;
    readonly call: () => void;
  }
  const timers = new Map<number, Timer>();
  const { setTimeout: soon, setInterval: often, clearTimeout: forget } = globalThis;
  let now = performance.now();
  let date = Date.now() - now;
  let last = 2 ** 30;

  const wait = (call: () => void, delay: number, every?: number): number => {
    last += 1;
    timers.set(last, { at: now + delay, call, ...(every !== undefined && { every }) });
    return last;
  };
  const stop = (timer?: number): void => {
    if (timer !== undefined && !timers.delete(timer)) forget(timer);
  };
  const bound = (call: TimerHandler, given: readonly unknown[]) => () => {
    if (typeof call === 'function') call(...given);
  };

  performance.now = () => now;
  globalThis.Date = class extends Date {
    static override now(): number {
      return date + now;
    }
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [date + now] : given) as [number]));
    }
  } as DateConstructor;
  Object.assign(globalThis, {
    setTimeout: (call: TimerHandler, delay = 0, ...given: readonly unknown[]) =>
      delay < least ? soon(call, delay, ...given) : wait(bound(call, given), delay),
    setInterval: (call: TimerHandler, delay = 0, ...given: readonly unknown[]) =>
      delay < least ? often(call, delay, ...given) : wait(bound(call, given), delay, delay),
    clearTimeout: stop,
    clearInterval: stop,
  });
  AbortSignal.timeout = (delay) => {
    const limit = new AbortController();
    wait(() => limit.abort(new DOMException('too late', 'TimeoutError')), delay);
    return limit.signal;
  };
  globalThis.pageTime = {
    forward(span) {
      now += span;
      const due = [...timers].filter(([, { at }]) => at <= now).toSorted(([, a], [, b]) => a.at - b.at);
      for (const [timer, { every, call }] of due) {
        // An earlier one may have taken it back.
        const held = timers.get(timer);
        if (!held) continue;
        if (every === undefined) timers.delete(timer);
        else held.at = now + every;
        call();
      }
    },
    setDate(to) {
      date = new Date(to).getTime() - now;
    },
  };
}
