/**
 * When a session ends by itself (reliability.md B.4, 10): the countdown begins anew at every sign of the person and
 * whenever a document of theirs comes on, and runs while nothing moves, whatever the reason; and no session is longer
 * than its maximum, whatever happens. The parts of `terminal.ts` that say so.
 */
import { isShown } from './endings.ts';

export const beginsCountdown = ['stopCountdown', 'tellCountdown', 'startCountdown'] as const;

/** Somebody is there. */
export const staysOn = { guard: isShown, actions: beginsCountdown } as const;

/** Of the session that is open, not of an earlier one. */
export const isOwn = {
  type: 'isOwn',
  params: ({ event }: { event: { sessionId: string } }) => event,
} as const;
