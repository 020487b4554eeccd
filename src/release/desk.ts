/**
 * The desk at which a terminal hands in its tickets. It moves each document on from stage to stage (`on-the-way.ts`).
 * The documents go to the printer in the order in which they were handed in, and while one document prints the next
 * ones are got ready. They go on when the session of their owner is over. If the printer has a fault, the rest of the
 * batch ends untouched. The desk decides nothing about a release; `machine.ts` does.
 */
import type { Chance } from '../core/chance.ts';
import type { Duration } from '../core/duration.ts';
import { seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { aborted } from '../core/service.ts';
import type { OpenAttempt } from '../domain/ports/ledger.ts';
import { isSamePrinter } from '../domain/printer/printer-address.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { Standing, Ticket } from '../domain/release.ts';
import type { ReleaseDeps, ReleaseWish } from './context.ts';
import { namesOf } from './context.ts';
import type { ReleaseEnded, ReleaseEvent, ReleaseListener } from './events.ts';
import type { Batch, Case, CaseStage, OnTheWay } from './on-the-way.ts';
import { isAhead, isInHand, isInLine } from './on-the-way.ts';
import { abandoned, printerFaults, wasPackedInVain } from './problems.ts';
import { Release } from './release.ts';
import type { DocumentsSetAside, Standings } from './standing.ts';
import { createStandings } from './standing.ts';
import type { PrinterTurns, Turn } from './turns.ts';

export interface ReleaseDeskDeps {
  readonly terminal: string;
  readonly world: ReleaseDeps;
  /** Shared by all desks of the agent. */
  readonly onTheWay: OnTheWay;
  readonly setAside: DocumentsSetAside;
  /** The turns at all printers, shared by all desks of the agent. */
  readonly turns: PrinterTurns;
  /** For the id of a release that goes out once more. */
  readonly chance: Chance;
  readonly log: Log;
  /** Hears of every release of this desk, also of those that a restart found open. */
  onEvent: ReleaseListener;
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

/** More documents would not print sooner. They would be prepared for nothing if the printer has a fault. */
const mostAhead = 8;
/** Two downloads at a time keep the line to the service busy, so that the printer seldom waits. */
const mostComingIn = 2;

class Desk implements ReleaseDesk {
  readonly #deps: ReleaseDeskDeps;
  readonly #standings: Standings;
  readonly #stopping = new AbortController();
  /** Resolves at the next change. */
  #change = Promise.withResolvers<void>();

  constructor(deps: ReleaseDeskDeps) {
    const { onTheWay, setAside, world } = deps;
    this.#deps = deps;
    this.#standings = createStandings({ ledger: world.ledger, finish: world.finish, onTheWay, setAside });
  }

  isReleasing(): boolean {
    return this.#cases().values().some(isInLine);
  }

  isIdle(): boolean {
    return this.#cases().size === 0;
  }

  standing(documentUuid: string): Standing {
    return this.#standings.of(documentUuid);
  }

  release(tickets: readonly Ticket[], listener: ReleaseListener): void {
    const batch = { fault: undefined };
    for (const ticket of tickets) {
      const wish = { kind: 'new', ticket } as const;
      const problem = this.#standings.obstacle(ticket);
      if (problem === undefined) this.#handIn(wish, batch, listener);
      else {
        listener(this.#skipped(wish, problem));
        listener({ type: 'done', ...namesOf(wish) });
      }
    }
    this.#lookOn();
    this.#tellPlaces();
  }

  resume(attempts: readonly OpenAttempt[]): void {
    for (const attempt of attempts) {
      const isAskedAbout = this.#deps.setAside.get(attempt.documentUuid) !== 'not-asked-about';
      this.#handIn({ kind: 'resumed', attempt, isAskedAbout }, { fault: undefined }, () => {});
    }
    this.#lookOn();
  }

  ownerLeft(sessionId: string): void {
    for (const { wish, release } of this.#cases()) {
      if (sessionOf(wish) === sessionId) release?.ownerLeft();
    }
  }

  async stop(grace: Duration): Promise<void> {
    const { clock } = this.#deps.world;
    this.#stopping.abort();
    for (const release of this.#underWay()) release.giveUp(abandoned());
    const isOver = () => !this.#cases().values().some(isInHand);
    await this.#until(isOver, clock.deadline(grace)).catch(() => undefined);
    const left = this.#underWay();
    if (left.length > 0) {
      const sent = Promise.all(left.map((release) => release.untilSent()));
      await Promise.race([sent, aborted(clock.deadline(bytesGrace))]);
    }
    for (const release of this.#underWay()) release.abandon();
  }

  #handIn(wish: ReleaseWish, batch: Batch, listener: ReleaseListener): void {
    const { documentUuid } = namesOf(wish);
    this.#deps.onTheWay.add(this, {
      documentUuid,
      wish,
      batch,
      listener,
      stage: 'waiting',
      release: undefined,
    });
  }

  #isNow(one: Case, stage: CaseStage): void {
    one.stage = stage;
    this.#lookOn();
  }

  /** Something has changed, so other documents may go on. */
  #lookOn(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
    // Later, because the caller that hands in a ticket may be a machine in the middle of a transition.
    queueMicrotask(() => this.#beginNext());
  }

  /** The documents begin in their order, so those that wait stand behind those that have begun. */
  #beginNext(): void {
    const cases = [...this.#cases()];
    const at = cases.findIndex(({ stage }) => stage === 'waiting');
    const next = cases[at];
    if (next === undefined || !this.#mayBeginAfter(cases.slice(0, at))) return;
    this.#isNow(next, 'coming-in');
    void this.#bringOut(next);
  }

  #mayBeginAfter(begun: readonly Case[]): boolean {
    const ahead = begun.filter(isAhead);
    if (ahead.length === 0) return true;
    // While this terminal itself waits for documents of other terminals, it prepares no further ones.
    const isPrinting = begun.some(({ stage }) => stage === 'at-printer');
    const comingIn = ahead.filter(({ stage }) => stage === 'coming-in').length;
    const { spool } = this.#deps.world;
    return isPrinting && ahead.length < mostAhead && comingIn < mostComingIn && spool.hasRoom();
  }

  /** Everything that the desk does for one document. */
  async #bringOut(one: Case): Promise<void> {
    const { listener, wish } = one;
    const ended =
      wish.kind === 'new' ? await this.#print(one, wish.ticket) : await this.#settle(one, wish.attempt);
    this.#isNow(one, 'settled');
    // Only now it is no longer in hand.
    if (ended) listener(ended);
    this.#tellPlaces();
    this.#closeIfDone(one);
  }

  async #print(one: Case, ticket: Ticket): Promise<ReleaseEnded> {
    const ended = await this.#printOnce(one, ticket);
    if (!wasPackedInVain(ended)) return ended;
    // Nothing came out, and the agent knows now that the printer cannot unpack. The plain document gets a release of
    // its own, with its own claim and record. A second job under the first intent might print twice after a crash (I1).
    const { chance, log } = this.#deps;
    const plain = { ...ticket, releaseId: chance.uuid().replaceAll('-', '') };
    log.info('release sent plain', { releaseId: plain.releaseId, before: ticket.releaseId });
    one.wish = { kind: 'new', ticket: plain };
    this.#isNow(one, 'coming-in');
    return this.#printOnce(one, plain);
  }

  async #printOnce(one: Case, { releaseId, sessionId, document }: Ticket): Promise<ReleaseEnded> {
    const { terminal, log } = this.#deps;
    const problem = this.#refusal(one);
    if (problem) return this.#skipped(one.wish, problem);
    log.info('release started', { terminal, sessionId, releaseId, documentUuid: document.uuid });
    using turn = this.#turnOf(one);
    const ended = await this.#start(one, turn).settled;
    const { batch } = one;
    if (batch.fault && ended.problem === batch.fault) this.#skipped(one.wish, batch.fault);
    else this.#stopIfFaulty(batch, ended);
    return ended;
  }

  async #settle(one: Case, attempt: OpenAttempt): Promise<ReleaseEnded | undefined> {
    const { terminal, turns, log } = this.#deps;
    const { releaseId, state, documentUuid, printerUri = '', from } = attempt;
    using turn = turns.ask({ terminal, rank: 'resumed', onPlace: () => {} });
    this.#isNow(one, 'ready');
    try {
      await turn.come({ printerUri, signal: this.#stopping.signal });
    } catch {
      // The next start finds it open again.
      return undefined;
    }
    log.info('release resumed', { terminal, releaseId, documentUuid, state, from });
    const { settled } = this.#start(one, turn);
    this.#isNow(one, 'at-printer');
    return await settled;
  }

  #start(one: Case, turn: Turn): Release {
    const { terminal, world, log, onTheWay } = this.#deps;
    const refusal = () => this.#refusal(one);
    const lastOutputAt = () => onTheWay.lastOutputAt(terminal);
    const isAlone = () =>
      this.#cases()
        .values()
        .filter(isInLine)
        .every((other) => other === one || other.stage === 'waiting');
    const place = { terminal, world, log, turn, refusal, isAlone, lastOutputAt };
    const release = new Release(one.wish, place, (event) => this.#hear(one, event));
    one.release = release;
    release.start();
    return release;
  }

  /** Why the release of a document may not begin. */
  #refusal({ batch }: Case): Problem | undefined {
    return batch.fault ?? (this.#stopping.signal.aborted ? abandoned() : undefined);
  }

  #stopIfFaulty(batch: Batch, { outcome, problem }: ReleaseEnded): void {
    if (!problem || outcome === 'completed' || !printerFaults.includes(problem.code)) return;
    batch.fault ??= problem;
    for (const one of this.#cases()) if (one.batch === batch) one.release?.giveUp(batch.fault);
  }

  /** The new documents of this desk line up at the printer one after the other, in their order. */
  #turnOf(one: Case): Turn {
    const { terminal, turns } = this.#deps;
    const onPlace = (before: number) => this.#hear(one, { type: 'turn', before, ...namesOf(one.wish) });
    const turn = turns.ask({ terminal, rank: 'new', onPlace });
    return {
      come: async (options) => {
        // A release that prints after the service has refused has its turn already.
        if (one.stage !== 'coming-in') return;
        this.#isNow(one, 'ready');
        await this.#until(() => this.#cases().values().find(isAhead) === one, options.signal);
        await turn.come(options);
        this.#isNow(one, 'at-printer');
      },
      [Symbol.dispose]: () => turn[Symbol.dispose](),
    };
  }

  /** Rejects if the signal aborts first. */
  async #until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    const stopped = aborted(signal);
    while (!isSo()) {
      await Promise.race([this.#change.promise, stopped]);
      signal.throwIfAborted();
    }
  }

  #hear(one: Case, event: ReleaseEvent): void {
    const { onEvent, world, onTheWay, terminal } = this.#deps;
    if (event.type === 'done') {
      one.release = undefined;
      return this.#closeIfDone(one);
    }
    if (event.type === 'stage' && event.wait === 'held') this.#isHeld(one);
    if (event.type === 'ended' && event.outcome !== 'failed') {
      onTheWay.cameOut(terminal, world.clock.monotonic());
    }
    onEvent(event);
    // The end is told later, when the document is no longer in hand.
    if (event.type !== 'ended') one.listener(event);
  }

  #isHeld(one: Case): void {
    if (one.stage !== 'at-printer') return;
    this.#isNow(one, 'held');
    one.release?.stepAside();
    this.#tellPlaces();
  }

  #closeIfDone(one: Case): void {
    if (isInHand(one) || one.release) return;
    const { onTheWay, onEvent } = this.#deps;
    const done = { type: 'done', ...namesOf(one.wish) } as const;
    onTheWay.delete(this, one);
    onEvent(done);
    one.listener(done);
  }

  /** Each session is told how many documents of other sessions come before its own first document. */
  #tellPlaces(): void {
    const told = new Set<string>();
    for (const [before, { wish, listener }] of [...this.#cases()].filter(isInLine).entries()) {
      const session = sessionOf(wish);
      if (before > 0 && !told.has(session)) listener({ type: 'turn', before, ...namesOf(wish) });
      told.add(session);
    }
  }

  #cases(): ReadonlySet<Case> {
    return this.#deps.onTheWay.of(this);
  }

  #underWay(): readonly Release[] {
    return [...this.#cases()].flatMap(({ release }) => release ?? []);
  }

  #skipped(wish: ReleaseWish, problem: Problem): ReleaseEnded {
    const { log, terminal } = this.#deps;
    const { code, reasons } = problem;
    const { documentUuid } = namesOf(wish);
    log.warn('release skipped', { terminal, documentUuid, code, ...(reasons.length > 0 ? { reasons } : {}) });
    return { type: 'ended', outcome: 'failed', stage: 'failed', problem, ...namesOf(wish) };
  }
}

