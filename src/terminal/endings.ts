/**
 * How a person's time at the terminal begins and ends, as parts of the transitions of all its states: the next badge,
 * the same badge, the login that opens a session, and time (INVARIANTS.md B.4, 10). The countdown begins anew at every
 * sign of the person and whenever a document of theirs comes on, and runs while nothing moves, whatever the reason; and no
 * session is longer than its maximum, whatever happens.
 */
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Session, SessionEnd, TerminalContext } from './context.ts';

export interface In {
  readonly context: TerminalContext;
}

export interface Told<Event> extends In {
  readonly event: Event;
}

export const cardOf = ({ event }: { event: { card: CardNumber } }) => ({ card: event.card });
export const errorOf = ({ event }: { event: { error: unknown } }) => ({ error: event.error });
export const asSaid = <Said>({ event }: { event: Said }): Said => event;

export const sameCard = { type: 'isSameCard', params: cardOf } as const;
export const takeCard = { type: 'takeCard', params: cardOf } as const;
export const isShown = { type: 'isShown', params: asSaid<{ readonly generation: number }> } as const;
/** Of the session that is open, not of an earlier one. */
export const isOwn = { type: 'isOwn', params: asSaid<{ readonly sessionId: string }> } as const;
export const apologise = { type: 'noteApology', params: errorOf } as const;

export const beginsCountdown = ['stopCountdown', 'tellCountdown', 'startCountdown'] as const;

/** All is done: time to read that, and no longer, unless somebody touches the screen. */
export const endsSoon = ['stopCountdown', 'tellEndSoon', 'endSoon'] as const;

export const endBy = (reason: SessionEnd) => ({ type: 'endBy', params: { reason } }) as const;

/** Another person's badge: this session ends, theirs begins. */
export const nextPerson = { target: 'leaving', actions: [endBy('badge'), takeCard] } as const;
export const leaves = { target: 'leaving', actions: endBy('badge') } as const;
export const timesOut = { target: 'leaving', actions: endBy('timeout') } as const;
/** By the button. */
export const logsOut = { guard: isShown, target: 'leaving', actions: endBy('logout') } as const;
/** Nobody can be logged in any more. */
export const withdrawn = { guard: 'isWithdrawn', target: 'leaving', actions: endBy('error') } as const;

const sessionOf = ({ event }: { event: { output: Session } }) => ({ session: event.output });
export const opensSession = [
  { type: 'openSession', params: sessionOf },
  { type: 'tellSessionOpened', params: sessionOf },
  'limitSession',
] as const;
