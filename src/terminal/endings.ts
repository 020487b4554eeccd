/**
 * How a person's time at the terminal begins and ends, as parts of the transitions of all its states: the next badge,
 * the same badge, the login that opens a session, and time (INVARIANTS.md B.4, 10). The countdown starts again at every
 * sign of the person, and whenever a document of theirs comes on. It runs while nothing moves, for whatever reason. A
 * session never lasts longer than its maximum.
 */
import { minutes } from '../core/duration.ts';
import { recordOf } from '../core/record-of.ts';
import { required } from '../core/required.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { WordType } from '../domain/terminal/persons-word.ts';
import { personsWords } from '../domain/terminal/persons-word.ts';
import type { SessionEnd, TerminalContext } from './context.ts';
import type { Session } from './given.ts';
import { lastWord } from './notices.ts';

/** INVARIANTS.md B.4, 10. */
export const longestSession = minutes(10);

export interface In {
  readonly context: TerminalContext;
}

export interface Told<Event> extends In {
  readonly event: Event;
}

/** For the actions that several states share. */
export const notes = <At>(facts: (at: At) => Partial<TerminalContext>) =>
  ({ type: 'note', params: facts }) as const;

const cardOf = ({ event }: { event: { card: CardNumber } }) => ({ card: event.card });
export const takeCard = { type: 'takeCard', params: cardOf } as const;

const errorOf = ({ event }: { event: { error: unknown } }) => ({ error: event.error });
export const apologise = { type: 'apologise', params: errorOf } as const;

export const endBy = (reason: SessionEnd) => ({ type: 'endBy', params: { reason } }) as const;

/** Another person's badge ends this session and begins theirs. */
export const nextPerson = { target: 'leaving', actions: [endBy('badge'), takeCard] } as const;
export const leaves = { target: 'leaving', actions: endBy('badge') } as const;
export const timesOut = { target: 'leaving', actions: endBy('timeout') } as const;
export const logsOut = { guard: 'isShown', target: 'leaving', actions: endBy('logout') } as const;
/** Nothing is left to be done or asked. */
export const closes = {
  target: 'leaving',
  actions: [notes(({ context }: In) => ({ notice: lastWord(context) })), endBy('released')],
} as const;
/** People can no longer log in here. */
export const withdrawn = { guard: 'isWithdrawn', target: 'leaving', actions: endBy('error') } as const;

export const opensSession = [
  notes(({ context: { given, generation }, event }: Told<{ readonly output: Session }>) => ({
    session: event.output,
    generation: generation + 1,
    latestEnd: given.clock.monotonic() + longestSession,
  })),
  ({ context: { given }, event }: Told<{ readonly output: Session }>): void =>
    given.log.info('session opened', { sessionId: event.output.id }),
  'limitSession',
] as const;

/** The session ends after `logoutTimeout` from now, if nothing happens. */
export const beginsCountdown = ['stopCountdown', 'noteEnd', 'startCountdown'] as const;

/** All is done. The person gets time to read that, and no longer, unless they touch the screen. */
export const endsSoon = ['stopCountdown', 'noteNearEnd', 'endSoon'] as const;

/** The person gives a sign. */
export const staysOn = { guard: 'isShown', actions: beginsCountdown } as const;

/** A call for the open session. */
export const ofSession = ({ context: { given, session } }: In) => ({
  calls: given.calls,
  session: required(session, 'session'),
});

type OutOfPlace = Exclude<WordType, 'language' | 'still-there'>;
/** If the terminal expects no such word, it does nothing, and the log tells that something was said. */
export const wordsOutOfPlace = recordOf(
  Object.keys(personsWords).filter(
    (type): type is OutOfPlace => type !== 'language' && type !== 'still-there',
  ),
  { actions: 'tellIgnored' } as const,
);
