/**
 * Which reads of a badge are events (INVARIANTS.md B.4, 1 Badge read). Readers repeat a badge while it lies on them,
 * up to twenty times a second, slow ones every few seconds; and two badges may come at once. A badge that lies there
 * for ever must not open and close sessions for ever. Pure: the moment of each read is an argument.
 */
import { milliseconds, minutes, seconds } from '../../core/duration.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';

/** Read again within this span after its last read, a badge has not been taken away in between. */
export const stillThereFor = milliseconds(1500);
/** A different badge so soon after an accepted one is not a second person's turn: the first wins. */
const secondCardWithin = milliseconds(300);
/** Nobody holds a badge to a reader for so long, nor again and again without ever putting it away. */
const leftAfter = minutes(10);
/** Away for so long, a badge is put away; only then does one that was left on the reader count again. */
export const leftUntilAwayFor = seconds(30);
/** More badges than fit on any reader. */
const mostRemembered = 16;

export type Verdict = 'accepted' | 'still-there' | 'second-card' | 'card-left';

export interface Debounce {
  /** `at` is monotonic, in milliseconds. */
  judge(card: CardNumber, at: number): Verdict;
}

/** A badge that was read. */
interface Seen {
  /** Of the card: who held it may be gone long since. */
  readonly mark: string;
  /** When it came, and when it was last read. */
  readonly since: number;
  readonly at: number;
  /** When it came after it had been put away. */
  readonly out: number;
  /** It lies on a reader so slow that it seems to come and go. */
  readonly comesAndGoes: boolean;
}

export function createDebounce(): Debounce {
  let remembered: readonly Seen[] = [];
  let acceptedAt = Number.NEGATIVE_INFINITY;

  const remember = (seen: Seen): void => {
    const others = remembered.filter(({ mark, at }) => mark !== seen.mark && seen.at - at < leftUntilAwayFor);
    // A badge that came second is remembered too: held beside the first one, it must not win later.
    remembered = [...others, seen].slice(-mostRemembered);
  };

  return {
    judge(card, at) {
      const mark = card.mark();
      const before = remembered.find((seen) => seen.mark === mark);
      if (before && isStillThere(before, at)) {
        remember({ ...before, at });
        return before.comesAndGoes || at - before.since >= leftAfter ? 'card-left' : 'still-there';
      }
      const out = before && at - before.at < leftUntilAwayFor ? before.out : at;
      const comesAndGoes = at - out >= leftAfter;
      remember({ mark, since: at, at, out, comesAndGoes });
      if (comesAndGoes) return 'card-left';
      if (at - acceptedAt < secondCardWithin) return 'second-card';
      acceptedAt = at;
      return 'accepted';
    },
  };
}

const isStillThere = ({ at, comesAndGoes }: Seen, now: number): boolean =>
  now - at < (comesAndGoes ? leftUntilAwayFor : stillThereFor);
