/**
 * The release of one document, one machine per attempt: the nine steps of README, "How data walks", in their order; what
 * each does is in `steps.ts`. It lives at the agent, not in the session, so a session may end at any moment without
 * losing or stopping a print. Whatever can be settled is settled before the intent; after it nothing is ever sent twice
 * (INVARIANTS.md D1, I1, B.1). What the service prints at its own output port leaves this walk at the intent, for
 * `delivery.ts`, and comes back to it at the end.
 */
import { assign } from 'xstate';
import { isProblem, isUnsettled } from '../domain/problem/problem.ts';
import { claimStates } from './claim-states.ts';
import type { Learned, ReleaseContext } from './context.ts';
import { contextOf } from './context.ts';
import { deliveryStates } from './delivery.ts';
import { mayPass } from './document-source.ts';
import { asReleaseProblem, unconfirmed } from './problems.ts';
import { recoveryStates } from './recovery.ts';
import {
  finishRefused,
  givesUp,
  known,
  learn,
  logNotLookedAt,
  noteBrokenOff,
  noteProblem,
  releaseSetup,
  settles,
  spends,
  tells,
  watchesDocument,
  whenItStands,
} from './setup.ts';

/** The printer took every byte, and says no more of the job. */
const isLetGo = ({ context, event }: { context: ReleaseContext; event: { output: Learned } }): boolean =>
  context.sent === 'all' && event.output.report?.letGo !== undefined;

const toThePrinter = [
  { guard: 'isTheServices', target: 'lookingAgain', actions: learn },
  { target: 'preparing', actions: learn },
] as const;

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

