/**
 * How a person's time at the terminal begins and ends, as parts of the transitions of all its states: the next badge,
 * the same badge, the login that opens a session, and time (INVARIANTS.md B.4, 10). The countdown starts again at every
 * sign of the person, and whenever a document of theirs comes on. It runs while nothing moves, for whatever reason. A
 * session never lasts longer than its maximum.
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
/** For the open session, not for an earlier one. */
export const isOwn = { type: 'isOwn', params: asSaid<{ readonly sessionId: string }> } as const;
export const apologise = { type: 'noteApology', params: errorOf } as const;

export const beginsCountdown = ['stopCountdown', 'tellCountdown', 'startCountdown'] as const;

/** All is done. The person gets time to read that, and no longer, unless they touch the screen. */
export const endsSoon = ['stopCountdown', 'tellEndSoon', 'endSoon'] as const;

export const endBy = (reason: SessionEnd) => ({ type: 'endBy', params: { reason } }) as const;

/** Another person's badge ends this session and begins theirs. */
export const nextPerson = { target: 'leaving', actions: [endBy('badge'), takeCard] } as const;
export const leaves = { target: 'leaving', actions: endBy('badge') } as const;
export const timesOut = { target: 'leaving', actions: endBy('timeout') } as const;
export const logsOut = { guard: isShown, target: 'leaving', actions: endBy('logout') } as const;
/** People can no longer log in here. */
export const withdrawn = { guard: 'isWithdrawn', target: 'leaving', actions: endBy('error') } as const;

const sessionOf = ({ event }: { event: { output: Session } }) => ({ session: event.output });
export const opensSession = [
  { type: 'openSession', params: sessionOf },
  { type: 'tellSessionOpened', params: sessionOf },
  'limitSession',
] as const;
