/**
 * The state in which the service is told of a badge and prints by itself (spec, Card reader). The call is made by who
 * read the badge, and is not given up when the next one is held: it prints.
 */
import { assign } from 'xstate';
import { endBy, isShown } from './endings.ts';
import { begins } from './login.ts';
import { perhapsRelayed } from './notices.ts';
import { terminalSetup } from './setup.ts';

/** From any state: whoever had a session has none any more (I3), also while no badge is relayed. */
export const relays = [
  { guard: 'isWithdrawn', target: '.leaving', actions: endBy('badge') },
  { target: '.leaving', actions: [endBy('badge'), 'noteRelay'] },
] as const;

export const relaying = terminalSetup.createStateConfig({
  description: 'The service is told of a badge, and lets out the documents by itself.',
  entry: assign({ isRelayed: false }),
  on: {
    CARD: [{ guard: 'isWithdrawn', actions: 'tellCardIgnored' }, ...begins],
    RELAY_ENDED: {
      guard: isShown,
      target: 'prompting',
      actions: assign({ notice: ({ event }) => event.notice }),
    },
  },
  after: {
    patience: { actions: assign({ isSlow: true }) },
    callLimit: { target: 'prompting', actions: assign({ notice: perhapsRelayed }) },
  },
  exit: assign({ isSlow: false }),
});
