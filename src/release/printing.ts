/**
 * The part of a release that our own printer carries out: from its readiness over the intent to the job's end. Whatever
 * can be settled is settled before the intent; after it nothing is ever sent twice (reliability.md D1, I1, B.1).
 */
import { assign } from 'xstate';
import { isProblem, isUnsettled, Problem } from '../domain/problem/problem.ts';
import type { LeftJob } from '../domain/ports/printing.ts';
import type { ReleaseContext } from './setup.ts';
import {
  asReleaseProblem,
  expectedOf,
  givesUp,
  noteProblem,
  problemOf,
  releaseSetup,
  required,
  settles,
  watchesDocument,
} from './setup.ts';

const sentBefore = { 'not-sent': 'none', answered: 'refused', perhaps: 'some' } as const;

/** How far the document came before the fault. */
function brokenOff(error: unknown) {
  const problem = asReleaseProblem(error);
  // A slip of our own says nothing of the printer.
  return { problem, sent: isProblem(error) ? sentBefore[problem.delivery] : ('some' as const) };
}

const leftJob = ({ context: { plan, resumed } }: { context: ReleaseContext }): LeftJob =>
  plan ?? { jobName: required(resumed, 'job-name').jobName };

const sending = (context: ReleaseContext) => ({
  plan: required(context.plan, 'plan'),
  document: required(context.document, 'document'),
  expected: expectedOf(context),
});

const ownerLeftIt = { target: '#release.cancelling', actions: 'noteLeft' } as const;

/** What takes mere bytes has said all that it will. */
const sentIsRecorded = [
  {
    guard: ({ context: { report } }: { context: ReleaseContext }) =>
      report !== undefined && report.letGo === undefined,
    target: 'settling',
  },
  { guard: 'takesBytes', target: 'handedOver' },
  { target: 'following' },
] as const;

