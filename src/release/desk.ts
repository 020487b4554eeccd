/**
 * Where a terminal hands in its tickets. They go to the printer in this order, and while one is there the next one is
 * got ready, one ahead at most; they go on when the session that wanted them is over. A fault of the printer ends the
 * rest of its batch untouched. It decides nothing about a release; see `release.ts`.
 */
import type { Duration } from '../core/duration.ts';
import { seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { aborted } from '../core/service.ts';
import type { OpenAttempt } from '../domain/ports/ledger.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import type { Outcome, Standing, Ticket } from '../domain/release.ts';
import type { DocumentsInHand, DocumentsSetAside } from './standing.ts';
import { createStandings } from './standing.ts';
import type { PrinterTurns } from './turns.ts';
import type { ReleaseWorld } from './actors.ts';
import type { ReleaseRun, ReleaseRunDependencies, Settled } from './run.ts';
import { startRelease } from './run.ts';
import type { ReleaseInput } from './setup.ts';
import { abandoned } from './setup.ts';
import type { DocumentStage } from './session-progress.ts';

export interface ReleaseEnded extends Settled {
  readonly ticket: Ticket;
}

/** Who handed tickets in, and wants to hear of them. */
export interface BatchListener {
  /** Once a ticket, when its outcome is durable. */
  onEnded(ended: ReleaseEnded): void;
  /** So many documents of others come first, as far as is known; 0: the printer is ours. */
  onPlace(before: number): void;
  /** A document of the batch came on: a stage further, octets, a page; see `ReleaseRunDependencies`. */
  onProgress(): void;
  /** A document of the batch has another stage, or another page of it is out; until it has ended. */
  onStage(stage: DocumentStage): void;
}

export interface ReleaseDeskDependencies {
  readonly terminal: string;
  readonly world: ReleaseWorld;
  readonly inHand: DocumentsInHand;
  readonly setAside: DocumentsSetAside;
  /** Of all printers, shared by all desks of the agent. */
  readonly turns: PrinterTurns;
  readonly log: Log;
  onOutcome(outcome: Outcome, problem: Problem | undefined): void;
  /** Nothing of it is under way any more. */
  onIdle(): void;
}

export interface ReleaseDesk {
  /** A document waits for the printer, or is on its way. */
  isReleasing(): boolean;
  /** Nothing of a release is under way, a deletion that is owed included. */
  isIdle(): boolean;
  standing(documentUuid: string): Standing;
  /** Releases in this order. */
  release(tickets: readonly Ticket[], listener: BatchListener): void;
  /** The session that wanted them is over: what goes on goes on, what stands in a stopped printer is cancelled (T29). */
  ownerLeft(sessionId: string): void;
  /** Settles what a restart found open, by asking the printer; nothing is sent. */
  resume(attempts: readonly OpenAttempt[]): void;
  /**
   * Gives up what has no intent yet and waits for the rest, at most for the grace; for octets that are on their way to a
   * printer longer (`bytesGrace`), because what breaks off there nobody can tell the end of.
   */
  stop(grace: Duration): Promise<void>;
}

/** What one person wanted at once. */
interface Batch {
  /** At the printer, or getting ready for it. */
  readonly running: Set<ReleaseRun>;
  /** What stopped it. */
  fault: Problem | undefined;
}

/** Of the documents that have not ended. */
type InLine = Pick<BatchListener, 'onPlace'> & { readonly sessionId: string };

type RunHooks = Pick<ReleaseRunDependencies, 'refusal' | 'onPlace' | 'onTurn' | 'onProgress' | 'onStage'>;
/** It has its turn, and asks for none. */
const resumedHooks: RunHooks = {
  refusal: () => undefined,
  onPlace: () => {},
  onTurn: () => {},
  onProgress: () => {},
  onStage: () => {},
};

/** `goOn`: the next one may be got ready. */
type Job = (goOn: () => void) => Promise<void>;

/** After the grace, 15 s in all; the unit's TimeoutStopSec leaves room for it. */
const bytesGrace = seconds(12);

/** What stops a batch: the next document would meet the same fault. */
export const printerFaults: readonly ProblemCode[] = [
  'printer-unreachable',
  'printer-address-refused',
  'printer-unsupported',
  'printer-tls-too-old',
  'printer-tls-missing',
  'printer-not-ready',
  'printer-busy',
  'printer-rejecting',
  'printer-incapable',
  'printer-stalled',
  'transfer-broken',
  'outcome-unknown',
];

export function createReleaseDesk(dependencies: ReleaseDeskDependencies): ReleaseDesk {
  const { world, inHand, setAside, turns, log, terminal } = dependencies;
  const standings = createStandings({ ledger: world.ledger, finish: world.finish, inHand, setAside });
  const queue: Job[] = [];
  const running = new Set<Promise<void>>();
  /** With the session that wanted it, where that is known. */
  const alive = new Map<ReleaseRun, string | undefined>();
  /** By release id, in the order of the queue. */
  const line = new Map<string, InLine>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let working: Promise<void> | undefined;
  let lastOutputAt = 0;

  function enqueue(releaseId: string, { place, job }: { place: InLine; job: Job }) {
    line.set(releaseId, place);
    queue.push(async (goOn) => {
      await job(goOn);
      line.delete(releaseId);
      tellPlaces();
      tellIdle();
    });
    working ??= work();
  }

  async function work() {
    // One turn later: whoever hands in a ticket may be a machine in the middle of a transition.
    await Promise.resolve();
    for (let next = queue.shift(); next; next = queue.shift()) await untilNextMayBegin(next);
    working = undefined;
  }

  const isIdle = (): boolean => line.size === 0 && alive.size === 0;
  const tellIdle = () => isIdle() && dependencies.onIdle();

  const untilNextMayBegin = (job: Job) =>
    new Promise<void>((goOn) => {
      const run = job(goOn).finally(() => {
        running.delete(run);
        goOn();
      });
      running.add(run);
    });

  async function untilIdle() {
    await working;
    await Promise.all(running);
  }

  /** Everybody waits for the documents that others handed in here before their own first one. */
  function tellPlaces() {
    const told = new Set<string>();
    for (const [before, { sessionId, onPlace }] of [...line.values()].entries()) {
      if (before > 0 && !told.has(sessionId)) onPlace(before);
      told.add(sessionId);
    }
  }

  function start(input: ReleaseInput, hooks: RunHooks): ReleaseRun {
    const release: ReleaseRun = startRelease(input, {
      ...{ terminal, world, turns, log },
      ...hooks,
      lastOutputAt: () => lastOutputAt,
      onOutcome(outcome, problem) {
        if (outcome !== 'failed') lastOutputAt = world.clock.monotonic();
        dependencies.onOutcome(outcome, problem);
      },
      onDone() {
        alive.delete(release);
        tellIdle();
      },
    });
    alive.set(release, input.kind === 'new' ? input.ticket.sessionId : undefined);
    return release;
  }

  async function runNew(ticket: Ticket, batch: Batch, hooks: Omit<RunHooks, 'refusal'>): Promise<Settled> {
    const { releaseId, sessionId, document } = ticket;
    const refusal = () => batch.fault ?? (signal.aborted ? abandoned() : undefined);
    const problem = refusal();
    if (problem) {
      tellSkipped(ticket, problem);
      return { outcome: 'failed', stage: 'failed', problem };
    }
    log.info('release started', { terminal, sessionId, releaseId, documentUuid: document.uuid });
    const release = start({ kind: 'new', ticket }, { ...hooks, refusal });
    batch.running.add(release);
    const settled = await release.settled;
    batch.running.delete(release);
    if (batch.fault && settled.problem === batch.fault) tellSkipped(ticket, batch.fault);
    else stopIfFaulty(batch, settled);
    release.passTurnOn();
    return settled;
  }

  function stopIfFaulty(batch: Batch, { outcome, problem }: Settled) {
    if (!problem || outcome === 'completed' || !printerFaults.includes(problem.code)) return;
    batch.fault ??= problem;
    for (const ahead of batch.running) ahead.giveUp(batch.fault);
  }

  function tellSkipped({ document }: Ticket, { code }: Problem) {
    log.warn('release skipped', { terminal, documentUuid: document.uuid, code });
  }

  async function runResumed(attempt: OpenAttempt, goOn: () => void) {
    const { releaseId, state, documentUuid, printerUri = '' } = attempt;
    using turn = turns.ask({ printerUri, terminal, rank: 'resumed', onPlace: () => {} });
    try {
      await turn.come({ signal });
    } catch {
      // The next start finds it open again.
      return;
    }
    goOn();
    log.info('release resumed', { terminal, releaseId, documentUuid, state });
    const isAskedAbout = setAside.get(documentUuid) !== 'not-asked-about';
    await start({ kind: 'resumed', attempt, isAskedAbout }, resumedHooks).settled;
  }

  return {
    standing: standings.of,
    ...{ isIdle, isReleasing: () => line.size > 0 },

    release(tickets, { onEnded, onPlace, onProgress, onStage }) {
      const batch: Batch = { running: new Set(), fault: undefined };
      for (const ticket of tickets) {
        const { releaseId, sessionId, document } = ticket;
        const problem = standings.obstacle(ticket);
        if (problem) {
          tellSkipped(ticket, problem);
          onEnded({ ticket, outcome: 'failed', stage: 'failed', problem });
          continue;
        }
        inHand.add(document.uuid);
        enqueue(releaseId, {
          place: { sessionId, onPlace },
          async job(goOn) {
            const settled = await runNew(ticket, batch, {
              ...{ onPlace, onProgress, onTurn: goOn },
              onStage: (progress) => onStage({ documentUuid: document.uuid, ...progress }),
            });
            inHand.delete(document.uuid);
            onEnded({ ticket, ...settled });
          },
        });
      }
      tellPlaces();
    },

    ownerLeft(sessionId) {
      for (const [release, wantedBy] of alive) if (wantedBy === sessionId) release.ownerLeft();
    },

    resume(attempts) {
      for (const attempt of attempts) {
        const { releaseId, documentUuid } = attempt;
        inHand.add(documentUuid);
        enqueue(releaseId, {
          place: { sessionId: releaseId, onPlace: () => {} },
          async job(goOn) {
            await runResumed(attempt, goOn);
            inHand.delete(documentUuid);
          },
        });
      }
    },

    async stop(grace) {
      stopping.abort();
      for (const release of alive.keys()) release.giveUp(abandoned());
      const limit = world.clock.deadline(grace);
      await Promise.race([untilIdle(), aborted(limit)]);
      if (alive.size > 0) {
        const sent = Promise.all([...alive.keys()].map((release) => release.untilSent()));
        await Promise.race([sent, aborted(world.clock.deadline(bytesGrace))]);
      }
      for (const release of alive.keys()) {
        release.abandon();
        release.passTurnOn();
      }
    },
  };
}
