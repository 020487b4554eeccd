/**
 * What the agent leaves undone for a while after it crashed again and again (reliability.md E, Restart): it converts
 * nothing, for a document that a converter is fed is what is most likely to be at the bottom of it. Everything else goes
 * on, and so does this when the agent has lasted: nobody need come for it.
 */
import type { Clock } from './core/clock.ts';
import { inMinutes, minutes } from './core/duration.ts';
import type { Conditions } from './domain/condition.ts';
import type { Converter } from './domain/ports/printing.ts';
import { Problem } from './domain/problem.ts';
import type { Start } from './store/start-counter.ts';

/** As many starts in five minutes are no chance any more. */
const fewest = 5;
const lasts = minutes(15);
const place = { scope: 'agent', subject: 'restarts' };

export interface SafeMode extends Disposable {
  guard(converter: Converter): Converter;
}

export function createSafeMode(options: {
  readonly start: Pick<Start, 'count'>;
  readonly conditions: Conditions;
  readonly clock: Clock;
}): SafeMode {
  const { start, conditions, clock } = options;
  let isOn = start.count >= fewest;
  let timer: unknown;

  if (isOn) {
    const detail =
      `started ${start.count} times in 5 minutes without a stop in order: ` +
      `no document is converted until it has run for ${inMinutes(lasts)} minutes`;
    conditions.raise({ code: 'safe-mode', severity: 'error', ...place, detail });
    timer = clock.setTimeout(() => {
      isOn = false;
      conditions.clear(place.scope, place.subject);
    }, lasts);
  }

  return {
    guard: (converter) => ({
      ...converter,
      async convert(...call) {
        if (isOn) throw new Problem('safe-mode', 'nothing is converted, because the agent crashed often');
        return converter.convert(...call);
      },
    }),
    [Symbol.dispose]: () => clock.clearTimeout(timer),
  };
}
