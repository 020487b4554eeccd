/**
 * One release under way: its machine with the world put in, its turn at the printer, and what is told of it. What is
 * decided is in `release.ts`; which release comes when, in `release-desk.ts`.
 */
import type { SnapshotFrom } from 'xstate';
import { createActor, fromPromise, waitFor } from 'xstate';
import { seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { PrinterWait } from '../domain/ports/printing.ts';
import type { Outcome } from '../domain/release.ts';
import type { PrinterTurns, Turn } from './turns.ts';
import type { ReleaseWorld } from './actors.ts';
import { releaseActors } from './actors.ts';
import type { EndStage, ReleaseProgress, StageUnderWay } from './progress.ts';
import { endStageOf, pageCounter } from './progress.ts';
import type { Cleared, ReleaseInput } from './setup.ts';
import { endStateOf } from './setup.ts';
import { createReleaseTrace } from './trace.ts';
import { releaseMachine } from './machine.ts';

export interface ReleaseRunDependencies {
  readonly terminal: string;
  readonly world: ReleaseWorld;
  readonly turns: PrinterTurns;
  readonly log: Log;
  /** Why nothing new may begin at the printer; asked when the turn has come. */
  refusal(): Problem | undefined;
  /** When a release of this desk last ended with something printed, or perhaps; monotonic milliseconds. */
  lastOutputAt(): number;
  /** So many turns of other terminals come before its own; see `TurnWish`. */
  onPlace(before: number): void;
  /** It has its turn at the printer. */
  onTurn(): void;
  /** It came on: a stage further, or within one; at most every 2 s, as often as a job is looked at. */
  onProgress(): void;
  /** It has another stage, or another page is out. */
  onStage(progress: ReleaseProgress): void;
  onOutcome(outcome: Outcome, problem: Problem | undefined): void;
  /** Nothing more is done for it by itself: also its document in the cloud is finished with. */
  onDone(): void;
}

export interface ReleaseRun {
  /** Resolves when the outcome is settled; its deletion in the cloud goes on by itself. */
  readonly settled: Promise<Settled>;
  /** While it has no intent; later this does nothing. */
  giveUp(because: Problem): void;
  /** Who wanted it has left: a job that goes on standing in the printer is cancelled, any other printed (T29). */
  ownerLeft(): void;
  /** Resolves when no octet of its document is on its way to the printer; now, where none is. */
  untilSent(): Promise<void>;
  /** The printer is the next one's; given back once however often this is called. */
  passTurnOn(): void;
  /** Leaves it where it is. */
  abandon(): void;
}

export interface Settled {
  readonly outcome: Outcome;
  readonly stage: EndStage;
  readonly problem: Problem | undefined;
}

type Snapshot = SnapshotFrom<typeof releaseMachine>;

/** A balance answer is good for 60 s (reliability.md B.4, 4), up to 10 of which it may have when it comes. */
const balanceHolds = seconds(50);
const progressPause = seconds(2);
/** A printer that stops when nobody is there any more may be mended by somebody else for so long (T29). */
const longestStandingAlone = seconds(60);

export function startRelease(input: ReleaseInput, dependencies: ReleaseRunDependencies): ReleaseRun {
  const { terminal, world, turns, log } = dependencies;
  const ticket = input.kind === 'new' ? input.ticket : undefined;
  const trace = createReleaseTrace({ clock: world.clock, before: ticket?.trace });
  let turn: Turn | undefined;
  /** Since it was first seen to stand, monotonic; `undefined`: it was seen to come on since. */
  let standingSince: number | undefined;
  /** When its owner left. */
  let wasLeftStanding = false;
  /** Whose session a restart ended is not there either. */
  let isOwnerGone = input.kind === 'resumed';
  let progressAt = Number.NEGATIVE_INFINITY;

  function onStanding(): void {
    const now = world.clock.monotonic();
    standingSince ??= now;
    const isLeft = wasLeftStanding || (isOwnerGone && now - standingSince > longestStandingAlone);
    if (isLeft) actor.send({ type: 'OWNER_LEFT' });
  }

  function onProgress(): void {
    standingSince = undefined;
    wasLeftStanding = false;
    const now = world.clock.monotonic();
    if (now - progressAt < progressPause) return;
    progressAt = now;
    dependencies.onProgress();
  }

  const believed = ticket ? pageCounter(ticket.document) : () => undefined;
  function onPages(impressions: number): void {
    const progress = believed(impressions);
    if (progress && !isTold) dependencies.onStage(progress);
  }

  let waitTold: PrinterWait;
  function onWait(wait: PrinterWait): void {
    if (isTold || wait === waitTold) return;
    waitTold = wait;
    dependencies.onStage({ stage: told, ...(wait && { wait }) });
  }

  const isOld = (cleared: Cleared | undefined): boolean =>
    cleared === undefined || world.clock.monotonic() - cleared.at > balanceHolds;

  async function takeTurn(signal: AbortSignal): Promise<void> {
    const { onPlace } = dependencies;
    turn ??= turns.ask({ printerUri: world.printer().uri, terminal, rank: 'new', onPlace });
    await turn.come({ signal });
    const problem = dependencies.refusal();
    if (problem) throw problem;
    dependencies.onTurn();
  }

  const machine = releaseMachine.provide({
    actors: {
      ...releaseActors(world, { onProgress, onStanding, onPages, onWait }, trace),
      takeTurn: fromPromise(({ signal }) => trace.measured('turn', () => takeTurn(signal))),
    },
    guards: {
      isBalanceOld: ({ context: { cleared } }) => isOld(cleared),
      isBalanceStale: ({ context: { cleared } }) =>
        isOld(cleared) || (cleared?.isCharged === true && dependencies.lastOutputAt() >= cleared.at),
      isTheServices: ({ context: { document } }) => world.delivery !== 'local' && document === undefined,
      isOursAfterARefusal: () => world.delivery === 'cloud-then-local',
      needsConfirmation: (_, { verdict }) => world.requireConfirmation && verdict === 'HANDED-OVER',
      isAnotherPrinter: ({ context: { resumed } }) =>
        resumed?.printerUri !== undefined && resumed.printerUri !== world.printer().uri,
      takesBytes: () => world.printer().kind === 'bytes',
      mayNotFinish: (_, { ticket: { token } }) =>
        world.finish === 'keep' || world.clock.monotonic() >= token.expiresAt,
    },
    actions: {
      tellNotLookedAt: ({ context: { releaseId } }, { error }) =>
        log.info('list not looked at again', { terminal, releaseId, error: error as Error }),
      tellDownloadAgain: ({ context }) => log.debug('download repeated', fallBack(context)),
      tellDeliveryRefused: ({ context }) => log.warn('delivery refused', fallBack(context)),
      tellFinishRefused: ({ context: { releaseId, finishProblem } }, { error }) => {
        const facts = { terminal, releaseId, error: error as Error };
        if (finishProblem) log.debug('deletion refused again', facts);
        else log.warn('deletion refused', facts);
      },
    },
  });

  /** Something did not work, and the release goes on. */
  const fallBack = ({ releaseId, problem }: Snapshot['context']) => ({
    terminal,
    releaseId,
    ...(problem ? faultFacts(problem) : {}),
  });

  function tellEnd(releaseId: string, { outcome, problem }: Omit<Settled, 'stage'>) {
    const facts = {
      terminal,
      releaseId,
      outcome,
      ...(problem && outcome !== 'completed' ? faultFacts(problem) : {}),
    };
    if (outcome === 'completed') log.info('release ended', facts);
    else log.warn('release ended', facts);
    dependencies.onOutcome(outcome, problem);
  }

  const actor = createActor(machine, { clock: world.clock, input });
  const { promise: settled, resolve } = Promise.withResolvers<Settled>();
  let isTold = false;
  /** What is tried again is no progress. */
  const reached = new Set<unknown>();
  let told: StageUnderWay = 'waiting';
  function tellStage({ tags }: Snapshot): void {
    // A snapshot types them as any text.
    const [stage = told] = tags as ReadonlySet<StageUnderWay>;
    if (stage !== told) dependencies.onStage({ stage });
    told = stage;
  }
  actor.subscribe({
    next(snapshot) {
      const { status, value, context } = snapshot;
      const { releaseId, outcome, problem } = context;
      if (status !== 'active') dependencies.onDone();
      const stage = JSON.stringify(value);
      if (!reached.has(stage)) onProgress();
      reached.add(stage);
      if (isTold) return;
      if (outcome === undefined) return tellStage(snapshot);
      isTold = true;
      tellEnd(releaseId, { outcome, problem });
      resolve({ outcome, stage: endStageOf[endStateOf(context)], problem });
    },
    error(error) {
      dependencies.onDone();
      log.error('release failed unexpectedly', { terminal, error: error as Error });
      resolve({ outcome: 'unknown', stage: 'unknown', problem: actor.getSnapshot().context.problem });
    },
  });
  actor.start();

  return {
    settled,
    giveUp: (because) => actor.send({ type: 'STOP', because }),
    ownerLeft: () => {
      isOwnerGone = true;
      // Somebody may have mended it since the last look: the next one tells.
      wasLeftStanding ||= standingSince !== undefined;
    },
    // Who was stopped sends nothing either.
    untilSent: () => waitFor(actor, (snapshot) => !isSending(snapshot)).then(noValue, noValue),
    passTurnOn: () => turn?.[Symbol.dispose](),
    abandon: () => actor.stop(),
  };
}

const isSending = (snapshot: Snapshot): boolean =>
  (['sending', 'sendingAtOnce', 'sendingBytes'] as const).some((state) => snapshot.matches(state));

const noValue = (): void => {};

const faultFacts = (problem: Problem) => ({
  code: problem.code,
  detail: problem.message,
  advice: problem.advice,
  ...(problem.reasons.length > 0 ? { reasons: problem.reasons } : {}),
});
