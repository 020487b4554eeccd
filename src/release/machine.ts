/**
 * The release of one document, one machine per attempt: the nine steps of README, "How data walks". It lives at the
 * agent, not in the session, so a session may end at any moment without losing or stopping a print. Here is the walk;
 * its parts have a file each: what the service delivers, what is downloaded, how it waits for the printer, what our
 * printer prints, how it ends.
 */
import { and, assign } from 'xstate';
import type { OpenState } from '../domain/release.ts';
import { conversionStates } from './conversion.ts';
import { deliveryStates } from './delivery.ts';
import { downloadStates } from './download.ts';
import { endingStates } from './ending.ts';
import { printingStates } from './printing.ts';
import type { ReleaseContext } from './setup.ts';
import {
  asReleaseProblem,
  brokenByEnd,
  contextOf,
  givesUp,
  noteBalance,
  releaseSetup,
  required,
  settles,
} from './setup.ts';
import { turnStates } from './turn.ts';

/**
 * Nobody can be asked: neither the service, whose user is gone, nor a printer that is not ours any more, nor one that
 * knows no jobs; or nobody is to be, because the agent crashed again and again with this document in hand.
 */
const staysUnknown = { target: 'settling', actions: 'loseSight' } as const;

const wasLeftAt =
  (state: OpenState) =>
  ({ context }: { context: ReleaseContext }): boolean =>
    context.resumed?.state === state;

const mayNotBeAsked = ({ context: { isAskedAbout, resumed } }: { context: ReleaseContext }): boolean =>
  !isAskedAbout && resumed?.printerUri !== undefined;

export const releaseMachine = releaseSetup.createMachine({
  id: 'release',
  context: ({ input }) => contextOf(input),
  initial: 'deciding',
  states: {
    deciding: {
      description:
        'A new release begins at its plan; one found open after a restart where the ledger left it (B.1).',
      always: [
        { guard: ({ context }) => context.resumed === undefined, target: 'planning' },
        { guard: wasLeftAt('SERVICE-INTENT'), ...staysUnknown },
        { guard: 'isAnotherPrinter', ...staysUnknown },
        { guard: and(['takesBytes', wasLeftAt('INTENT')]), ...staysUnknown },
        { guard: and(['takesBytes', wasLeftAt('SENT')]), target: 'handedOver' },
        { guard: mayNotBeAsked, ...staysUnknown },
        {
          guard: and([wasLeftAt('INTENT'), 'wentInOneStep']),
          target: 'seekingJob',
          actions: assign({ sent: 'some', problem: brokenByEnd }),
        },
        { guard: wasLeftAt('INTENT'), target: 'sweeping', actions: 'abandon' },
        {
          guard: wasLeftAt('JOB'),
          target: 'cancelling',
          actions: assign({ sent: 'some', problem: brokenByEnd }),
        },
        { guard: wasLeftAt('SENT'), target: 'following', actions: assign({ sent: 'all' }) },
        { target: 'settling', actions: 'abandon' },
      ],
    },

    planning: {
      tags: 'waiting',
      description: 'The ledger learns of the release; if it cannot write, nothing is printed (D8).',
      invoke: {
        src: 'recordPlan',
        input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
        onDone: 'checkingBalance',
        onError: {
          target: 'done',
          actions: assign(({ event }) => ({
            problem: asReleaseProblem(event.error),
            outcome: 'failed' as const,
          })),
        },
      },
    },

    checkingBalance: {
      tags: 'waiting',
      description: 'The service is asked whether the user may print this (I9).',
      on: { STOP: givesUp },
      invoke: {
        src: 'checkBalance',
        input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
        onDone: [
          { guard: 'isTheServices', target: 'awaitingTurn', actions: noteBalance },
          { target: 'fetching', actions: noteBalance },
        ],
        onError: settles,
      },
    },

    ...deliveryStates,
    ...downloadStates,
    ...turnStates,
    ...conversionStates,
    ...printingStates,
    ...endingStates,
  },
});
