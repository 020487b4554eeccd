/** How a clock of the tests sleeps, whatever its timers are. */
import type { Clock } from '../../src/core/clock.ts';

export function sleepBy<Timer>(timers: {
  set(action: () => void, delay: number): Timer;
  clear(timer: Timer): void;
}): Clock['sleep'] {
  return (span, { signal } = {}) => {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      timers.clear(timer);
      reject(signal?.reason as Error);
    };
    // A signal that lives as long as the agent would hold every sleep there ever was.
    const timer = timers.set(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, span);
    signal?.addEventListener('abort', giveUp, { once: true });
    return promise;
  };
}
