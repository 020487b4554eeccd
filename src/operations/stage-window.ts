/** The newest figures of one stage, and their quantiles: of so much time and so many at most, whatever is measured. */
import type { Clock } from '../core/clock.ts';
import { minutes } from '../core/duration.ts';

const span = minutes(15);
const most = 500;

export interface StageWindow {
  add(value: number): void;
  /** By the nearest rank; `undefined` where nothing was measured lately. */
  quantile(rank: number): number | undefined;
}

export function createStageWindow({ clock }: { readonly clock: Clock }): StageWindow {
  let figures: { readonly at: number; readonly value: number }[] = [];
  return {
    add(value) {
      figures.push({ at: clock.monotonic(), value });
      if (figures.length >= 2 * most) figures = figures.slice(-most);
    },
    quantile(rank) {
      const since = clock.monotonic() - span;
      figures = figures.slice(-most).filter(({ at }) => at >= since);
      const values = figures.map(({ value }) => value).sort((one, other) => one - other);
      return values[Math.ceil(rank * values.length) - 1];
    },
  };
}
