/**
 * The release of one document, one machine per attempt. It has the nine steps of README, "How data walks", in their
 * order; each state calls one function beside this file. The machine lives at the agent and not in the session, so a
 * session may end at any moment without losing or stopping a print. Everything that can be settled is settled before
 * the intent; after it nothing is ever sent twice (INVARIANTS.md D1, I1, B.1). The table of `faults.ts` says what
 * follows a fault.
 */
import { not } from 'xstate';
import { isProblem } from '../domain/problem/problem.ts';
import type { ReleaseContext } from './context.ts';
import { contextOf } from './context.ts';
import { unknownBecause } from './problems.ts';
import {
  cleansUp,
  errorOf,
  givesUp,
  goesOn,
  known,
  learn,
  noteProblem,
  notes,
  releaseSetup,
  settles,
  tells,
  whenLeft,
} from './setup.ts';

/** A request may be repeated, or the document printed another way, only if it certainly was not taken on (I1). */
const isDefinite = (error: unknown): boolean => isProblem(error) && error.delivery !== 'perhaps';

export const releaseMachine = releaseSetup.createMachine({
  id: 'release',
  context: ({ input, self }) => contextOf(input, (word) => self.send(word)),
  initial: 'deciding',
  on: {
    CAME_ON: { actions: ['comeOn', 'tellProgress'] },
    STANDING: { guard: 'isComingOn', actions: ['stand', 'tellStanding'] },
    OWNER_LEFT: { actions: 'leave' },
  },
  states: {
    deciding: {
      description: 'A new release begins at its plan; an open one goes on where the ledger left it (B.1).',
      always: [
        { guard: ({ context }) => context.given.resumed === undefined, target: 'gettingReady' },
        { guard: ({ context }) => context.facts.claim !== undefined, target: 'resuming' },
        ...goesOn,
      ],
    },

    resuming: {
      description: 'Others may know of an open release, and may have settled it: its claim tells (F6).',
      on: { STOP: 'leftOpen' },
      invoke: { src: 'resume', input: known, onDone: [settles, ...goesOn] },
    },

    leftOpen: {
      type: 'final',
      description: 'The agent stops, and its next start finds it open again.',
    },

    gettingReady: {
      description: '1 to 4. All that can be settled before the intent is; up to here a stop gives it up.',
      on: {
        STOP: { guard: 'isPlanned', ...givesUp },
        RECORDED: { actions: { type: 'learn', params: ({ event }) => event.learned } },
      },
      invoke: {
        src: 'getReady',
        input: known,
        onDone: [
          // The ledger cannot write: nothing is printed (D8).
          {
            guard: not('isPlanned'),
            target: 'done',
            actions: [learn, notes(() => ({ outcome: 'failed' })), 'tellEnd'],
          },
          settles,
          { target: 'committing', actions: learn },
        ],
      },
    },

    committing: {
      description: '5, 6. The intent is durable, and the claim still holds, before the first byte (D1, F6).',
      entry: tells('waiting'),
      invoke: {
        src: 'commit',
        input: known,
        onDone: [
          cleansUp,
          settles,
          { guard: 'isPrintedHere', target: 'sending', actions: learn },
          { target: 'delivering', actions: learn },
        ],
      },
    },

    sending: {
      tags: 'sending',
      description: '6. The bytes go out, once. A printer of mere bytes has no job to follow after that.',
      entry: tells('printing'),
      on: { STANDING: whenLeft },
      invoke: {
        src: 'sendOut',
        input: known,
        onDone: [
          cleansUp,
          settles,
          { guard: 'takesBytes', target: 'settling', actions: learn },
          { target: 'following', actions: learn },
        ],
      },
    },

    following: {
      description: '7. The job is followed to its end state.',
      entry: ['forgetDocument', tells('printing')],
      on: { STANDING: whenLeft },
      invoke: {
        src: 'follow',
        input: known,
        onDone: [cleansUp, { target: 'settling', actions: learn }],
      },
    },

    cleaning: {
      description:
        'A job that a fault or a restart has left at the printer is looked for and cancelled (B.1, T29).',
      entry: 'forgetDocument',
      invoke: {
        src: 'cleanUp',
        input: known,
        onDone: [
          { guard: ({ event }) => event.output.job !== undefined, target: 'following', actions: learn },
          { target: 'settling', actions: learn },
        ],
      },
    },

    settling: {
      description: '8. Outcome and history row are written in ONE transaction (I2, I11).',
      entry: 'forgetDocument',
      invoke: {
        src: 'recordEnd',
        input: known,
        onDone: [
          {
            guard: ({ context, event }) =>
              event.output.outcome === 'completed' &&
              context.facts.deliveredBy === 'printer' &&
              context.given.ticket !== undefined,
            target: 'finishing',
            actions: [learn, 'tellEnd'],
          },
          { target: 'done', actions: [learn, 'tellEnd'] },
        ],
      },
    },

    finishing: {
      description: '9. Only now it leaves the cloud, or counts there as released (D6).',
      invoke: { src: 'finish', input: known, onDone: 'done' },
    },

    done: { type: 'final', description: 'Nothing more is done for this release by itself.' },

    delivering: {
      description: 'The service is asked to print the document at its output port.',
      invoke: {
        src: 'deliver',
        input: known,
        onDone: { target: 'watchingDelivery', actions: learn },
        onError: [
          {
            guard: ({ event }) => !isDefinite(event.error),
            target: 'settling',
            actions: notes(({ event }: { event: { error: unknown } }) =>
              unknownBecause('the service did not answer whether it prints', event.error),
            ),
          },
          {
            guard: ({ context, event }) =>
              context.facts.requestsLeft > 1 && isProblem(event.error, 'printer-not-ready'),
            target: 'waitingForOutput',
            actions: [
              noteProblem,
              notes(({ context: { facts } }: { context: ReleaseContext }) => ({
                requestsLeft: facts.requestsLeft - 1,
              })),
            ],
          },
          {
            guard: 'isOursAfterARefusal',
            target: 'gettingReady',
            actions: [noteProblem, { type: 'logDeliveryRefused', params: errorOf }],
          },
          { target: 'settling', actions: noteProblem },
        ],
      },
    },

    waitingForOutput: {
      description: 'The service took nothing on: its output is not ready, which may pass.',
      on: { STOP: givesUp },
      after: { requestAgain: 'committing' },
    },

    watchingDelivery: {
      description: 'The service took the document on; its list tells when it has left.',
      entry: tells('printing'),
      after: {
        deliveryPatience: {
          target: 'settling',
          actions: notes(() => unknownBecause('the service did not come to an end with the document')),
        },
      },
      invoke: { src: 'watchDelivery', input: known, onDone: { target: 'settling', actions: learn } },
    },
  },
});
