/**
 * Which groups a member takes, and which it gives back, by what the engine told of them (F11). The preferred member of
 * a group takes it; another one does where that does not happen. What is held is given back to the preferred member
 * only when nobody is at its terminals, and when that member has stayed for a while.
 */
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { Member } from '../domain/ports/holds.ts';
import { memberTtl } from './engine/membership.ts';

export const beatEvery = seconds(1);
/** Less than that by our own clock, from before we asked: who holds stops before another may take. */
export const holdsFor = milliseconds(memberTtl - seconds(1));
/** What the preferred member has left free for so long, it does not take. */
const preferredTakesWithin = seconds(3);
const othersTakeWithin = seconds(6);
const stayedFor = seconds(30);

/** One hold as the engine saw it at a beat: of a printer, or of a terminal. */
export interface GroupSeen {
  readonly group: string;
  readonly epoch: number;
  /** `lapsed`: the beats of whoever held it ended; `free`: it was given up in order, or never held. */
  readonly state: 'own' | 'held' | 'lapsed' | 'free';
  /** The name of whoever held it last. */
  readonly holder: string | undefined;
  /** Since it was given up, or its holder's time was over. */
  readonly freeFor: Duration;
  readonly isPreferred: boolean;
  /** Among those that beat. */
  readonly preferred: string | undefined;
  /** How long that one has been beating without a gap. */
  readonly preferredFor: Duration;
  /** Another member of the site is set up for it, beating or not. */
  readonly isShared: boolean;
}

export interface BeatSeen {
  /** Its own time was over before this beat: what it says of holds may be older than who took them since. */
  readonly hadLapsed: boolean;
  readonly members: readonly Member[];
  /** How long this member has been beating without a gap. */
  readonly beatingFor: Duration;
  readonly groups: readonly GroupSeen[];
  /** The sites of other members that have this one's name, and beat. */
  readonly namesakes: readonly string[];
}

/** A terminal's own hold is taken by whoever has its printer's. */
export interface TerminalSeen {
  readonly own: GroupSeen;
  readonly printer: GroupSeen;
}

/**
 * After an outage of the engine everybody's beats are old, and the first to be back must not take all: what lapsed is
 * taken by who has been there for as long as the others have to come back.
 */
export const toTake = ({
  beatingFor,
  groups,
}: Pick<BeatSeen, 'beatingFor' | 'groups'>): readonly GroupSeen[] =>
  groups.filter(
    (seen) => isFree(seen, beatingFor) && (seen.isPreferred || seen.freeFor >= preferredTakesWithin),
  );

/**
 * At once, together with the printer's. Whoever had that before may look for the printer elsewhere than whoever held the
 * terminal last: it leaves time to those that agree with that one.
 */
export const terminalsToTake = (
  terminals: readonly TerminalSeen[],
  { beatingFor, taking }: Pick<BeatSeen, 'beatingFor'> & { readonly taking: readonly GroupSeen[] },
): readonly GroupSeen[] =>
  terminals
    .filter(({ own, printer }) => {
      if (!isFree(own, beatingFor)) return false;
      if (taking.includes(printer)) return true;
      return printer.state === 'own' && (own.epoch === 0 || own.freeFor >= othersTakeWithin);
    })
    .map(({ own }) => own);

const isFree = ({ state }: GroupSeen, beatingFor: Duration): boolean =>
  state === 'free' || (state === 'lapsed' && beatingFor >= memberTtl);

export const toGiveBack = (
  { groups }: Pick<BeatSeen, 'groups'>,
  isIdle: (group: string) => boolean,
): readonly GroupSeen[] =>
  groups.filter(
    ({ group, state, isPreferred, preferredFor }) =>
      state === 'own' && !isPreferred && preferredFor >= stayedFor && isIdle(group),
  );
