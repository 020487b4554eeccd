/**
 * The release of one document, one machine per attempt: the nine steps of README, "How data walks". It lives at the
 * agent, not in the session, so a session may end at any moment without losing or stopping a print. Whatever can be
 * settled is settled before the intent; after it nothing is ever sent twice (reliability.md D1, I1).
 */
import { assign } from 'xstate';
import {
  asReleaseProblem,
  brokenByEnd,
  endStateOf,
  outcomeFor,
  problemOf,
  releaseSetup,
  required,
} from './release-setup.ts';

const errorOf = ({ event }: { event: { error: unknown } }) => event;
const noteProblem = { type: 'noteProblem', params: errorOf } as const;
const settles = { target: 'settling', actions: noteProblem } as const;

/** Told before it is noted: what tells looks whether it is the first. */
const deletionRefused = [
  { type: 'tellDeletionRefused', params: errorOf },
  { type: 'noteDeletionRefused', params: errorOf },
] as const;

/** Before the intent a stop means: nothing came out. */
const givesUp = { target: 'settling', actions: 'abandon' } as const;

export const releaseMachine = releaseSetup.createMachine({
  id: 'release',
  context: ({ input }) => ({
    releaseId: input.kind === 'new' ? input.ticket.releaseId : input.attempt.releaseId,
    ticket: input.kind === 'new' ? input.ticket : undefined,
    resumed: input.kind === 'resumed' ? input.attempt : undefined,
    document: undefined,
    plan: undefined,
    job: input.kind === 'resumed' ? input.attempt.job : undefined,
    sent: 'none',
    report: undefined,
    sweepFailed: false,
    problem: undefined,
    deletionProblem: undefined,
    outcome: undefined,
  }),
  initial: 'deciding',
  states: {
    deciding: {
      description:
        'A new release begins at its plan; one found open after a restart where the ledger left it (B.1).',
      always: [
        { guard: ({ context }) => context.resumed === undefined, target: 'planning' },
        {
          guard: ({ context }) => context.resumed?.state === 'INTENT',
          target: 'sweeping',
          actions: 'abandon',
        },
        {
          guard: ({ context }) => context.resumed?.state === 'JOB',
          target: 'cancelling',
          actions: assign({ sent: 'some', problem: brokenByEnd }),
        },
        {
          guard: ({ context }) => context.resumed?.state === 'SENT',
          target: 'following',
          actions: assign({ sent: 'all' }),
        },
        givesUp,
      ],
    },

    planning: {
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
      description: 'The service is asked whether the user may print this (I9).',
      on: { STOP: givesUp },
      invoke: {
        src: 'checkBalance',
        input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
        onDone: 'downloading',
        onError: settles,
      },
    },

    downloading: {
      description: 'The document comes into the encrypted spool and stays in the cloud (D6, D7).',
      on: { STOP: givesUp },
      invoke: {
        src: 'download',
        input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
        onDone: { target: 'preparing', actions: assign(({ event }) => ({ document: event.output })) },
        onError: settles,
      },
    },

    preparing: {
      description: 'The printer is ready, takes the format, and has validated the job.',
      on: { STOP: givesUp },
      invoke: {
        src: 'prepare',
        input: ({ context }) => ({
          ticket: required(context.ticket, 'ticket'),
          document: required(context.document, 'document'),
        }),
        onDone: { target: 'intending', actions: assign(({ event }) => ({ plan: event.output })) },
        onError: settles,
      },
    },

    intending: {
      description: 'The intent becomes durable before the first byte.',
      invoke: {
        src: 'recordIntent',
        input: ({ context }) => ({ releaseId: context.releaseId }),
        onDone: 'creatingJob',
        onError: settles,
      },
    },

    creatingJob: {
      description: 'Create-Job: the printer gives the job an id; no document byte has gone out.',
      invoke: {
        src: 'createJob',
        input: ({ context }) => ({ plan: required(context.plan, 'plan') }),
        onDone: { target: 'recordingJob', actions: assign(({ event }) => ({ job: event.output })) },
        onError: [
          {
            guard: ({ event }) => asReleaseProblem(event.error).delivery === 'perhaps',
            target: 'sweeping',
            actions: noteProblem,
          },
          settles,
        ],
      },
    },

    sweeping: {
      description:
        'Create-Job was never answered: an empty job that it may have left is found by name and cancelled.',
      invoke: {
        src: 'sweep',
        input: ({ context }) => ({ jobName: required(context.plan ?? context.resumed, 'job-name').jobName }),
        onDone: 'settling',
        onError: {
          target: 'settling',
          actions: assign(({ event }) => ({ sweepFailed: true, problem: asReleaseProblem(event.error) })),
        },
      },
    },

    recordingJob: {
      description: 'The job-id becomes durable, so that a restart can ask the printer by it.',
      invoke: {
        src: 'recordJob',
        input: ({ context }) => ({ releaseId: context.releaseId, job: required(context.job, 'job') }),
        onDone: 'sending',
        onError: {
          target: 'cancelling',
          actions: noteProblem,
        },
      },
    },

    sending: {
      description: 'Send-Document: the bytes go out, once.',
      invoke: {
        src: 'send',
        input: ({ context }) => ({
          job: required(context.job, 'job'),
          plan: required(context.plan, 'plan'),
          document: required(context.document, 'document'),
        }),
        onDone: { target: 'recordingSent', actions: assign({ sent: 'all' }) },
        onError: {
          target: 'cancelling',
          actions: assign(({ event }) => {
            const problem = asReleaseProblem(event.error);
            return { problem, sent: problem.delivery === 'not-sent' ? ('none' as const) : ('some' as const) };
          }),
        },
      },
    },

    recordingSent: {
      description: 'Every byte was taken; what is left is to learn what the printer made of them.',
      invoke: {
        src: 'recordSent',
        input: ({ context }) => ({ releaseId: context.releaseId }),
        onDone: 'following',
        onError: 'following',
      },
    },

    following: {
      description: 'The job is followed to its end state.',
      entry: 'forgetDocument',
      invoke: {
        src: 'follow',
        input: ({ context }) => ({ job: required(context.job, 'job') }),
        onDone: {
          target: 'settling',
          actions: assign(({ event }) => ({ report: event.output, ...problemOf(event.output) })),
        },
        onError: [
          {
            guard: ({ event }) => asReleaseProblem(event.error).code === 'printer-stalled',
            target: 'cancelling',
            actions: noteProblem,
          },
          settles,
        ],
      },
    },

    cancelling: {
      description: 'Cancel-Job: nothing is to come out later, when nobody is there to take it (T29).',
      entry: 'forgetDocument',
      invoke: {
        src: 'cancel',
        input: ({ context }) => ({ job: required(context.job, 'job') }),
        onDone: { target: 'settling', actions: assign(({ event }) => ({ report: event.output })) },
        onError: 'settling',
      },
    },

    settling: {
      description: 'Outcome and history row are written in ONE transaction (I2, I11).',
      entry: 'forgetDocument',
      invoke: {
        src: 'recordEnd',
        input: ({ context }) => ({
          releaseId: context.releaseId,
          state: endStateOf(context),
          problem: context.problem,
          report: context.report,
        }),
        onDone: [
          {
            guard: ({ context }) => outcomeFor(context) === 'completed' && context.ticket !== undefined,
            target: 'deleting',
            actions: assign(({ context }) => ({ outcome: outcomeFor(context) })),
          },
          { target: 'done', actions: assign(({ context }) => ({ outcome: outcomeFor(context) })) },
        ],
        onError: 'recordingRefused',
      },
    },

    recordingRefused: {
      description: 'The store is full; the outcome is kept here until it can be written.',
      after: { recordAgain: 'settling' },
    },

    deleting: {
      description: 'The document leaves the cloud, only now that its release completed (D6).',
      always: {
        guard: {
          type: 'mayNotDelete',
          params: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
        },
        target: 'done',
      },
      invoke: {
        src: 'deleteDocument',
        input: ({ context }) => ({ ticket: required(context.ticket, 'ticket') }),
        onDone: 'done',
        onError: [
          {
            guard: ({ event }) => asReleaseProblem(event.error).retry !== 'later',
            target: 'done',
            actions: deletionRefused,
          },
          { target: 'deletionOwed', actions: deletionRefused },
        ],
      },
    },

    deletionOwed: {
      description:
        "The service did not take the deletion; it is tried again as long as the user's token lives.",
      after: { deleteAgain: 'deleting' },
    },

    done: { type: 'final', description: 'Nothing more is done for this release by itself.' },
  },
});
