/**
 * Which reads of a badge are events (reliability.md B.4, 1 Badge read). Readers repeat a badge while it lies on them,
 * up to twenty times a second; and two badges may come at once. Pure: the moment of each read is an argument.
 */
import { milliseconds } from '../core/duration.ts';
import type { CardNumber } from '../domain/card/card-number.ts';

/** Read again within this span after its last read, a badge has not been taken away in between. */
const stillThereFor = milliseconds(1500);
/** A different badge so soon after an accepted one is not a second person's turn: the first wins. */
const secondCardWithin = milliseconds(300);
/** More badges than fit on any reader. */
const mostRemembered = 16;

export type Verdict = 'accepted' | 'still-there' | 'second-card';

export interface Debounce {
  /** `at` is monotonic, in milliseconds. */
  judge(card: CardNumber, at: number): Verdict;
}

export function createDebounce(): Debounce {
  let recent: { readonly card: CardNumber; readonly at: number }[] = [];
  let acceptedAt = Number.NEGATIVE_INFINITY;

  return {
    judge(card, at) {
      const there = recent.filter((read) => at - read.at < stillThereFor);
      const seen = there.some((read) => read.card.equals(card));
      // A badge that came second is remembered too: held beside the first one, it must not win later.
      recent = [...there.filter((read) => !read.card.equals(card)), { card, at }].slice(-mostRemembered);
      if (seen) return 'still-there';
      if (at - acceptedAt < secondCardWithin) return 'second-card';
      acceptedAt = at;
      return 'accepted';
    },
  };
}
