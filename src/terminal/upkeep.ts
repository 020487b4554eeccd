/**
 * How an open session's list is kept up to date, as the states within `choosing`. The service is asked again after a
 * while, and at once if the same badge is held to an empty list. A look is no sign of the person, so the countdown runs
 * on.
 */
import { isDeepStrictEqual } from 'node:util';
import { required } from '../core/required.ts';
import type { Sorted } from './context.ts';
import type { In, Told } from './endings.ts';
import { apologise, beginsCountdown, cardOf } from './endings.ts';
import { isAllDone, listAfter } from './list.ts';

type Looked = Told<{ readonly output: Sorted }>;

/** Costs are asked for again, and the time of a notice starts again. */
const beginsAnew = { target: '#terminal.choosing', reenter: true } as const;

const changesList = ({ context, event }: Looked): boolean =>
  context.list === 'stale' ||
  !isDeepStrictEqual(listAfter(context, event.output).documents, context.documents);

/** The session was about to close, and now there is news to read. */
const holdsUp = (looked: Looked): boolean => isAllDone(looked.context) && changesList(looked);

const noteLook = [
  { type: 'noteLook', params: ({ event }: Looked) => event.output },
  'applyDefaults',
] as const;

export const upkeep = {
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
        input: ({ context }: In) => ({
          session: required(context.session, 'session'),
          inBackground: !context.isLookAskedFor,
        }),
        onDone: [
          { guard: holdsUp, ...beginsAnew, actions: [...noteLook, ...beginsCountdown] },
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
} as const;

/** The same badge is held, and no document waits. */
export const looksAgain = {
  guard: { type: 'isSameCardAndNothingLeft', params: cardOf },
  target: '.looking',
  reenter: true,
  actions: ['askForLook', ...beginsCountdown],
} as const;
