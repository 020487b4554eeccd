/** What is under way when its caller stops may still end well, and whoever cuts it off never learns whether it did. */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';

/** A signal that aborts so long after the given one, with its reason; not at all once it is disposed of. */
export function withGrace(
  signal: AbortSignal,
  grace: Duration,
  clock: Clock,
): { readonly signal: AbortSignal } & Disposable {
  const late = new AbortController();
  const unheard = new AbortController();
  const begin = () =>
    clock.deadline(grace).addEventListener('abort', () => {
      if (!unheard.signal.aborted) late.abort(signal.reason);
    });
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true, signal: unheard.signal });
  return { signal: late.signal, [Symbol.dispose]: () => unheard.abort() };
}