export const printingStates = {
  preparing: releaseSetup.createStateConfig({
    tags: 'waiting',
    description: 'The printer is ready, takes the format, and has validated the job.',
    on: { STOP: givesUp },
    invoke: [
      {
        src: 'prepare',
        input: ({ context }) => ({
          ticket: required(context.ticket, 'ticket'),
          document: required(context.document, 'document'),
        }),
        onDone: [
          {
            guard: ({ event }) => event.output.conversion !== undefined,
            target: 'converting',
            actions: assign(({ event }) => ({ plan: event.output })),
          },
          {
            guard: 'isBalanceOld',
            target: 'checkingBalanceAgain',
            actions: assign(({ event }) => ({ plan: event.output })),
          },
          { target: 'lookingAgain', actions: assign(({ event }) => ({ plan: event.output })) },
        ],
        onError: settles,
      },
      watchesDocument,
    ],
  }),

  intending: releaseSetup.createStateConfig({
    tags: 'waiting',
    description: 'The intent becomes durable before the first byte.',
    invoke: {
      src: 'recordIntent',
      input: ({ context }) => ({
        releaseId: context.releaseId,
        plan: required(context.plan, 'plan'),
      }),
      onDone: [
        { guard: 'takesBytes', target: 'sendingBytes' },
        { guard: ({ context }) => context.plan?.inOneStep === true, target: 'sendingAtOnce' },
        { target: 'creatingJob' },
      ],
      onError: settles,
    },
  }),

  creatingJob: releaseSetup.createStateConfig({
    description: 'Create-Job: the printer gives the job an id; no document byte has gone out.',
    invoke: {
      src: 'createJob',
      input: ({ context }) => ({ plan: required(context.plan, 'plan') }),
      onDone: { target: 'recordingJob', actions: assign(({ event }) => ({ job: event.output })) },
      onError: [
        {
          guard: ({ event }) => isUnsettled(event.error),
          target: 'sweeping',
          actions: noteProblem,
        },
        settles,
      ],
    },
  }),

  sweeping: releaseSetup.createStateConfig({
    description:
      'Create-Job was never answered: an empty job that it may have left is found by name and cancelled.',
    invoke: {
      src: 'sweep',
      input: leftJob,
      onDone: 'settling',
      onError: {
        target: 'settling',
        actions: assign(({ event }) => ({
          verdict: 'UNKNOWN' as const,
          problem: asReleaseProblem(event.error),
        })),
      },
    },
  }),

  recordingJob: releaseSetup.createStateConfig({
    description: 'The job-id becomes durable, so that a restart can ask the printer by it.',
    invoke: {
      src: 'recordJob',
      input: ({ context }) => ({ releaseId: context.releaseId, job: required(context.job, 'job') }),
      onDone: [
        { guard: ({ context }) => context.sent === 'all', target: 'recordingSent' },
        { target: 'sending' },
      ],
      onError: {
        target: 'cancelling',
        actions: noteProblem,
      },
    },
  }),

  sending: releaseSetup.createStateConfig({
    tags: 'printing',
    description: 'Send-Document: the bytes go out, once.',
    on: { OWNER_LEFT: { ...ownerLeftIt, actions: ['noteLeft', assign({ sent: 'some' as const })] } },
    invoke: {
      src: 'send',
      input: ({ context }) => ({ job: required(context.job, 'job'), ...sending(context) }),
      onDone: { target: 'recordingSent', actions: assign({ sent: 'all' }) },
      onError: {
        target: 'cancelling',
        actions: assign(({ event }) => brokenOff(event.error)),
      },
    },
  }),

  sendingAtOnce: releaseSetup.createStateConfig({
    tags: 'printing',
    description: 'Print-Job: the bytes go out, once, with the request that makes the job.',
    invoke: {
      src: 'print',
      input: ({ context }) => sending(context),
      onDone: {
        target: 'recordingJob',
        actions: assign(({ event }) => ({ sent: 'all' as const, job: event.output })),
      },
      onError: [
        {
          guard: ({ event }) => isUnsettled(event.error),
          target: 'seekingJob',
          actions: assign(({ event }) => brokenOff(event.error)),
        },
        settles,
      ],
    },
  }),

  seekingJob: releaseSetup.createStateConfig({
    description: 'A Print-Job without an answer: the job that it may have made is found by its name (B.1).',
    entry: 'forgetDocument',
    invoke: {
      src: 'find',
      input: leftJob,
      onDone: [
        {
          // The printer has all of it: it is not torn from its hands.
          guard: ({ context, event }) =>
            event.output !== undefined && context.problem?.code === 'outcome-unknown',
          target: 'following',
          actions: assign(({ event }) => ({ job: event.output })),
        },
        {
          guard: ({ event }) => event.output !== undefined,
          target: 'cancelling',
          actions: assign(({ event }) => ({ job: event.output })),
        },
        { target: 'settling' },
      ],
      onError: 'settling',
    },
  }),

  sendingBytes: releaseSetup.createStateConfig({
    tags: 'printing',
    description: 'The bytes go out, once; a printer that talks says here what became of them.',
    invoke: {
      src: 'sendBytes',
      input: ({ context }) => sending(context),
      onDone: {
        target: 'recordingSent',
        actions: assign(({ context, event: { output } }) => ({
          sent: 'all' as const,
          ...(output ? { report: output, ...problemOf(output, expectedOf(context)) } : {}),
        })),
      },
      onError: { target: 'settling', actions: assign(({ event }) => brokenOff(event.error)) },
    },
  }),

  recordingSent: releaseSetup.createStateConfig({
    description: 'Every byte was taken; what is left is to learn what the printer made of them.',
    invoke: {
      src: 'recordSent',
      input: ({ context: { releaseId, job } }) => ({ releaseId, job }),
      onDone: sentIsRecorded,
      onError: sentIsRecorded,
    },
  }),

  handedOver: releaseSetup.createStateConfig({
    description: 'The printer took every byte and closed in order; it says no more (B.1).',
    always: [
      {
        guard: { type: 'needsConfirmation', params: { verdict: 'HANDED-OVER' } },
        target: 'settling',
        actions: assign({
          verdict: 'UNKNOWN',
          problem: () => new Problem('print-unconfirmed', 'the printer took the document, and says no more'),
        }),
      },
      { target: 'settling', actions: assign({ verdict: 'HANDED-OVER' }) },
    ],
  }),

  following: releaseSetup.createStateConfig({
    tags: 'printing',
    description: 'The job is followed to its end state.',
    entry: 'forgetDocument',
    on: { OWNER_LEFT: ownerLeftIt },
    invoke: {
      src: 'follow',
      input: ({ context }) => ({ job: required(context.job, 'job'), expected: expectedOf(context) }),
      onDone: [
        {
          guard: ({ context, event }) => context.sent === 'all' && event.output.letGo !== undefined,
          target: 'handedOver',
          actions: assign(({ event }) => ({ report: event.output })),
        },
        {
          target: 'settling',
          actions: assign(({ context, event }) => ({
            report: event.output,
            ...problemOf(event.output, expectedOf(context)),
          })),
        },
      ],
      onError: [
        {
          guard: ({ event }) => asReleaseProblem(event.error).code === 'printer-stalled',
          target: 'cancelling',
          actions: [noteProblem, assign({ hasStood: true })],
        },
        settles,
      ],
    },
  }),

  cancelling: releaseSetup.createStateConfig({
    description: 'Cancel-Job: nothing is to come out later, when nobody is there to take it (T29).',
    entry: 'forgetDocument',
    invoke: {
      src: 'cancel',
      input: ({ context }) => ({ job: required(context.job, 'job') }),
      onDone: { target: 'settling', actions: assign(({ event }) => ({ report: event.output })) },
      onError: 'settling',
    },
  }),
};