/** A release that a restart found open has no session any more, and counts as one of its own. */
const sessionOf = (wish: ReleaseWish): string =>
  wish.kind === 'new' ? wish.ticket.sessionId : wish.attempt.releaseId;

export const createReleaseDesk = (deps: ReleaseDeskDeps): ReleaseDesk => new Desk(deps);

export interface PrinterDesk {
  /** Absent if it is the only printer. */
  readonly name: string | undefined;
  readonly desk: ReleaseDesk;
  /** The current address of the printer. */
  uri(): string;
}

/**
 * The desks of a terminal with several printers, as one desk. Each printer has its own desk, so that it does not keep
 * another printer waiting. A ticket goes to the desk of its printer. A release that a restart found open goes to the
 * desk with the printer address of its record. The first desk is the default.
 */
export function deskOf(all: readonly [PrinterDesk, ...PrinterDesk[]]): ReleaseDesk {
  const [first] = all;
  if (all.length === 1) return first.desk;
  const desks = all.map(({ desk }) => desk);
  const ofTicket = ({ printer }: Ticket) => (all.find(({ name }) => name === printer) ?? first).desk;
  const ofAttempt = ({ printerUri }: OpenAttempt) =>
    (all.find(({ uri }) => printerUri !== undefined && isSamePrinter(uri(), printerUri)) ?? first).desk;

  return {
    isReleasing: () => desks.some((desk) => desk.isReleasing()),
    isIdle: () => desks.every((desk) => desk.isIdle()),
    // All desks share the documents in hand and the ledger, so the first can answer.
    standing: (documentUuid) => first.desk.standing(documentUuid),
    release(tickets, listener) {
      for (const [desk, own] of Map.groupBy(tickets, ofTicket)) desk.release(own, listener);
    },
    ownerLeft: (sessionId) => desks.forEach((desk) => desk.ownerLeft(sessionId)),
    resume(attempts) {
      for (const [desk, own] of Map.groupBy(attempts, ofAttempt)) desk.resume(own);
    },
    async stop(grace) {
      await Promise.all(desks.map((desk) => desk.stop(grace)));
    },
  };
}
