/**
 * Decides which reads of a badge are events (INVARIANTS.md B.4, 1 Badge read), and finds floods. Readers repeat a
 * badge on them up to twenty times a second, slow readers every few seconds, and two badges may come at once. A badge
 * left on the reader must not open and close sessions for ever. Pure: the caller passes the time of each read.
 */
import { milliseconds, minutes, seconds } from '../../core/duration.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';

/** A badge that is read again within this span was not taken away in between. */
export const stillThereFor = milliseconds(1500);
/** A different badge so soon after an accepted badge is not a second person's turn. The first badge wins. */
const secondCardWithin = milliseconds(300);
/** No person holds a badge to a reader for so long, or shows it again and again without a longer pause. */
const leftAfter = minutes(10);
/**
 * A badge counts as put away after it was away for so long. Only then does a badge that was left on the reader count
 * again.
 */
export const leftUntilAwayFor = seconds(30);
/** More badges than fit on any reader at once. */
const mostRemembered = 16;

export type Verdict = 'accepted' | 'still-there' | 'second-card' | 'card-left';

interface Debounce {
  /** `at` is monotonic, in milliseconds. */
  judge(card: CardNumber, at: number): Verdict;
}

interface Seen {
  /** The mark of the card instead of its number, because the person may have left long ago. */
  readonly mark: string;
  /** When the badge came. `at` below is the time of its last read. */
  readonly since: number;
  readonly at: number;
  /** When the badge first came after it had been put away. */
  readonly out: number;
  /** The badge lies on a slow reader, so that it seems to come and go. */
  readonly comesAndGoes: boolean;
}

export function createDebounce(): Debounce {
  let remembered: readonly Seen[] = [];
  let acceptedAt = Number.NEGATIVE_INFINITY;

  const remember = (seen: Seen): void => {
    const others = remembered.filter(({ mark, at }) => mark !== seen.mark && seen.at - at < leftUntilAwayFor);
    // A second badge is remembered too. If both badges stay on the reader, it must not win later.
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

const window = milliseconds(1000);
const mostInWindow = 100;
/** A flood is over when no frame has come for so long. */
export const floodEndsAfter = milliseconds(1000);

interface FloodGate {
  /** Whether the frame at this time belongs to a flood. `at` is monotonic, in milliseconds. */
  isFlood(at: number): boolean;
}

/**
 * Detects frames that no person can cause: a stuck key, a ghost card, a machine at the other end of the wire. A badge on
 * a reader is read about twenty times a second, which is not a flood.
 */
export function createFloodGate(): FloodGate {
  let isFlooded = false;
  let windowStart = Number.NEGATIVE_INFINITY;
  let inWindow = 0;
  let lastAt = Number.NEGATIVE_INFINITY;

  return {
    isFlood(at) {
      if (at - lastAt >= floodEndsAfter) isFlooded = false;
      lastAt = at;
      if (at - windowStart >= window) {
        windowStart = at;
        inWindow = 0;
      }
      inWindow += 1;
      isFlooded ||= inWindow > mostInWindow;
      return isFlooded;
    },
  };
}