export const releaseMachine = releaseSetup.createMachine({
  id: 'release',
  context: ({ input, self }) => contextOf(input, (word) => self.send(word)),
  initial: 'deciding',
  on: {
    CAME_ON: { actions: 'comeOn' },
    STANDING: { actions: 'stand' },
    OWNER_LEFT: { actions: 'leave' },
    WAIT: { actions: 'tellWait' },
    LEFT_OUT: { actions: 'tellLeftOut' },
    PAGES: { actions: 'tellPage' },
  },
  states: {
    ...recoveryStates,
    ...claimStates,

    planning: {
      description: '1. The ledger learns of the release; if it cannot write, nothing is printed (D8).',
      invoke: {
        src: 'recordPlan',
        input: known,
        onDone: { target: 'checkingBalance', actions: learn },
        onError: { target: 'done', actions: [noteProblem, assign({ outcome: 'failed' }), 'tellEnd'] },
      },
    },

    checkingBalance: {
      description: '2. The service is asked whether the user may print this (I9).',
      on: { STOP: givesUp },
      invoke: {
        src: 'checkBalance',
        input: known,
        onDone: [
          { guard: 'isTheServices', target: 'awaitingTurn', actions: learn },
          { target: 'fetching', actions: learn },
        ],
        onError: settles,
      },
    },

    fetching: {
      description: '3. The document comes into the spool and stays in the cloud (D6, D7; B.4, 5).',
      entry: tells('downloading'),
      initial: 'downloading',
      on: { STOP: givesUp },
      after: { downloadPatience: { actions: assign({ triesLeft: 0 }) } },
      states: {
        downloading: {
          description: 'The bytes come in, from the first one.',
          invoke: {
            src: 'download',
            input: known,
            onDone: { target: '#release.awaitingTurn', actions: learn },
            onError: [
              {
                guard: ({ context, event }) => context.triesLeft > 1 && mayPass(event.error),
                target: 'waitingToDownload',
                actions: [noteProblem, spends('triesLeft'), 'logDownloadAgain'],
              },
              {
                guard: ({ context, event }) =>
                  context.restartsLeft > 0 && asReleaseProblem(event.error).code === 'document-cut',
                target: 'downloading',
                reenter: true,
                actions: [noteProblem, spends('restartsLeft'), 'logDownloadAgain'],
              },
              settles,
            ],
          },
        },

        waitingToDownload: {
          description: 'The service is given time before it is asked again.',
          always: { guard: ({ context }) => context.triesLeft === 0, target: '#release.settling' },
          after: { downloadAgain: 'downloading' },
        },
      },
    },

    awaitingTurn: {
      description: 'All is ready, and the printer may still be busy with another release of ours.',
      entry: tells('waiting'),
      on: { STOP: givesUp },
      invoke: [
        {
          src: 'takeTurn',
          input: known,
          onDone: [{ guard: 'isBalanceStale', target: 'checkingBalanceAgain' }, ...toThePrinter],
          onError: settles,
        },
        watchesDocument,
      ],
    },

    checkingBalanceAgain: {
      description: 'The answer is old by now: whether the user may print this is asked once more (I9).',
      on: { STOP: givesUp },
      invoke: {
        src: 'checkBalance',
        input: known,
        onDone: [
          // It is planned already: getting it ready took too long.
          { guard: ({ context }) => context.plan !== undefined, target: 'lookingAgain', actions: learn },
          ...toThePrinter,
        ],
        onError: settles,
      },
    },

    preparing: {
      description: '4. The printer is ready, takes the format, and has validated the job.',
      entry: tells('waiting'),
      on: { STOP: givesUp },
      invoke: [
        {
          src: 'prepare',
          input: known,
          onDone: [
            {
              guard: ({ event }) => event.output.plan?.conversion !== undefined,
              target: 'converting',
              actions: learn,
            },
            { guard: 'isBalanceOld', target: 'checkingBalanceAgain', actions: learn },
            { target: 'lookingAgain', actions: learn },
          ],
          onError: settles,
        },
        watchesDocument,
      ],
    },

    converting: {
      description: 'It becomes what the printer takes, in a sandbox; the original is put away (D10).',
      entry: tells('converting'),
      on: { STOP: givesUp },
      invoke: {
        src: 'convert',
        input: known,
        onDone: [
          { guard: 'isBalanceOld', target: 'checkingBalanceAgain', actions: ['forgetDocument', learn] },
          { target: 'lookingAgain', actions: ['forgetDocument', learn] },
        ],
        onError: settles,
      },
    },

    lookingAgain: {
      description: 'Right before the intent it has to be READY still, by a look no older than 2 s (I1).',
      on: { STOP: givesUp },
      invoke: [
        {
          src: 'lookAgain',
          input: known,
          onDone: 'claiming',
          onError: [
            { guard: ({ event }) => isProblem(event.error, 'document-not-waiting'), ...settles },
            // Nobody can look now. The list that it was chosen from stands, as it did until now.
            { target: 'claiming', actions: logNotLookedAt },
          ],
        },
        watchesDocument,
      ],
    },

    intending: {
      description: '5. The intent becomes durable before the first byte.',
      entry: tells('waiting'),
      invoke: {
        src: 'recordIntent',
        input: known,
        onDone: [
          { guard: 'takesBytes', target: 'announcing', actions: learn },
          { guard: 'goesAtOnce', target: 'announcing', actions: learn },
          { target: 'creatingJob', actions: learn },
        ],
        onError: settles,
      },
    },

    creatingJob: {
      description: '6. Create-Job: the printer gives the job an id; no document byte has gone out.',
      invoke: {
        src: 'createJob',
        input: known,
        onDone: { target: 'announcing', actions: learn },
        onError: [
          { guard: ({ event }) => isUnsettled(event.error), target: 'sweeping', actions: noteProblem },
          settles,
        ],
      },
    },

    recordingJob: {
      description: 'The job-id becomes durable, so that a restart can ask the printer by it.',
      invoke: {
        src: 'recordJob',
        input: known,
        onDone: [
          { guard: ({ context }) => context.sent === 'all', target: 'recordingSent' },
          { target: 'sending' },
        ],
        onError: { target: 'cancelling', actions: noteProblem },
      },
    },

    sending: {
      tags: 'sending',
      description: 'Send-Document: the bytes go out, once.',
      entry: tells('printing'),
      on: { STANDING: whenItStands },
      invoke: {
        src: 'send',
        input: known,
        onDone: { target: 'recordingSent', actions: learn },
        onError: { target: 'cancelling', actions: noteBrokenOff },
      },
    },

    sendingAtOnce: {
      tags: 'sending',
      description: 'Print-Job: the bytes go out, once, with the request that makes the job.',
      entry: tells('printing'),
      invoke: {
        src: 'print',
        input: known,
        onDone: { target: 'recordingJob', actions: learn },
        onError: [
          { guard: ({ event }) => isUnsettled(event.error), target: 'seekingJob', actions: noteBrokenOff },
          settles,
        ],
      },
    },

    sendingBytes: {
      tags: 'sending',
      description: 'The bytes go out, once; a printer that talks says here what became of them.',
      entry: tells('printing'),
      invoke: {
        src: 'sendBytes',
        input: known,
        onDone: { target: 'recordingSent', actions: [learn, 'noteReported'] },
        onError: { target: 'settling', actions: noteBrokenOff },
      },
    },

    recordingSent: {
      description: 'The printer accepted every byte. Platen now learns the end of the job.',
      invoke: { src: 'recordSent', input: known, onDone: sentIsRecorded, onError: sentIsRecorded },
    },

    following: {
      description: '7. The job is followed to its end state.',
      entry: ['forgetDocument', tells('printing')],
      on: { STANDING: whenItStands },
      after: { keepSent: { actions: 'keepSent' } },
      invoke: {
        src: 'follow',
        input: known,
        onDone: [
          { guard: isLetGo, target: 'handedOver', actions: learn },
          { target: 'settling', actions: [learn, 'noteReported'] },
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
    },

    handedOver: {
      description: 'The printer took every byte and closed in order; it says no more (B.1).',
      always: [
        {
          guard: { type: 'needsConfirmation', params: 'HANDED-OVER' },
          target: 'settling',
          actions: assign({ verdict: 'UNKNOWN', problem: () => unconfirmed() }),
        },
        { target: 'settling', actions: assign({ verdict: 'HANDED-OVER' }) },
      ],
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
              context.deliveredBy === 'printer' &&
              context.ticket !== undefined,
            target: 'finishing',
            actions: [learn, 'tellEnd'],
          },
          { target: 'done', actions: [learn, 'tellEnd'] },
        ],
        // It is recorded again, but the printer is not waited for any more.
        onError: { target: 'recordingRefused', actions: assign({ outAt: undefined }) },
      },
    },

    recordingRefused: {
      description: 'The store is full; the outcome is kept here until it can be written.',
      after: { recordAgain: 'settling' },
    },

    finishing: {
      description: '9. Only now it leaves the cloud, or counts there as released (D6).',
      always: { guard: 'mayNotFinish', target: 'done' },
      invoke: {
        src: 'finish',
        input: known,
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
    },

    finishOwed: {
      description: "The service did not take that; it is tried again as long as the user's token lives.",
      after: { finishAgain: 'finishing' },
    },

    done: { type: 'final', description: 'Nothing more is done for this release by itself.' },

    ...deliveryStates,
  },
});
