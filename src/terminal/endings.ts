/**
 * How a person's time at the terminal begins and ends, as parts of the transitions of all its states: the next badge,
 * the same badge, time, and the login that opens a session.
 */
import type { CardNumber } from '../domain/card/card-number.ts';
import type { Session, SessionEnd } from './context.ts';

export const cardOf = ({ event }: { event: { card: CardNumber } }) => ({ card: event.card });
export const errorOf = ({ event }: { event: { error: unknown } }) => ({ error: event.error });

export const sameCard = { type: 'isSameCard', params: cardOf } as const;
export const takeCard = { type: 'takeCard', params: cardOf } as const;
export const isShown = {
  type: 'isShown',
  params: ({ event }: { event: { generation: number } }) => event,
} as const;
export const apologise = { type: 'noteApology', params: errorOf } as const;

export const endBy = (reason: SessionEnd) => ({ type: 'endBy', params: { reason } }) as const;

/** Another person's badge: this session ends, theirs begins. */
export const nextPerson = { target: 'leaving' as const, actions: [endBy('badge'), takeCard] as const };
export const leaves = { target: 'leaving' as const, actions: endBy('badge') };
export const timesOut = { target: 'leaving' as const, actions: endBy('timeout') };

const sessionOf = ({ event }: { event: { output: Session } }) => ({ session: event.output });
export const opensSession = [
  { type: 'openSession', params: sessionOf },
  { type: 'tellSessionOpened', params: sessionOf },
  'limitSession',
] as const;
