/**
 * Decides which groups a member takes, and which it gives back, from the engine's answer (F11). The preferred member of
 * a group takes it; if that does not happen, another one does. A group goes back to the preferred member when no user
 * is at its terminals, and that member has stayed for a while.
 */
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { Member } from '../domain/ports/holds.ts';
import { memberTtl } from './engine/membership.ts';

export const beatEvery = seconds(1);
/** Shorter than that by our own clock, from before the question: the holder stops before another may take over. */
export const holdsFor = milliseconds(memberTtl - seconds(1));
/** If the preferred member leaves a hold free for so long, it does not take it. */
const preferredTakesWithin = seconds(3);
const othersTakeWithin = seconds(6);
const stayedFor = seconds(30);

/** One hold as the engine saw it at a beat: of a printer, or of a terminal. */
export interface GroupSeen {
  readonly group: string;
  readonly epoch: number;
  /** `lapsed`: the beats of its holder ended; `free`: it was given up in order, or never held. */
  readonly state: 'own' | 'held' | 'lapsed' | 'free';
  readonly holder: string | undefined;
  /** Since it was given up, or its holder's time was over. */
  readonly freeFor: Duration;
  readonly isPreferred: boolean;
  /** The preferred member among those that beat. */
  readonly preferred: string | undefined;
  /** How long the preferred member has been beating without a gap. */
  readonly preferredFor: Duration;
  /** Another member of the site is set up for it, beating or not. */
  readonly isShared: boolean;
}

export interface BeatSeen {
  /** Its own time was over before this beat: another member may have taken its holds after this answer. */
  readonly hadLapsed: boolean;
  readonly members: readonly Member[];
  /** How long this member has been beating without a gap. */
  readonly beatingFor: Duration;
  readonly groups: readonly GroupSeen[];
  /** The sites of other members that have the same name, and beat. */
  readonly namesakes: readonly string[];
}

/** A terminal's own hold goes to the member that has its printer. */
export interface TerminalSeen {
  readonly own: GroupSeen;
  readonly printer: GroupSeen;
}

/**
 * After an outage of the engine the beats of all members are old, and the first to be back must not take all holds. So
 * a member takes lapsed holds only after it has beaten for as long as the others need to come back.
 */
export const toTake = ({
  beatingFor,
  groups,
}: Pick<BeatSeen, 'beatingFor' | 'groups'>): readonly GroupSeen[] =>
  groups.filter(
    (seen) => isFree(seen, beatingFor) && (seen.isPreferred || seen.freeFor >= preferredTakesWithin),
  );

/**
 * Taken at once, together with the printer's hold. A member that had the printer before may have another address for it
 * than the last holder of the terminal. So it leaves time to members that agree with that holder.
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
