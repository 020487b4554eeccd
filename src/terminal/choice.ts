/**
 * What a person says on the screen, as the transitions of `terminal.ts` that it leads to: which documents to print,
 * which to print once more, which were found in the tray (reliability.md B.1, UNKNOWN on screen). It counts only for
 * what the screen shows now: words to an older view, or said twice, do nothing (D2, I3; B.4, 7).
 */
import { beginsCountdown } from './countdown.ts';
import { doubtfulOf, pickedOf } from './session-list.ts';
import type { Changed, Picked, Said } from './events.ts';
import type { TerminalContext } from './context.ts';
import { required } from './context.ts';

interface Told<Words> {
  readonly context: TerminalContext;
  readonly event: Words;
}

const said = <Words>({ event }: { event: Words }): Words => event;

/** These, in the order of the list. */
export const chosen = {
  guard: { type: 'picksSome', params: said<Picked> },
  actions: [
    {
      type: 'tellLeftOut',
      params: ({ context, event }: Told<Picked>) => ({
        count: event.documentUuids.length - pickedOf(context, event).length,
      }),
    },
    {
      type: 'wish',
      params: ({ context, event }: Told<Picked>) => ({
        wishes: pickedOf(context, event).map((document) => ({ document })),
      }),
    },
    ...beginsCountdown,
  ],
} as const;

const discardedOf = ({ context, event }: Told<Picked>) => ({
  session: required(context.session, 'session'),
  documents: pickedOf(context, event),
});

/** These are not wanted any more. They leave the list at once; where the service refuses that, they come back. */
export const discards = {
  guard: { type: 'picksSome', params: said<Picked> },
  target: 'choosing',
  // What they would have cost is asked for no longer.
  reenter: true,
  actions: [
    { type: 'discard', params: discardedOf },
    { type: 'noteDiscarded', params: discardedOf },
    ...beginsCountdown,
  ],
} as const;

/** One document is wanted otherwise than it was sent. */
export const changes = {
  guard: { type: 'mayChange', params: said<Changed> },
  target: 'choosing',
  // It costs something else.
  reenter: true,
  actions: [{ type: 'noteChange', params: said<Changed> }, ...beginsCountdown],
} as const;

/** Told that it may have printed, the person wants it once more. */
export const printAgain = {
  guard: { type: 'isDoubtful', params: said<Said> },
  actions: [
    {
      type: 'wish',
      params: ({ context, event }: Told<Said>) => {
        const { document, releaseId } = required(doubtfulOf(context, event), 'doubtful document');
        return { wishes: [{ document, again: releaseId }] };
      },
    },
    ...beginsCountdown,
  ],
} as const;

const foundOf = ({ context, event }: Told<Said>) => ({
  session: required(context.session, 'session'),
  found: required(doubtfulOf(context, event), 'doubtful document'),
});

/** The pages lie in the tray. */
export const isThere = {
  guard: { type: 'isDoubtful', params: said<Said> },
  actions: [{ type: 'confirm', params: foundOf }, { type: 'noteFound', params: foundOf }, ...beginsCountdown],
} as const;

/** By the button. */
export const logsOut = {
  guard: { type: 'isShown', params: said<{ generation: number }> },
  target: 'leaving',
  actions: { type: 'endBy', params: { reason: 'logout' } },
} as const;
