/**
 * The desk at which a terminal hands in its tickets. They go to the printer in this order, and while one document
 * prints the next ones are prepared (`ahead.ts`). They go on when the session of their owner is over. If the printer
 * has a fault, the rest of the batch ends untouched. The desk decides nothing about a release; `machine.ts` does.
 */
import type { Chance } from '../core/chance.ts';
import type { Duration } from '../core/duration.ts';
import { seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { aborted } from '../core/service.ts';
import type { OpenAttempt } from '../domain/ports/ledger.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import type { Standing, Ticket } from '../domain/release.ts';
import { Ahead } from './ahead.ts';
import type { ReleaseWish, ReleaseDeps } from './context.ts';
import type { ReleaseEnded, ReleaseEvent, ReleaseListener } from './events.ts';
import { abandoned, wasPackedInVain } from './problems.ts';
import { Queue } from './queue.ts';
import { Release } from './release.ts';
import type { DocumentsInHand, DocumentsSetAside, Standings } from './standing.ts';
import { createStandings } from './standing.ts';
import type { PrinterTurns, Turn } from './turns.ts';

export interface ReleaseDeskDeps {
  readonly terminal: string;
  readonly world: ReleaseDeps;
  readonly inHand: DocumentsInHand;
  readonly setAside: DocumentsSetAside;
  /** Shared by all desks of a terminal. A single desk has its own. */
  readonly lastOutput?: LastOutput;
  /** The turns at all printers, shared by all desks of the agent. */
  readonly turns: PrinterTurns;
  /** For the id of a release that goes out once more. */
  readonly chance: Chance;
  readonly log: Log;
  /** Hears of every release of this desk, also of those that a restart found open. */
  onEvent: ReleaseListener;
}

/** When a document last came out, or perhaps came out; in monotonic milliseconds. */
export interface LastOutput {
  at: number;
}

export interface ReleaseDesk {
  /** A document waits for the printer, or is on its way to it. */
  isReleasing(): boolean;
  /** No release is under way, and no deletion is owed. */
  isIdle(): boolean;
  standing(documentUuid: string): Standing;
  /** Releases the documents in this order. The listener hears of each document until it is done. */
  release(tickets: readonly Ticket[], listener: ReleaseListener): void;
  /**
   * The session of the owner is over. Its documents go on; a job that stands in a stopped printer is cancelled (T29).
   */
  ownerLeft(sessionId: string): void;
  /** Settles the releases that a restart found open, by asking the printer. Nothing is sent. */
  resume(attempts: readonly OpenAttempt[]): void;
  /**
   * Gives up all releases without an intent, and waits for the others, at most for the grace. For octets that are on
   * their way to a printer it waits longer (`bytesGrace`), because the result of a broken transfer can never be
   * learned.
   */
  stop(grace: Duration): Promise<void>;
}

/** After the grace; both are 15 s in all. The unit's TimeoutStopSec leaves room for it. */
const bytesGrace = seconds(12);

/** These problems stop a batch: the next document would meet the same fault of the printer or of the fleet's engine. */
export const printerFaults: readonly ProblemCode[] = [
  'fleet-engine-away',
  'fleet-engine-refused',
  'printer-unreachable',
  'printer-address-refused',
  'printer-unsupported',
  'printer-tls-too-old',
  'printer-tls-missing',
  'printer-tls-wanted',
  'printer-tls-refused',
  'printer-certificate-refused',
  'printer-moved',
  'printer-path-unknown',
  'printer-no-ipp',
  'printer-not-ready',
  'printer-busy',
  'printer-rejecting',
  'printer-incapable',
  'printer-stalled',
  'transfer-broken',
  'outcome-unknown',
];

/** The documents that a person asked for in a single wish. */
class Batch {
  /** The releases that are at the printer, or are prepared for it. */
  readonly running = new Set<Release>();
  /** The problem that stopped the batch. */
  fault: Problem | undefined;

  stopIfFaulty({ outcome, problem }: ReleaseEnded): void {
    if (!problem || outcome === 'completed' || !printerFaults.includes(problem.code)) return;
    this.fault ??= problem;
    for (const ahead of this.running) ahead.giveUp(this.fault);
  }
}

/** One document, from its ticket until nothing more is done for it. */
interface Case {
  /** The release of the document. It is replaced by another one if the printer could not unpack the first. */
  wish: ReleaseWish;
  names: Pick<ReleaseEvent, 'releaseId' | 'documentUuid'>;
  /** The session that waits for the document. */
  readonly sessionId: string;
  readonly listener: ReleaseListener;
  /** The document waits for the printer, or is at it. */
  isInLine: boolean;
  /** The documents behind it do not wait for it. The printer has it, and holds it until a person comes to its panel. */
  isAside: boolean;
  /** Gives the turn to the next document. */
  stepAside: () => void;
  /** Set while the release is under way. */
  release: Release | undefined;
}

class Desk implements ReleaseDesk {
  readonly #deps: ReleaseDeskDeps;
  readonly #standings: Standings;
  readonly #stopping = new AbortController();
  readonly #queue = new Queue();
  readonly #ahead: Ahead;
  /** In the order in which they were handed in. */
  readonly #cases = new Set<Case>();
  readonly #lastOutput: LastOutput;

  constructor(deps: ReleaseDeskDeps) {
    const { inHand, setAside, world, lastOutput = { at: 0 } } = deps;
    this.#deps = deps;
    this.#lastOutput = lastOutput;
    this.#ahead = new Ahead(() => world.spool.hasRoom());
    this.#standings = createStandings({ ledger: world.ledger, finish: world.finish, inHand, setAside });
  }

  isIdle(): boolean {
    return this.#cases.size === 0;
  }

  isReleasing(): boolean {
    return this.#inLine().length > 0;
  }

  standing(documentUuid: string): Standing {
    return this.#standings.of(documentUuid);
  }

  release(tickets: readonly Ticket[], listener: ReleaseListener): void {
    const batch = new Batch();
    for (const ticket of tickets) {
      const problem = this.#standings.obstacle(ticket);
      if (problem) {
        listener(this.#skipped(ticket, problem));
        listener({ type: 'done', ...namesOf(ticket) });
        continue;
      }
      const wish = { kind: 'new', ticket } as const;
      const one = { wish, listener, sessionId: ticket.sessionId, names: namesOf(ticket) };
      this.#enqueue({ ...one, ...atTheStart }, async (taken, goOn) => {
        let ended = await this.#runNew(taken, ticket, batch, goOn);
        if (wasPackedInVain(ended)) ended = await this.#runPlain(taken, ticket, batch, goOn);
        this.#deps.inHand.delete(ticket.document.uuid);
        listener(ended);
      });
    }
    this.#tellPlaces();
  }

  ownerLeft(sessionId: string): void {
    for (const { sessionId: wantedBy, release } of this.#cases) {
      if (wantedBy === sessionId) release?.ownerLeft();
    }
  }

  resume(attempts: readonly OpenAttempt[]): void {
    for (const attempt of attempts) {
      const { releaseId, documentUuid } = attempt;
      const isAskedAbout = this.#deps.setAside.get(documentUuid) !== 'not-asked-about';
      const wish = { kind: 'resumed', attempt, isAskedAbout } as const;
      const one = { wish, listener: () => {}, sessionId: releaseId, names: { releaseId, documentUuid } };
      this.#enqueue({ ...one, ...atTheStart }, async (taken, goOn) => {
        await this.#runResumed(taken, attempt, goOn);
        this.#deps.inHand.delete(documentUuid);
      });
    }
  }

  async stop(grace: Duration): Promise<void> {
    const { clock } = this.#deps.world;
    this.#stopping.abort();
    for (const release of this.#underWay()) release.giveUp(abandoned());
    const limit = clock.deadline(grace);
    await Promise.race([this.#queue.untilIdle(), aborted(limit)]);
    const left = this.#underWay();
    if (left.length > 0) {
      const sent = Promise.all(left.map((release) => release.untilSent()));
      await Promise.race([sent, aborted(clock.deadline(bytesGrace))]);
    }
    for (const release of this.#underWay()) release.abandon();
  }

  #enqueue(taken: Case, job: (taken: Case, goOn: () => void) => Promise<void>): void {
    this.#deps.inHand.add(taken.names.documentUuid);
    this.#cases.add(taken);
    this.#queue.add(async (goOn) => {
      await job(taken, goOn);
      taken.isInLine = false;
      this.#tellPlaces();
      this.#closeIfDone(taken);
    });
  }

  async #runNew(taken: Case, ticket: Ticket, batch: Batch, goOn: () => void): Promise<ReleaseEnded> {
    const { terminal, turns, log } = this.#deps;
    const { releaseId, sessionId, document } = ticket;
    const refusal = () => batch.fault ?? (this.#stopping.signal.aborted ? abandoned() : undefined);
    const problem = refusal();
    if (problem) return this.#skipped(ticket, problem);
    log.info('release started', { terminal, sessionId, releaseId, documentUuid: document.uuid });
    const onPlace = (before: number) => this.#hear(taken, { type: 'turn', before, ...taken.names });
    using turn = this.#ahead.enter(turns.ask({ terminal, rank: 'new', onPlace }), goOn);
    taken.stepAside = () => leave(turn, goOn);
    const release = this.#start(taken, turn, refusal);
    batch.running.add(release);
    const ended = await release.settled;
    batch.running.delete(release);
    if (batch.fault && ended.problem === batch.fault) this.#skipped(ticket, batch.fault);
    else batch.stopIfFaulty(ended);
    return ended;
  }

  /**
   * Nothing came out, and the agent knows now that the printer cannot unpack. The plain document gets a release of its
   * own, with its own claim and record. A second job under the first intent might print twice after a crash (I1).
   */
  #runPlain(taken: Case, packed: Ticket, batch: Batch, goOn: () => void): Promise<ReleaseEnded> {
    const { chance, log } = this.#deps;
    const ticket = { ...packed, releaseId: chance.uuid().replaceAll('-', '') };
    log.info('release sent plain', { releaseId: ticket.releaseId, before: packed.releaseId });
    taken.wish = { kind: 'new', ticket };
    taken.names = namesOf(ticket);
    return this.#runNew(taken, ticket, batch, goOn);
  }

  async #runResumed(taken: Case, attempt: OpenAttempt, goOn: () => void): Promise<void> {
    const { terminal, turns, log } = this.#deps;
    const { releaseId, state, documentUuid, printerUri = '', from } = attempt;
    using turn = turns.ask({ terminal, rank: 'resumed', onPlace: () => {} });
    try {
      await turn.come({ printerUri, signal: this.#stopping.signal });
    } catch {
      // The next start finds it open again.
      return;
    }
    goOn();
    taken.stepAside = () => leave(turn, goOn);
    log.info('release resumed', { terminal, releaseId, documentUuid, state, from });
    await this.#start(taken, turn, () => undefined).settled;
  }

  #start(taken: Case, turn: Turn, refusal: () => Problem | undefined): Release {
    const { terminal, world, log } = this.#deps;
    const lastOutputAt = () => this.#lastOutput.at;
    const place = { terminal, world, log, turn, refusal, lastOutputAt };
    const release = new Release(taken.wish, place, (event) => this.#hear(taken, event));
    taken.release = release;
    release.start();
    return release;
  }

  #hear(taken: Case, event: ReleaseEvent): void {
    if (event.type === 'done') {
      taken.release = undefined;
      return this.#closeIfDone(taken);
    }
    if (event.type === 'stage' && event.wait === 'held') this.#putAside(taken);
    const { onEvent, world } = this.#deps;
    if (event.type === 'ended' && event.outcome !== 'failed') this.#lastOutput.at = world.clock.monotonic();
    onEvent(event);
    // The end is told later, when the document is no longer in hand.
    if (event.type !== 'ended') taken.listener(event);
  }

  #putAside(taken: Case): void {
    if (taken.isAside) return;
    taken.isAside = true;
    taken.stepAside();
    this.#tellPlaces();
  }

  #closeIfDone(taken: Case): void {
    const { isInLine, release, names, listener } = taken;
    if (isInLine || release) return;
    this.#cases.delete(taken);
    this.#deps.onEvent({ type: 'done', ...names });
    listener({ type: 'done', ...names });
  }

  /** Each session is told how many documents of other sessions come before its own first document. */
  #tellPlaces(): void {
    const told = new Set<string>();
    for (const [before, { sessionId, names, listener }] of this.#inLine().entries()) {
      if (before > 0 && !told.has(sessionId)) listener({ type: 'turn', before, ...names });
      told.add(sessionId);
    }
  }

  #inLine(): readonly Case[] {
    return [...this.#cases].filter(({ isInLine, isAside }) => isInLine && !isAside);
  }

  #underWay(): readonly Release[] {
    return [...this.#cases].flatMap(({ release }) => release ?? []);
  }

  #skipped(ticket: Ticket, problem: Problem): ReleaseEnded {
    const { log, terminal } = this.#deps;
    const { code, reasons } = problem;
    const why = reasons.length > 0 ? { code, reasons } : { code };
    log.warn('release skipped', { terminal, documentUuid: ticket.document.uuid, ...why });
    return { type: 'ended', outcome: 'failed', stage: 'failed', problem, ...namesOf(ticket) };
  }
}

const atTheStart = { isInLine: true, isAside: false, stepAside: () => {}, release: undefined };

function leave(turn: Turn, goOn: () => void): void {
  goOn();
  turn[Symbol.dispose]();
}

const namesOf = ({ releaseId, document }: Ticket) => ({ releaseId, documentUuid: document.uuid });

export const createReleaseDesk = (deps: ReleaseDeskDeps): ReleaseDesk => new Desk(deps);
