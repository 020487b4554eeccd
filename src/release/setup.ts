/**
 * The parts of the release machine: its steps as actors, its actions, its guards, and the table of its delays. The
 * states are in `machine.ts`.
 */
import { and, assign, fromPromise, setup } from 'xstate';
import { seconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { commit } from './committing.ts';
import type { Known, Learned, ReleaseContext, ReleaseInput, ReleaseWord } from './context.ts';
import { endStateOf, isLeftStanding, isPrintedHere, knownIn } from './context.ts';
import { deliver, watchDelivery } from './delivery.ts';
import { recordEnd, finish } from './ending.ts';
import type { StageUnderWay } from './events.ts';
import { endStageOf } from './events.ts';
import { follows } from './faults.ts';
import { getReady } from './getting-ready.ts';
import { asReleaseProblem, faultFacts, leftStanding } from './problems.ts';
import { leftByRestart, resume } from './recovery.ts';
import { cleanUp, follow, sendOut } from './sending.ts';
import type { Step } from './step.ts';
import { now } from './step.ts';

const actor = (step: Step) => fromPromise<Learned, Known>(({ input, signal }) => step(input, signal));

export const releaseSetup = setup({
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

type Had = { context: ReleaseContext };
type Told = { event: { output: Learned } };

/** A step is given everything that is known. Its result is known from then on. */
export const known = ({ context }: Had): Known => knownIn(context);
export const learn = { type: 'learn', params: ({ event }: Told) => event.output } as const;
/** Facts that the machine itself learns from an event. */
export const notes = <Args>(facts: (args: Args) => Learned) => ({ type: 'learn', params: facts }) as const;
export const errorOf = ({ event }: { event: { error: unknown } }) => ({ error: event.error });
export const noteProblem = notes(({ event }: { event: { error: unknown } }) => ({
  problem: asReleaseProblem(event.error),
}));
export const tells = (stage: StageUnderWay) => ({ type: 'tellStage', params: stage }) as const;

/** A stop before the intent means that nothing came out. */
export const givesUp = {
  target: 'settling',
  actions: notes(({ event }: { event: { because: Problem } }) => ({ problem: event.because })),
} as const;

/**
 * The owner will not mend the printer in which the job stands (T29). This also applies while the document is being
 * sent.
 */
export const whenLeft = {
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

export const cleansUp = {
  guard: ({ event }: Told) => leadsTo('cleaning', event.output),
  target: 'cleaning',
  actions: learn,
} as const;
export const settles = {
  guard: ({ event }: Told) => leadsTo('settling', event.output),
  target: 'settling',
  actions: learn,
} as const;

const left = ({ context }: Had): Learned => leftByRestart(knownIn(context));

/** A restart counts as a fault, too, except for a job that has all of its document. */
export const goesOn = [
  { guard: (had: Had) => leadsTo('cleaning', left(had)), target: 'cleaning', actions: notes(left) },
  { guard: (had: Had) => leadsTo('settling', left(had)), target: 'settling', actions: notes(left) },
  { target: 'following', actions: notes(left) },
] as const;
