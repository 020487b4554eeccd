/**
 * The release of one document, one machine per attempt. It has the nine steps of README, "How data walks", in their
 * order; each state calls one function beside this file. The machine lives at the agent and not in the session, so a
 * session may end at any moment without losing or stopping a print. Everything that can be settled is settled before
 * the intent; after it nothing is ever sent twice (INVARIANTS.md D1, I1, B.1). The table of `faults.ts` says what
 * follows a fault.
 */
import { and, assign, fromPromise, not, setup } from 'xstate';
import { seconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { isProblem } from '../domain/problem/problem.ts';
import { commit } from './committing.ts';
import type { Known, Learned, ReleaseContext, ReleaseInput, ReleaseWord } from './context.ts';
import { contextOf, endStateOf, isPrintedHere, knownIn } from './context.ts';
import { recordEnd, finish } from './ending.ts';
import type { StageUnderWay } from './events.ts';
import { endStageOf } from './events.ts';
import { follows } from './faults.ts';
import { getReady } from './getting-ready.ts';
import { asReleaseProblem, faultFacts, leftStanding, unknownBecause } from './problems.ts';
import { leftByRestart, resume } from './recovery.ts';
import { cleanUp, deliver, follow, sendOut, watchDelivery } from './sending.ts';
import type { Step } from './step.ts';
import { now } from './step.ts';

const actor = (step: Step) => fromPromise<Learned, Known>(({ input, signal }) => step(input, signal));

const releaseSetup = setup({
  types: {
    context: {} as ReleaseContext,
    events: {} as ReleaseWord,
    input: {} as ReleaseInput,
    /** Octets of the document are on their way to a printer. */
    tags: {} as 'sending',
  },
  actors: {
    resume: actor(resume),
    getReady: actor(getReady),
    commit: actor(commit),
    sendOut: actor(sendOut),
    deliver: actor(deliver),
    watchDelivery: actor(watchDelivery),
    follow: actor(follow),
    cleanUp: actor(cleanUp),
    recordEnd: actor(recordEnd),
    finish: actor(finish),
  },
  actions: {
    learn: assign(({ context }, learned: Learned) => ({ facts: { ...context.facts, ...learned } })),
    /** Closes the spool file and wipes its key, so that no attempt reads its document twice. */
    forgetDocument: ({ context }) => context.facts.document?.[Symbol.dispose](),

    comeOn: assign(({ context: { owner } }) =>
      owner.standingSince === undefined && !owner.hasLeftItStanding
        ? {}
        : { owner: { ...owner, standingSince: undefined, hasLeftItStanding: false } },
    ),
    stand: assign(({ context }) => ({
      owner: { ...context.owner, standingSince: context.owner.standingSince ?? now(context.given) },
    })),
    /** A person may have mended the printer since the last look. The next look tells. */
    leave: assign(({ context }) => {
      const { owner, given } = context;
      return {
        owner:
          given.telling.wait === 'held'
            ? // They may be on their way to its panel.
              { ...owner, isGone: true, standingSince: now(given) }
            : {
                ...owner,
                isGone: true,
                hasLeftItStanding: owner.hasLeftItStanding || owner.standingSince !== undefined,
              },
      };
    }),
    tellProgress: ({ context }) => context.given.telling.progress(),
    tellStage: ({ context }, stage: StageUnderWay) => context.given.telling.stage(stage),
    tellStanding: ({ context }) => context.given.telling.standing(),
    tellEnd: ({ context }) =>
      context.given.telling.ended({
        outcome: required(context.facts.outcome, 'outcome'),
        stage: endStageOf[endStateOf(knownIn(context))],
        problem: context.facts.problem,
        trace: context.given.trace.whole(),
      }),
    logDeliveryRefused({ context }, { error }: { error: unknown }) {
      const { log, terminal, releaseId } = context.given;
      log.warn('delivery refused', { terminal, releaseId, ...faultFacts(asReleaseProblem(error)) });
    },
  },
  guards: {
    isPlanned: ({ context }) => context.facts.history !== undefined,
    isPrintedHere: ({ context }) => isPrintedHere(knownIn(context)),
    /** If the service definitely refused to deliver the document, this terminal prints it. */
    isOursAfterARefusal: ({ context }) => context.given.world.delivery === 'cloud-then-local',
    isLeftStanding: ({ context }) => isLeftStanding(context),
    takesBytes: ({ context }) => context.given.world.printer().kind === 'bytes',
    hasJob: ({ context }) => context.facts.job !== undefined,
    isComingOn: ({ context }) => context.owner.standingSince === undefined,
  },
  delays: {
    /**
     * The pause between two requests to deliver, while the service's output is not ready (src/cloud/README.md 12, row
     * 18).
     */
    requestAgain: seconds(5),
    /**
     * After this time the fate of a document that the service took on counts as unknown (src/cloud/README.md 12, row
     * 18).
     */
    deliveryPatience: seconds(120),
  },
});

/** For so long another person may still mend a printer that stands after the owner has left (T29). */
const longestStandingAlone = 60_000;

/** The job stands, and its owner will not mend the printer. */
function isLeftStanding({ owner, given }: ReleaseContext): boolean {
  const { isGone, standingSince, hasLeftItStanding } = owner;
  if (hasLeftItStanding) return true;
  return (
    isGone &&
    standingSince !== undefined &&
    given.world.clock.monotonic() - standingSince > longestStandingAlone
  );
}

type Had = { context: ReleaseContext };
type Told = { event: { output: Learned } };

/** A step is given everything that is known. Its result is known from then on. */
const known = ({ context }: Had): Known => knownIn(context);
const learn = { type: 'learn', params: ({ event }: Told) => event.output } as const;
/** Facts that the machine itself learns from an event. */
const notes = <Args>(facts: (args: Args) => Learned) => ({ type: 'learn', params: facts }) as const;
const errorOf = ({ event }: { event: { error: unknown } }) => ({ error: event.error });
const noteProblem = notes(({ event }: { event: { error: unknown } }) => ({
  problem: asReleaseProblem(event.error),
}));
const tells = (stage: StageUnderWay) => ({ type: 'tellStage', params: stage }) as const;

/** A stop before the intent means that nothing came out. */
const givesUp = {
  target: 'settling',
  actions: notes(({ event }: { event: { because: Problem } }) => ({ problem: event.because })),
} as const;

/**
 * The owner will not mend the printer in which the job stands (T29). This also applies while the document is being
 * sent.
 */
const whenLeft = {
  guard: and(['isLeftStanding', 'hasJob']),
  target: 'cleaning',
  actions: notes(({ context: { facts, given } }: Had) => ({
    problem: leftStanding(),
    sent: facts.sent === 'all' ? 'all' : 'some',
    outAt: facts.outAt ?? now(given),
  })),
} as const;

const leadsTo = (state: 'settling' | 'cleaning', { fault }: Learned): boolean =>
  fault !== undefined && follows[fault] === state;

const cleansUp = {
  guard: ({ event }: Told) => leadsTo('cleaning', event.output),
  target: 'cleaning',
  actions: learn,
} as const;
const settles = {
  guard: ({ event }: Told) => leadsTo('settling', event.output),
  target: 'settling',
  actions: learn,
} as const;

const left = ({ context }: Had): Learned => leftByRestart(knownIn(context));

/** A restart counts as a fault, too, except for a job that has all of its document. */
const goesOn = [
  { guard: (had: Had) => leadsTo('cleaning', left(had)), target: 'cleaning', actions: notes(left) },
  { guard: (had: Had) => leadsTo('settling', left(had)), target: 'settling', actions: notes(left) },
  { target: 'following', actions: notes(left) },
] as const;

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
