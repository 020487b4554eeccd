/**
 * How an open session's list is kept up to date, as the states within `choosing`: the service is asked again after a
 * while, and at once where the same badge is held to an empty list. It is nobody's sign of life: the countdown runs on.
 */
import { isDeepStrictEqual } from 'node:util';
import { beginsCountdown } from './countdown.ts';
import { apologise, cardOf } from './endings.ts';
import type { Sorted } from './sorted-documents.ts';
import type { TerminalContext } from './context.ts';
import { required } from './context.ts';
import { terminalSetup } from './setup.ts';
import { listAfter } from './renewed-list.ts';

interface Answered {
  readonly context: TerminalContext;
  readonly event: { readonly output: Sorted };
}

/** What follows is asked and counted anew: costs, and how long a word stays. */
const beginsAnew = { target: '#terminal.choosing', reenter: true } as const;

const changesList = ({ context, event }: Answered): boolean =>
  !isDeepStrictEqual(listAfter(context, event.output).documents, context.documents);

const noteLook = { type: 'noteLook', params: ({ event }: Answered) => event.output } as const;

export const upkeep = terminalSetup.createStateConfig({
  initial: 'resting',
  states: {
    resting: {
      description: 'The list is as the service told it a moment ago.',
      after: {
        untilNextLook: [
          { guard: 'mayLook', target: 'looking' },
          { target: 'resting', reenter: true },
        ],
      },
    },
    looking: {
      description: 'The service is asked what waits by now.',
      invoke: {
        src: 'look',
        input: ({ context }) => ({
          session: required(context.session, 'session'),
          inBackground: !context.isLookAskedFor,
        }),
        onDone: [
          { guard: changesList, ...beginsAnew, actions: noteLook },
          { guard: 'isLookAskedFor', ...beginsAnew, actions: noteLook },
          { target: 'resting' },
        ],
        onError: [
          { guard: 'isLookAskedFor', ...beginsAnew, actions: [apologise, 'endLook'] },
          { target: 'resting' },
        ],
      },
      after: { callLimit: { target: 'resting', actions: 'endLook' } },
    },
  },
});

/** The same badge, where nothing waits. */
export const looksAgain = {
  guard: { type: 'isSameCardAndNothingLeft', params: cardOf },
  target: '.looking',
  reenter: true,
  actions: ['askForLook', ...beginsCountdown],
} as const;
