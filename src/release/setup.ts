/**
 * What the states of the release machine are made of: its steps as actors, what it notes and tells, its guards, and the
 * table of its waits. The states are in `machine.ts`, and in `delivery.ts` those of what the service prints.
 */
import { assign, emit, enqueueActions, fromPromise, setup } from 'xstate';
import { longest, seconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { EndState } from '../domain/release.ts';
import { isSamePrinter } from '../domain/printer/printer-address.ts';
import type { Learned, ReleaseContext, ReleaseInput, ReleaseWord } from './context.ts';
import { documentUuidOf, endStateOf, expectedOf, isLeftStanding, pageNews } from './context.ts';
import { downloadLimits, downloadPatience, downloadWaits } from './document-source.ts';
import type { ReleaseNews, StageUnderWay } from './events.ts';
import { endStageOf } from './events.ts';
import {
  abandoned,
  asReleaseProblem,
  brokenOff,
  faultFacts,
  leftStanding,
  outOfSight,
  reportedProblem,
} from './problems.ts';
import type { Step } from './step.ts';
import { now } from './step.ts';
import * as claimSteps from './claim-steps.ts';
import * as deliverySteps from './delivery-steps.ts';
import * as steps from './steps.ts';

const actor = (step: Step) =>
  fromPromise<Learned, ReleaseContext>(({ input, signal }) => step(input, signal));

/** A balance answer is good for 60 s (INVARIANTS.md B.4, 4), up to 10 of which it may have when it comes. */
const balanceHolds = seconds(50);
const isOld = (known: ReleaseContext): boolean =>
  known.cleared === undefined || now(known) - known.cleared.at > balanceHolds;

type Left = 'triesLeft' | 'restartsLeft' | 'requestsLeft';

const progressPause = seconds(2);

const isProgressDue = (context: ReleaseContext): boolean =>
  now(context) - context.progressAt >= progressPause;

/** Whether a word that it has come on would change anything: there is one for each of its states. */
export const isWorthAWord = (context: ReleaseContext): boolean =>
  context.standingSince !== undefined || context.wasLeftStanding || isProgressDue(context);

const namesOf = ({ terminal, releaseId }: ReleaseContext) => ({ terminal, releaseId });
/** Something did not work, and the release goes on. */
const fallBack = (known: ReleaseContext) => ({
  ...namesOf(known),
  ...(known.problem ? faultFacts(known.problem) : {}),
});

export const releaseSetup = setup({
  types: {
    context: {} as ReleaseContext,
    events: {} as ReleaseWord,
    input: {} as ReleaseInput,
    emitted: {} as ReleaseNews,
    /** Octets of the document are on their way to a printer. */
    tags: {} as 'sending',
  },
  actors: {
    recordPlan: actor(steps.recordPlan),
    checkBalance: actor(steps.checkBalance),
    download: actor(steps.download),
    watchDocument: actor(steps.watchDocument),
    takeTurn: actor(steps.takeTurn),
    prepare: actor(steps.prepare),
    convert: actor(steps.convert),
    lookAgain: actor(steps.lookAgain),
    claim: actor(claimSteps.claim),
    announce: actor(claimSteps.announce),
    askForClaim: actor(claimSteps.askForClaim),
    recordIntent: actor(steps.recordIntent),
    createJob: actor(steps.createJob),
    recordJob: actor(steps.recordJob),
    send: actor(steps.send),
    print: actor(steps.print),
    sendBytes: actor(steps.sendBytes),
    recordSent: actor(steps.recordSent),
    recordServiceIntent: actor(deliverySteps.recordServiceIntent),
    deliver: actor(deliverySteps.deliver),
    lookAtDelivery: actor(deliverySteps.lookAtDelivery),
    recordRefusal: actor(deliverySteps.recordRefusal),
    follow: actor(steps.follow),
    cancel: actor(steps.cancel),
    sweep: actor(steps.sweep),
    find: actor(steps.find),
    recordEnd: actor(steps.recordEnd),
    finish: actor(steps.finish),
  },
  actions: {
    learn: assign((_, learned: Learned) => learned),
    spend: assign(({ context }, left: Left) => ({ [left]: context[left] - 1 })),
    /** Closes the spool file and wipes its key: no attempt reads its document twice. */
    forgetDocument: ({ context }) => context.document?.[Symbol.dispose](),

    noteProblem: assign((_, { error }: { error: unknown }) => ({ problem: asReleaseProblem(error) })),
    noteBrokenOff: assign(({ context }, { error }: { error: unknown }) => ({
      ...brokenOff(error),
      outAt: now(context),
    })),
    noteReported: assign(({ context }) => reportedProblem(context.report, expectedOf(context))),
    noteFinishRefused: assign((_, { error }: { error: unknown }) => ({
      finishProblem: asReleaseProblem(error),
    })),
    keepSent: ({ context }) => steps.keepSent(context),
    abandon: assign({ problem: () => abandoned() }),
    giveUp: assign(({ event }) => (event.type === 'STOP' ? { problem: event.because } : {})),
    loseSight: assign(() => ({ verdict: 'UNKNOWN' as const, problem: outOfSight() })),

    comeOn: enqueueActions(({ context, enqueue }) => {
      enqueue.assign({ standingSince: undefined, wasLeftStanding: false });
      if (!isProgressDue(context)) return;
      enqueue.assign({ progressAt: now(context) });
      enqueue.emit({ type: 'progress' });
    }),
    stand: enqueueActions(({ context, enqueue }) => {
      if (context.standingSince !== undefined) return;
      enqueue.assign({ standingSince: now(context) });
      enqueue.emit({ type: 'standing' });
    }),
    /** Somebody may have mended it since the last look: the next one tells. */
    leave: assign(({ context }) =>
      context.wait === 'held'
        ? // They may be on their way to its panel.
          { isOwnerGone: true, standingSince: now(context) }
        : {
            isOwnerGone: true,
            wasLeftStanding: context.wasLeftStanding || context.standingSince !== undefined,
          },
    ),
    /** Also while it is being sent. */
    noteLeft: assign(({ context }) => ({
      problem: leftStanding(),
      sent: context.sent === 'all' ? ('all' as const) : ('some' as const),
      outAt: context.outAt ?? now(context),
    })),

    tellStage: enqueueActions(({ context, enqueue }, stage: StageUnderWay) => {
      if (stage === context.stage) return;
      enqueue.assign({ stage });
      enqueue.emit({ type: 'stage', stage });
    }),
    tellWait: enqueueActions(({ context: { outcome, stage, wait }, event, enqueue }) => {
      if (event.type !== 'WAIT' || outcome !== undefined || event.wait === wait) return;
      enqueue.assign({ wait: event.wait });
      enqueue.emit({ type: 'stage', stage, ...(event.wait && { wait: event.wait }) });
    }),
    tellLeftOut: emit({ type: 'left-out' as const }),
    tellPage: enqueueActions(({ context: { outcome, ticket, page }, event, enqueue }) => {
      if (event.type !== 'PAGES' || outcome !== undefined) return;
      const news = pageNews(event.impressions, { document: ticket?.document, page });
      if (news === undefined) return;
      enqueue.assign({ page: news.page });
      enqueue.emit(news);
    }),
    tellEnd: emit(({ context }) => ({
      type: 'ended' as const,
      outcome: required(context.outcome, 'outcome'),
      stage: endStageOf[endStateOf(context)],
      problem: context.problem,
      trace: context.trace.whole(),
    })),

    logNotLookedAt: ({ context }, { error }: { error: unknown }) =>
      context.log.info('list not looked at again', { ...namesOf(context), error: error as Error }),
    logClaimRefused: ({ context }, { error }: { error: unknown }) => {
      if (!isProblem(error, 'document-claimed', 'claim-lost', 'fleet-forgot')) return;
      const { code, place } = error;
      const facts = { ...namesOf(context), documentUuid: documentUuidOf(context), code };
      context.log.warn('claim refused', { ...facts, ...(place === undefined ? {} : { place }) });
    },
    logLeftToSuccessor: ({ context }) =>
      context.log.warn('claim refused', {
        ...namesOf(context),
        documentUuid: documentUuidOf(context),
        code: 'claim-lost',
      }),
    logDownloadAgain: ({ context }) => context.log.debug('download repeated', fallBack(context)),
    logDeliveryRefused: ({ context }) => context.log.warn('delivery refused', fallBack(context)),
    /** Before it is noted: what is refused again is no news. */
    logFinishRefused: ({ context }, { error }: { error: unknown }) => {
      const facts = { ...namesOf(context), error: error as Error };
      if (context.finishProblem) context.log.debug('deletion refused again', facts);
      else context.log.warn('deletion refused', facts);
    },
  },
  guards: {
    /** The service's answer is too old for an intent (B.4, 4 Balance). */
    isBalanceOld: ({ context }) => isOld(context),
    /** The same, or something was charged since. */
    isBalanceStale: ({ context }) => {
      const { cleared, lastOutputAt } = context;
      return isOld(context) || (cleared?.isCharged === true && lastOutputAt() >= cleared.at);
    },
    /** The intent was for the service to print it. */
    isByTheService: ({ context }) => context.deliveredBy === 'service',
    /** The service is asked to deliver, before or instead of this terminal; what it refused has a document here. */
    isTheServices: ({ context: { world, document } }) => world.delivery !== 'local' && document === undefined,
    /** What the service definitely refused to deliver, this terminal prints. */
    isOursAfterARefusal: ({ context }) => context.world.delivery === 'cloud-then-local',
    /** What was taken on without being confirmed counts as unknown. */
    needsConfirmation: ({ context }, verdict: EndState | undefined) =>
      context.world.requireConfirmation && verdict === 'HANDED-OVER',
    /** The intent of a resumed attempt names another printer than the terminal has now. */
    isAnotherPrinter: ({ context: { resumed, world } }) =>
      resumed?.printerUri !== undefined && !isSamePrinter(resumed.printerUri, world.printer().uri),
    /** The printer takes mere bytes: there is no job to ask about. */
    takesBytes: ({ context }) => context.world.printer().kind === 'bytes',
    /** With the request that makes its job. */
    goesAtOnce: ({ context }) => context.plan?.inOneStep === true,
    isLeftStanding: ({ context }) => isLeftStanding(context),
    /** The document is to be kept, or the user's token is no longer worth sending. */
    mayNotFinish: ({ context }) =>
      context.world.finish === 'keep' || now(context) >= required(context.ticket, 'ticket').token.expiresAt,
  },
  delays: {
    /** Between two tries to download; what the service asks for comes first. */
    downloadAgain: ({ context: { problem, triesLeft } }) =>
      problem?.retryAfter ?? waitBefore(downloadLimits.tries - triesLeft, downloadWaits),
    /** After so long no download is tried again; one that is coming in goes on (B.4, 5 Download). */
    downloadPatience,
    /** Between two requests to deliver, while the service's output is not ready (src/cloud/README.md 12, row 18). */
    requestAgain: seconds(5),
    /** Between two looks at what the service delivers. */
    lookAgain: ({ context }) =>
      waitBefore(context.looks, { first: seconds(1), factor: 2, longest: seconds(5) }),
    /** After so long nobody knows what became of what the service took on (src/cloud/README.md 12, row 18). */
    deliveryPatience: seconds(120),
    /** Between two questions to an engine that is away (F12: healed within 5 s of its return). */
    askForClaimAgain: seconds(2),
    /** A job that has ended by then is durable with its end. */
    keepSent: seconds(1),
    /** Between two tries to write an end state that a full disk refused. */
    recordAgain: seconds(5),
    /** Between two tries to finish with a printed document in the cloud; longer where the service asks for it. */
    finishAgain: ({ context }) => longest(seconds(10), context.finishProblem?.retryAfter ?? seconds(0)),
  },
});

/** Every step is given all that is known, and what it learned is known from then on. */
export const known = ({ context }: { context: ReleaseContext }): ReleaseContext => context;
export const learn = {
  type: 'learn',
  params: ({ event }: { event: { output: Learned } }) => event.output,
} as const;
const errorOf = ({ event }: { event: { error: unknown } }) => event;
export const noteProblem = { type: 'noteProblem', params: errorOf } as const;
export const logClaimRefused = { type: 'logClaimRefused', params: errorOf } as const;
export const logNotLookedAt = { type: 'logNotLookedAt', params: errorOf } as const;
export const noteBrokenOff = { type: 'noteBrokenOff', params: errorOf } as const;
export const spends = (left: Left) => ({ type: 'spend', params: left }) as const;
export const tells = (stage: StageUnderWay) => ({ type: 'tellStage', params: stage }) as const;

export const settles = { target: '#release.settling', actions: noteProblem } as const;
/** Before the intent a stop means: nothing came out. */
export const givesUp = { target: '#release.settling', actions: 'giveUp' } as const;
/** Beside whatever a document waits for: one that stops coming in has no intent, and so is not printed (I1). */
export const watchesDocument = { src: 'watchDocument', input: known, onError: settles } as const;

/** Whoever wanted it will not mend the printer. */
export const whenItStands = [
  { guard: 'isLeftStanding', target: '#release.cancelling', actions: 'noteLeft' },
  { actions: 'stand' },
] as const;

export const finishRefused = [
  { type: 'logFinishRefused', params: errorOf },
  { type: 'noteFinishRefused', params: errorOf },
] as const;
