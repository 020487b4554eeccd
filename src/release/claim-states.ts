/**
 * The claim in a release's walk: taken before the intent, asked for again before the first byte may go out (F5, F6), and
 * looked at before anything is done about what a restart found open. Alone, a gateway has its own answer at once.
 */
import { assign } from 'xstate';
import { claimLost } from './problems.ts';
import {
  givesUp,
  known,
  learn,
  logClaimRefused,
  noteProblem,
  releaseSetup,
  settles,
  tells,
} from './setup.ts';

export const claimStates = {
  claiming: releaseSetup.createStateConfig({
    description: 'Nobody else prints it from now on, whatever becomes of us (F5).',
    on: { STOP: givesUp },
    invoke: {
      src: 'claim',
      input: known,
      onDone: [
        { guard: 'isTheServices', target: 'intendingDelivery', actions: learn },
        { target: 'intending', actions: learn },
      ],
      onError: { ...settles, actions: [noteProblem, logClaimRefused] },
    },
  }),

  announcing: releaseSetup.createStateConfig({
    description:
      'The holder of the claim may still send. If the claim was raised meanwhile, it keeps us out (F6).',
    entry: tells('waiting'),
    invoke: {
      src: 'announce',
      input: known,
      onDone: [
        { guard: 'isByTheService', target: 'delivering' },
        { guard: 'takesBytes', target: 'sendingBytes' },
        { guard: 'goesAtOnce', target: 'sendingAtOnce' },
        { target: 'recordingJob' },
      ],
      onError: [
        {
          guard: ({ context }) => context.job !== undefined,
          target: 'cancelling',
          actions: [noteProblem, logClaimRefused],
        },
        { ...settles, actions: [noteProblem, logClaimRefused] },
      ],
    },
  }),

  askingForClaim: releaseSetup.createStateConfig({
    description: 'A restart found it open, and others may have settled it: its claim tells (F6).',
    on: { STOP: 'leftOpen' },
    invoke: {
      src: 'askForClaim',
      input: known,
      onDone: [
        {
          guard: ({ event }) => event.output.isLeftToSuccessor === true,
          target: 'leavingIt',
          actions: learn,
        },
        { target: 'resuming' },
      ],
      onError: 'awaitingEngine',
    },
  }),

  awaitingEngine: releaseSetup.createStateConfig({
    description: 'Nobody can tell whose it is; nothing is done about it until somebody can.',
    on: { STOP: 'leftOpen' },
    after: { askForClaimAgain: 'askingForClaim' },
  }),

  leftOpen: releaseSetup.createStateConfig({
    type: 'final',
    description: 'The agent stops, and its next start finds it open again.',
  }),

  leavingIt: releaseSetup.createStateConfig({
    description: 'Another member has raised the claim: it settles the release and records it.',
    always: {
      target: 'settling',
      actions: [assign(() => ({ verdict: 'UNKNOWN' as const, problem: claimLost() })), 'logLeftToSuccessor'],
    },
  }),
};
