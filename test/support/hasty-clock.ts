/**
 * A clock whose sleepers wake at once, and yet the time they wanted to sleep has passed: ten minutes of polling take a
 * moment. Not for what waits on bytes, which come no faster for it.
 */
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';

export function hastyClock(): Clock {
  let passed = 0;
  let limits: readonly { readonly at: number; readonly over: AbortController }[] = [];
  return {
    ...systemClock,
    monotonic: () => passed,
    async sleep(span, options) {
      await new Promise(setImmediate);
      options?.signal?.throwIfAborted();
      passed += span;
      const due = limits.filter(({ at }) => at <= passed);
      limits = limits.filter(({ at }) => at > passed);
      for (const { over } of due) over.abort(new DOMException('too late', 'TimeoutError'));
    },
    deadline(span, parent) {
      const over = new AbortController();
      limits = [...limits, { at: passed + span, over }];
      return parent ? AbortSignal.any([parent, over.signal]) : over.signal;
    },
  };
}
