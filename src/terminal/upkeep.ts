/**
 * How an open session's list is kept up to date, as the states within `choosing`. The service is asked again after a
 * while, and at once if the same badge is held to an empty list. A look is no sign of the person, so the countdown runs
 * on.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Told } from './endings.ts';
import { apologise, notes, ofSession } from './endings.ts';
import type { Sorted } from './given.ts';
import { isAllDone, listAfter } from './list.ts';
import { looked } from './notices.ts';
import { terminalSetup } from './setup.ts';

type Looked = Told<{ readonly output: Sorted }>;

/** Costs are asked for again, and the time of a notice starts again. */
const beginsAnew = { target: '#terminal.choosing', reenter: true } as const;

const changesList = ({ context, event }: Looked): boolean =>
  context.list === 'stale' ||
  !isDeepStrictEqual(listAfter(context, event.output).documents, context.documents);

/** The session was about to close, and now there is news to read. */
const holdsUp = (at: Looked): boolean => isAllDone(at.context) && changesList(at);

const noteLook = notes(({ context, event }: Looked) => {
  const { arrived, ...renewed } = listAfter(context, event.output);
  return {
    ...renewed,
    list: 'fresh',
    returned: [],
    isLookAskedFor: false,
    notice: looked(context, arrived),
  };
});

const endLook = notes(() => ({ isLookAskedFor: false }));

export const upkeep = terminalSetup.createStateConfig({
  initial: 'resting',
  states: {
    resting: {
      description: 'The list is as the service told it a moment ago.',
      after: {
        untilNextLook: [
          {
            // Nothing else comes first.
            guard: ({ context: { cloud, given } }) => cloud === 'up' && !given.isReleasing(),
            target: 'looking',
          },
          { target: 'resting', reenter: true },
        ],
      },
    },
    looking: {
      description: 'The service is asked what waits by now.',
      invoke: {
        src: 'look',
        input: (at) => ({ ...ofSession(at), inBackground: !at.context.isLookAskedFor }),
        onDone: [
          { guard: holdsUp, ...beginsAnew, actions: [noteLook, 'applyDefaults', 'beginCountdown'] },
          { guard: changesList, ...beginsAnew, actions: [noteLook, 'applyDefaults'] },
          {
            guard: ({ context }) => context.isLookAskedFor,
            ...beginsAnew,
            actions: [noteLook, 'applyDefaults'],
          },
          { target: 'resting' },
        ],
        onError: [
          {
            guard: ({ context }) => context.isLookAskedFor,
            ...beginsAnew,
            actions: [apologise, endLook],
          },
          { target: 'resting' },
        ],
      },
      after: { callLimit: { target: 'resting', actions: endLook } },
    },
  },
});
