/**
 * The moments of a conversation that get a light or a beep at the reader of the badge: the login accepted, the login
 * refused, and all documents of the session out. A person who typed has no badge, and gets no signal.
 */
import type { CardNumber } from '../domain/card/card-number.ts';
import type { ReaderSignal } from '../domain/ports/readers.ts';
import type { Outcome } from '../domain/release.ts';
import type { TerminalSnapshot } from './machine.ts';

export interface TerminalSignals {
  /** Called after every step of the machine. */
  moved(to: TerminalSnapshot): void;
  /** Called before the machine hears of it. */
  released(ended: { readonly sessionId: string; readonly outcome: Outcome }): void;
}

export function createTerminalSignals({
  from,
  onSignal,
}: {
  readonly from: TerminalSnapshot;
  onSignal(signal: ReaderSignal, card: CardNumber): void;
}): TerminalSignals {
  let before = from;
  /** The session in which a document did not come out for certain. */
  let incomplete: string | undefined;

  const tell = (signal: ReaderSignal, card: CardNumber | undefined): void => {
    if (card) onSignal(signal, card);
  };

  return {
    moved(after) {
      const { session, card, releasing } = before.context;
      const isDone = releasing.length > 0 && areAllOut(before, after) && incomplete !== session?.id;
      if (!session?.card) tell('accepted', after.context.session?.card);
      if (isTurnedAway(before, after)) tell('refused', card);
      if (isRefusedHere(before, after)) tell('refused', after.context.session?.card);
      if (isDone) tell('done', session?.card);
      if (after.context.releasing.length === 0) incomplete = undefined;
      before = after;
    },
    released({ sessionId, outcome }) {
      if (outcome !== 'completed' && sessionId === before.context.session?.id) incomplete = sessionId;
    },
  };
}

/** The person got an apology after the service was asked. A person who cancelled the login does not count. */
function isTurnedAway({ value, context: before }: TerminalSnapshot, { context }: TerminalSnapshot): boolean {
  const { session, card, pinTries, notice } = context;
  const isTurnedAwayHere = !card || pinTries > before.pinTries;
  return value === 'authenticating' && !session && isTurnedAwayHere && notice !== undefined;
}

/** The login was good, but nothing may be printed here. */
const isRefusedHere = (
  { context: before }: TerminalSnapshot,
  { context: after }: TerminalSnapshot,
): boolean => after.documents.isRefusedHere === true && !before.documents.isRefusedHere;

/** The person is still here, or leaves because all is out. */
function areAllOut(
  { context: { session } }: TerminalSnapshot,
  { context: after }: TerminalSnapshot,
): boolean {
  if (after.releasing.length > 0 || !session) return false;
  return after.session ? after.session.id === session.id : after.end === 'released';
}
