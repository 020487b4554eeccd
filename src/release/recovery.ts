/**
 * What a restart, or a fault on the way, has left: a release that was found open goes on where the ledger left it, and a
 * job that may be in the printer is asked about and cancelled. Nothing is sent here, ever (INVARIANTS.md B.1; I1). What a
 * gone member of the fleet has left is settled the same way (F6).
 */
import { and, assign } from 'xstate';
import type { Sent } from '../domain/printer/job-verdict.ts';
import type { OpenState } from '../domain/release.ts';
import type { ReleaseContext } from './context.ts';
import { brokenByEnd } from './problems.ts';
import { known, learn, noteProblem, releaseSetup } from './setup.ts';

/**
 * Nobody can be asked: neither the service, whose user is gone, nor a printer that is not ours any more, nor one that
 * knows no jobs; or nobody is to be, because the agent crashed again and again with this document in hand.
 */
const staysUnknown = { target: 'settling', actions: 'loseSight' } as const;

const wasLeftAt =
  (state: OpenState) =>
  ({ context }: { context: ReleaseContext }): boolean =>
    context.resumed?.state === state;

/** What a member sent that is gone, its printer alone can tell. */
const sentBefore = ({ context: { resumed } }: { context: ReleaseContext }): Sent =>
  resumed?.from === undefined ? 'some' : 'unseen';

const mayNotBeAsked = ({ context: { isAskedAbout, resumed } }: { context: ReleaseContext }): boolean =>
  !isAskedAbout && resumed?.printerUri !== undefined;

export const recoveryStates = {
  deciding: releaseSetup.createStateConfig({
    description:
      'A new release begins at its plan. Other gateways may know of a release that a restart found open.',
    always: [
      { guard: ({ context }) => context.resumed === undefined, target: 'planning' },
      { guard: ({ context }) => context.claim !== undefined, target: 'askingForClaim' },
      { target: 'resuming' },
    ],
  }),

  resuming: releaseSetup.createStateConfig({
    description: 'An open release continues at the point that the ledger has (B.1).',
    always: [
      { guard: wasLeftAt('SERVICE-INTENT'), ...staysUnknown },
      { guard: 'isAnotherPrinter', ...staysUnknown },
      { guard: and(['takesBytes', wasLeftAt('INTENT')]), ...staysUnknown },
      { guard: and(['takesBytes', wasLeftAt('SENT')]), target: 'handedOver' },
      { guard: mayNotBeAsked, ...staysUnknown },
      {
        guard: ({ context: { resumed } }) => resumed?.state === 'INTENT' && resumed.inOneStep === true,
        target: 'seekingJob',
        actions: assign({ sent: sentBefore, problem: brokenByEnd }),
      },
      { guard: wasLeftAt('INTENT'), target: 'sweeping', actions: 'abandon' },
      {
        guard: wasLeftAt('JOB'),
        target: 'cancelling',
        actions: assign({ sent: sentBefore, problem: brokenByEnd }),
      },
      { guard: wasLeftAt('SENT'), target: 'following', actions: assign({ sent: 'all' }) },
      { target: 'settling', actions: 'abandon' },
    ],
  }),

  cancelling: releaseSetup.createStateConfig({
    description: 'Cancel-Job: nothing is to come out later, when nobody is there to take it (T29).',
    entry: 'forgetDocument',
    invoke: {
      src: 'cancel',
      input: known,
      onDone: { target: 'settling', actions: learn },
      onError: 'settling',
    },
  }),

  sweeping: releaseSetup.createStateConfig({
    description:
      'Create-Job was never answered: an empty job that it may have left is found by name and cancelled.',
    invoke: {
      src: 'sweep',
      input: known,
      onDone: 'settling',
      onError: { target: 'settling', actions: [noteProblem, assign({ verdict: 'UNKNOWN' })] },
    },
  }),

  seekingJob: releaseSetup.createStateConfig({
    description: 'A Print-Job without an answer: the job that it may have made is found by its name (B.1).',
    entry: 'forgetDocument',
    invoke: {
      src: 'find',
      input: known,
      onDone: [
        { guard: ({ event }) => event.output.job === undefined, target: 'settling' },
        {
          // The printer has all of it: it is not torn from its hands.
          guard: ({ context }) => context.problem?.code === 'outcome-unknown',
          target: 'following',
          actions: learn,
        },
        { target: 'cancelling', actions: learn },
      ],
      onError: 'settling',
    },
  }),
};
