/**
 * The part of a release that the service carries out at its own output port. It is a way to print like any other: the
 * intent is durable before the service is asked, and an answer that was lost is never asked for again
 * (I1; src/cloud/README.md 12, rows 17 to 19).
 */
import { assign } from 'xstate';
import { isProblem } from '../domain/problem/problem.ts';
import { asReleaseProblem, unknownBecause } from './problems.ts';
import { givesUp, known, learn, noteProblem, releaseSetup, settles, spends, tells } from './setup.ts';

/** Only what is known not to have been taken on may be asked for again, or be printed otherwise (I1). */
const isDefinite = (error: unknown): boolean => isProblem(error) && error.delivery !== 'perhaps';

export const deliveryStates = {
  intendingDelivery: releaseSetup.createStateConfig({
    description: 'The intent becomes durable before the service is asked.',
    invoke: {
      src: 'recordServiceIntent',
      input: known,
      onDone: { target: 'announcing', actions: learn },
      onError: settles,
    },
  }),

  delivering: releaseSetup.createStateConfig({
    description: 'The service is asked to print the document at its output port.',
    entry: tells('waiting'),
    invoke: {
      src: 'deliver',
      input: known,
      onDone: { target: 'watchingDelivery', actions: learn },
      onError: [
        {
          guard: ({ event }) => !isDefinite(event.error),
          target: 'settling',
          actions: assign(({ event }) =>
            unknownBecause('the service did not answer whether it prints', event.error),
          ),
        },
        {
          guard: ({ context, event }) =>
            context.requestsLeft > 1 && isProblem(event.error, 'printer-not-ready'),
          target: 'waitingForOutput',
          actions: [noteProblem, spends('requestsLeft')],
        },
        {
          guard: 'isOursAfterARefusal',
          target: 'recordingRefusal',
          actions: [noteProblem, 'logDeliveryRefused'],
        },
        settles,
      ],
    },
  }),

  waitingForOutput: releaseSetup.createStateConfig({
    description: 'The service took nothing on: its output is not ready, which may pass.',
    on: { STOP: givesUp },
    after: { requestAgain: 'announcing' },
  }),

  recordingRefusal: releaseSetup.createStateConfig({
    description: 'The service definitely would not: nothing came out, and the release goes on here.',
    invoke: {
      src: 'recordRefusal',
      input: known,
      onDone: { target: 'fetching', actions: learn },
      onError: settles,
    },
  }),

  watchingDelivery: releaseSetup.createStateConfig({
    description: 'The service took the document on; its list tells when it has left.',
    entry: tells('printing'),
    initial: 'looking',
    after: {
      deliveryPatience: {
        target: 'settling',
        actions: assign(() => unknownBecause('the service did not come to an end with the document')),
      },
    },
    states: {
      looking: {
        description: 'The list is asked for what became of the document.',
        invoke: {
          src: 'lookAtDelivery',
          input: known,
          onDone: [
            { guard: ({ event }) => event.output.verdict === undefined, target: 'waitingToLook' },
            {
              guard: ({ event }) => event.output.verdict === 'UNKNOWN',
              target: '#release.settling',
              actions: assign(() => unknownBecause('the service gave the document up')),
            },
            {
              guard: { type: 'needsConfirmation', params: ({ event }) => event.output.verdict },
              target: '#release.settling',
              actions: assign(() => unknownBecause('the document left, and the service did not say how')),
            },
            { target: '#release.settling', actions: learn },
          ],
          onError: [
            {
              guard: ({ event }) => asReleaseProblem(event.error).retry === 'later',
              target: 'waitingToLook',
            },
            {
              target: '#release.settling',
              actions: assign(({ event }) =>
                unknownBecause('the service no longer tells what became of the document', event.error),
              ),
            },
          ],
        },
      },

      waitingToLook: {
        description: 'The service is given time to print.',
        entry: assign({ looks: ({ context }) => context.looks + 1 }),
        after: { lookAgain: 'looking' },
      },
    },
  }),
};
