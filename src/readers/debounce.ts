/**
 * Which reads of a badge are events (reliability.md B.4, 1 Badge read). Readers repeat a badge while it lies on them,
 * up to twenty times a second, slow ones every few seconds; and two badges may come at once. A badge that lies there
 * for ever must not open and close sessions for ever. Pure: the moment of each read is an argument.
 */
import { milliseconds, minutes, seconds } from '../core/duration.ts';
import type { CardNumber } from '../domain/card/card-number.ts';

/** Read again within this span after its last read, a badge has not been taken away in between. */
export const stillThereFor = milliseconds(1500);
/** A different badge so soon after an accepted one is not a second person's turn: the first wins. */
const secondCardWithin = milliseconds(300);
/** Nobody holds a badge to a reader for so long. */
const leftAfter = minutes(10);

/** What no person does: more badge events than `most` within the span, or as regular as a machine more than `regular`. */
const tapping = { within: minutes(5), most: 30, regular: 10, evenness: 1.25 };
/** A badge that was taken for one left on a slow reader is a person's again after so long an absence. */
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
  /** When it was accepted of late, in order. */
  readonly accepted: readonly number[];
  /** It lies on a reader so slow that it seems to come and go. */
  readonly comesAndGoes: boolean;
}

export function createDebounce(): Debounce {
  let remembered: readonly Seen[] = [];
  let acceptedAt = Number.NEGATIVE_INFINITY;

  const remember = (seen: Seen): void => {
    const others = remembered.filter(({ mark, at }) => mark !== seen.mark && seen.at - at < tapping.within);
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
      const earlier = before?.accepted.filter((moment) => at - moment < tapping.within) ?? [];
      const seen = { mark, since: at, at, accepted: earlier, comesAndGoes: false };
      if (isNoPerson([...earlier, at])) {
        remember({ ...seen, comesAndGoes: true });
        return 'card-left';
      }
      if (at - acceptedAt < secondCardWithin) {
        remember(seen);
        return 'second-card';
      }
      remember({ ...seen, accepted: [...earlier, at] });
      acceptedAt = at;
      return 'accepted';
    },
  };
}

const isStillThere = ({ at, comesAndGoes }: Seen, now: number): boolean =>
  now - at < (comesAndGoes ? leftUntilAwayFor : stillThereFor);

function isNoPerson(moments: readonly number[]): boolean {
  if (moments.length > tapping.most) return true;
  if (moments.length <= tapping.regular) return false;
  const latest = moments.slice(-tapping.regular - 1);
  const pauses = latest.slice(1).map((moment, i) => moment - (latest[i] ?? moment));
  return Math.max(...pauses) <= tapping.evenness * Math.min(...pauses);
}
