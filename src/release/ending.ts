/**
 * How a release ends: its outcome becomes durable, and only then the document is finished with in the cloud
 * (reliability.md D1, D6, I2). What the service delivered, it has finished with itself.
 */
import { assign } from 'xstate';
import { asReleaseProblem, endStateOf, errorOf, outcomeFor, releaseSetup, required } from './setup.ts';

/** Told before it is noted: what tells looks whether it is the first. */
const finishRefused = [
  { type: 'tellFinishRefused', params: errorOf },
  { type: 'noteFinishRefused', params: errorOf },
] as const;

export const endingStates = {
  settling: releaseSetup.createStateConfig({
    description: 'Outcome and history row are written in ONE transaction (I2, I11).',
    entry: 'forgetDocument',
    invoke: {
      src: 'recordEnd',
      input: ({ context }) => ({
        releaseId: context.releaseId,
        state: endStateOf(context),
        deliveredBy: context.deliveredBy,
        problem: context.problem,
        report: context.report,
      }),
      onDone: [
        {
          guard: ({ context }) =>
            outcomeFor(context) === 'completed' &&
            context.deliveredBy === 'printer' &&
            context.ticket !== undefined,
          target: 'finishing',
          actions: assign(({ context }) => ({ outcome: outcomeFor(context) })),
        },
        { target: 'done', actions: assign(({ context }) => ({ outcome: outcomeFor(context) })) },
      ],
      onError: 'recordingRefused',
    },
  }),

  recordingRefused: releaseSetup.createStateConfig({
    description: 'The store is full; the outcome is kept here until it can be written.',
    after: { recordAgain: 'settling' },
  }),

  finishing: releaseSetup.createStateConfig({
    description:
      'The document leaves the cloud, or counts there as released, only now that its release completed (D6).',
    always: {
      guard: {
        type: 'mayNotFinish',
        params: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
      },
      target: 'done',
    },
    invoke: {
      src: 'finish',
      input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
      onDone: 'done',
      onError: [
        {
          guard: ({ event }) => asReleaseProblem(event.error).retry !== 'later',
          target: 'done',
          actions: finishRefused,
        },
        { target: 'finishOwed', actions: finishRefused },
      ],
    },
  }),

  finishOwed: releaseSetup.createStateConfig({
    description: "The service did not take that; it is tried again as long as the user's token lives.",
    after: { finishAgain: 'finishing' },
  }),

  done: releaseSetup.createStateConfig({
    type: 'final',
    description: 'Nothing more is done for this release by itself.',
  }),
};
