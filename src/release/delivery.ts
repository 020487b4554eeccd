/**
 * The part of a release that the service carries out at its own output port. It is a way to print like any other: the
 * intent is durable before the service is asked, and an answer that was lost is never asked for again
 * (reliability.md F; I1; api-supplement.md 12, rows 17 to 19).
 */
import { assign } from 'xstate';
import { isProblem } from '../domain/problem/problem.ts';
import {
  asReleaseProblem,
  givesUp,
  noteProblem,
  releaseSetup,
  required,
  settles,
  unknownBecause,
} from './setup.ts';

/** Only what is known not to have been taken on may be asked for again, or be printed otherwise (I1). */
const isDefinite = (error: unknown): boolean => isProblem(error) && error.delivery !== 'perhaps';

export const deliveryStates = {
  intendingDelivery: releaseSetup.createStateConfig({
    description: 'The intent becomes durable before the service is asked.',
    invoke: {
      src: 'recordServiceIntent',
      input: ({ context }) => ({ releaseId: context.releaseId }),
      onDone: { target: 'delivering', actions: assign({ deliveredBy: 'service' as const }) },
      onError: settles,
    },
  }),

  delivering: releaseSetup.createStateConfig({
    tags: 'waiting',
    description: 'The service is asked to print the document at its output port.',
    invoke: {
      src: 'deliver',
      input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
      onDone: { target: 'watchingDelivery', actions: assign({ problem: undefined }) },
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
          actions: [noteProblem, assign({ requestsLeft: ({ context }) => context.requestsLeft - 1 })],
        },
        {
          guard: 'isOursAfterARefusal',
          target: 'recordingRefusal',
          actions: [noteProblem, 'tellDeliveryRefused'],
        },
        settles,
      ],
    },
  }),

  waitingForOutput: releaseSetup.createStateConfig({
    description: 'The service took nothing on: its output is not ready, which may pass.',
    on: { STOP: givesUp },
    after: { requestAgain: 'delivering' },
  }),

  recordingRefusal: releaseSetup.createStateConfig({
    description: 'The service definitely would not: nothing came out, and the release goes on here.',
    invoke: {
      src: 'recordRefusal',
      input: ({ context }) => ({ releaseId: context.releaseId }),
      onDone: {
        target: 'fetching',
        actions: assign({ deliveredBy: 'printer' as const, problem: undefined }),
      },
      onError: settles,
    },
  }),

  watchingDelivery: releaseSetup.createStateConfig({
    tags: 'printing',
    description: 'The service took the document on; its list tells when it has left.',
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
          input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
          onDone: [
            { guard: ({ event }) => event.output === undefined, target: 'waitingToLook' },
            {
              guard: ({ event }) => event.output === 'UNKNOWN',
              target: '#release.settling',
              actions: assign(() => unknownBecause('the service gave the document up')),
            },
            {
              guard: { type: 'needsConfirmation', params: ({ event }) => ({ verdict: event.output }) },
              target: '#release.settling',
              actions: assign(() => unknownBecause('the document left, and the service did not say how')),
            },
            { target: '#release.settling', actions: assign(({ event }) => ({ verdict: event.output })) },
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
