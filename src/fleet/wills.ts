/**
 * The successor of gone members (F6 to F8). It raises a claim first, so that the former holder sends nothing any more.
 * Then the will becomes a release of its own ledger, which the desk settles as after a restart.
 */
import type { Duration } from '../core/duration.ts';
import { hours, milliseconds, minutes, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { restOrWake, Wake } from '../core/periodic.ts';
import type { Service } from '../core/service.ts';
import { createSparingLog } from '../core/sparing-log.ts';
import type { Env } from '../domain/env.ts';
import { cutAtMost } from '../domain/history.ts';
import type { ClaimBooks, Will } from '../domain/ports/claims.ts';
import type { Inheritance, Ledger } from '../domain/ports/ledger.ts';
import type { PrinterJob } from '../domain/ports/printing.ts';
import type { Heir, PostingOptions, RecordStanding, Wills } from '../domain/ports/wills.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { EngineLoad } from './engine-load.ts';
import { engineLoad } from './engine-load.ts';
import type { Engine } from './engine/engine.ts';
import type { Row, Statement } from './engine/line.ts';
import type { ClaimRow, FleetSealing, Said } from './fleet-sealing.ts';
import type { Solitude } from './solitude.ts';
import * as sql from './will-statements.ts';

export interface FleetWillsDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly engine: Engine;
  readonly member: string;
  readonly books: ClaimBooks;
  readonly ledger: Pick<Ledger, 'inherit' | 'open' | 'durable'>;
  /** How long the history of an unknown outcome waits for evidence before it is posted. */
  readonly unknownHold: () => Duration;
  readonly sealing: FleetSealing;
  readonly solitude: Pick<Solitude, 'isAlone'>;
}

/** `took` is the duration of the question. */
export interface LoadSeen extends EngineLoad {
  readonly took: Duration;
}

const oneQuestion = seconds(5);
/** The pause between two looks; it varies, so that members do not look at the same moment. */
const look = minutes(1);
/** A person waits, and the last look failed. */
const retry = seconds(2);
const longestLook = minutes(10);
/** A claim that is damaged, or sealed under another key, is looked at again: it may have been repaired. */
const asideFor = hours(1);
/** With more of them, the memory does not grow further. */
const mostAside = 10_000;

/** A crash between the raise and the entry in the ledger is noticed at the next look. Nothing here asks a printer. */
export class FleetWills implements Wills {
  readonly #deps: FleetWillsDeps;
  readonly #wake = new Wake();
  /** Documents that a person wants and a gone member had in hand. */
  readonly #wanted = new Set<string>();
  /** By document, the time until which a claim that cannot be settled is left alone. */
  readonly #aside = new Map<string, number>();
  readonly #log: Log;
  #isBehind = false;
  #seen: LoadSeen | undefined;

  constructor(deps: FleetWillsDeps) {
    this.#deps = deps;
    this.#log = createSparingLog(deps);
  }

  settling(heir: Heir): Service {
    const { engine, clock, chance } = this.#deps;
    return {
      name: 'wills',
      run: async (signal, progress) => {
        using _ = engine.onState(({ is }) => is === 'up' && this.#wake.ring());
        while (!signal.aborted) {
          progress?.(longestLook);
          if (engine.state().is === 'up') await this.look(heir, signal);
          const rest = chance.jitter(this.#isBehind ? retry : look);
          await restOrWake(rest, { clock, wake: this.#wake }, signal);
        }
      },
    };
  }

  /** One look. Never rejects: the next look does the rest. */
  async look(heir: Heir, signal: AbortSignal): Promise<void> {
    const { engine, member, clock, log } = this.#deps;
    const ask: Ask = (statement, values) => engine.ask(statement, values, { signal, within: oneQuestion });
    for (const [document, until] of this.#aside) {
      if (until <= clock.monotonic()) this.#aside.delete(document);
    }
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    this.#isBehind = false;
    const unsettled = { unopened: [] as string[], unproven: [] as string[] };
    try {
      const askedAt = clock.monotonic();
      const rows = await ask(sql.claimsLeft, [member, wanted, [...this.#aside.keys()]]);
      const took = milliseconds(clock.monotonic() - askedAt);
      for (const row of rows) {
        const left = sql.leftShape.parse(row);
        const settled = await this.#takeUnlessFaulty(left, heir, ask);
        if (settled === 'unopened' || settled === 'unproven') unsettled[settled].push(left.releaseId);
      }
      await this.#tellPosted(ask);
      // The load is only shown, so a failure does not matter.
      this.#seen = await engineLoad(ask).then(
        (load) => ({ ...load, took }),
        () => undefined,
      );
    } catch (error) {
      if (signal.aborted) return;
      for (const uuid of wanted) this.#wanted.add(uuid);
      this.#isBehind = true;
      log.debug('wills not settled yet', { error: error as Error });
    } finally {
      const { unopened, unproven } = unsettled;
      if (unopened.length > 0) this.#log.error('will cannot be opened', manyOf(unopened));
      if (unproven.length > 0) this.#log.error('claim not proven', manyOf(unproven));
    }
  }

  /** The load at the last look; `undefined` before the first, and if it was not told. */
  seen(): LoadSeen | undefined {
    return this.#seen;
  }

  /** F8: a person asks for them. */
  asked(documentUuids: readonly string[]): void {
    for (const uuid of documentUuids) this.#wanted.add(uuid);
    this.#wake.ring();
  }

  async posting(releaseId: string, { signal, pages = 0 }: PostingOptions): Promise<RecordStanding> {
    const { engine, member, sealing, solitude } = this.#deps;
    if (solitude.isAlone() && engine.state().is === 'away') return 'ours';
    const values = [releaseId, member, pages > 0 ? pages : null, sealing.proveCut(releaseId, pages)];
    const rows = await engine.ask(sql.postRecord, values, { signal, within: oneQuestion });
    const claims = rows.map((row) => sql.postShape.parse(row));
    // No other member has heard of the release, or the engine has forgotten it (F9).
    if (claims.length === 0) return 'ours';
    const ours = claims.filter(({ isOurs }) => isOurs);
    if (ours.length === 0) return 'anothers';
    const posted = ours.find(({ isPosting }) => isPosting);
    if (posted) {
      const most = this.#cutOf(releaseId, posted) ?? pages;
      return most < pages ? { pages: most } : 'ours';
    }
    // Also if another member moved at the same moment.
    return ours.some(({ isOpen, isOwed }) => isOpen || isOwed) ? 'not-yet' : 'ours';
  }

  /** A cut without a proof does not count. */
  #cutOf(releaseId: string, { pages, cutProof }: Pick<sql.Own, 'pages' | 'cutProof'>): number | null {
    return pages !== null && this.#deps.sealing.isProvenCut(releaseId, pages, cutProof) ? pages : null;
  }

  posted(releaseId: string): void {
    const { engine, member } = this.#deps;
    // If this fails, a later look tells it.
    engine.ask(sql.recordsPosted, [[releaseId], member], { within: oneQuestion }).catch(() => {});
  }

  /** Tells the records that were posted while the engine was away. */
  async #tellPosted(ask: Ask): Promise<void> {
    const { member, books } = this.#deps;
    const owed = await ask(sql.recordsOwed, [member]);
    const posted = owed
      .map(({ releaseId }) => String(releaseId))
      .filter((releaseId) => {
        const known = books.of(releaseId);
        return known?.owesHistory === false && !known.leftHistory;
      });
    if (posted.length > 0) await ask(sql.recordsPosted, [posted, member]);
  }

  /** A fault of one claim keeps no other from being settled. */
  async #takeUnlessFaulty(left: sql.Left, heir: Heir, ask: Ask): Promise<Settled> {
    try {
      return await this.#take(left, heir, ask);
    } catch (error) {
      if (isProblem(error, 'fleet-engine-away')) throw error;
      const { releaseId } = left;
      this.#log.warn('will not settled yet', { releaseId, error: error as Error });
      // A statement that the engine refuses is also refused two seconds later.
      if (isProblem(error, 'internal')) this.#setAside(left);
      else this.#putOff(left);
      return 'not-yet';
    }
  }

  async #take(left: sql.Left, heir: Heir, ask: Ask): Promise<Settled> {
    const { member, books, sealing, log } = this.#deps;
    const { document, releaseId, version } = left;
    const will = left.will && sealing.openWill(left, left.will);
    // A member with the right key must find it unchanged.
    if (left.will && !will) {
      this.#setAside(left);
      return 'unopened';
    }
    if (will && heir.isBusyWith(will.documentUuid)) {
      this.#putOff(left);
      return 'not-yet';
    }
    const way = this.#wayOf(left);
    const isTakenOver = left.member === member;
    if (way === 'unproven' && (isTakenOver || !sql.isOpenState(left.state))) {
      this.#setAside(left);
      // If these books have the release, they are the truth.
      return isTakenOver && books.of(releaseId) ? 'settled' : 'unproven';
    }
    if (!isTakenOver) {
      const proof = typeof way === 'object' ? sealing.prove({ document, releaseId, member }, way) : null;
      const [raised] = await ask(sql.raiseClaim, [
        releaseId,
        version,
        left.member,
        member,
        document,
        left.state,
        left.proof,
        proof,
        way === 'unproven',
      ]);
      // A claim without a will, or without a proof, only ends as unknown.
      if (raised === undefined || !will) return 'settled';
      if (way === 'unproven') return 'unproven';
      const { documentUuid } = will;
      log.info('claim taken over', { releaseId, documentUuid, from: left.member });
    }
    const [row] = await ask(sql.ownClaim, [releaseId, member, document]);
    if (row) await this.#inherit(releaseId, sql.ownShape.parse(row), heir);
    return 'settled';
  }

  /**
   * A row is settled by its proof; else, if the release was ours, by our own books; else by its sealed job, which the
   * printer can be asked about.
   */
  #wayOf(row: LeftRow): Said | 'by-our-books' | 'by-its-job' | 'unproven' {
    const { sealing, books } = this.#deps;
    const isOpen = sql.isOpenState(row.state);
    // A successor proves it again, unless it is of an older version.
    const holders = row.from === null ? [row.member] : [row.member, row.from];
    const said = holders.map((holder) => sealing.saidBy({ ...row, member: holder })).find(Boolean);
    if (said && (isOpen || said.owesHistory)) return said;
    if (!isOpen) return books.of(row.releaseId)?.leftHistory === true ? 'by-our-books' : 'unproven';
    return row.job && sealing.openJob(row, row.job) ? 'by-its-job' : 'unproven';
  }

  async #inherit(releaseId: string, found: sql.Own, heir: Heir): Promise<void> {
    const { ledger, member, sealing, unknownHold } = this.#deps;
    const { number, version, terminal, from, history } = found;
    const place = { document: found.document, releaseId };
    const opened = sealing.openWill(place, found.will);
    const way = this.#wayOf({ ...found, releaseId, member });
    if (!opened || way === 'unproven') return;
    const said = typeof way === 'object' ? way : undefined;
    const pages = this.#cutOf(releaseId, found);
    const will = { ...opened, history: cutAtMost(opened.history, pages) };
    const job = found.job ? sealing.openJob(place, found.job) : undefined;
    const isKnown = this.#openAttempt(releaseId) !== undefined;
    ledger.inherit({
      claim: { documentUuid: will.documentUuid, releaseId, number, version },
      terminal,
      from,
      ...wayOf(stateBy(way, found), { will, job, heir }),
      deletionOwed: said?.deletionOwed === true,
      // If the number of its pages is known, there is nothing to wait for.
      holdFor: pages === null ? unknownHold() : seconds(0),
      mayHaveArrived: history === 'posting',
    });
    // In the same step: a look for open attempts finds it resumed.
    const open = this.#openAttempt(releaseId);
    if (open && !isKnown) heir.resume([open]);
    await ledger.durable();
  }

  #openAttempt(releaseId: string) {
    return this.#deps.ledger.open().find((one) => one.releaseId === releaseId);
  }

  #putOff({ document }: sql.Left): void {
    this.#wanted.add(document);
    this.#isBehind = true;
  }

  #setAside({ document }: sql.Left): void {
    if (this.#aside.size < mostAside) {
      this.#aside.set(document, this.#deps.clock.monotonic() + asideFor);
    }
  }
}

const manyOf = ([releaseId, ...others]: readonly string[]) => ({ releaseId, others: others.length });

type LeftRow = ClaimRow & Pick<sql.Left, 'job' | 'from'>;
type Settled = 'settled' | 'not-yet' | 'unopened' | 'unproven';
type Ask = (statement: Statement, values: readonly unknown[]) => Promise<readonly Row[]>;

const stateBy = (way: Said | 'by-our-books' | 'by-its-job', { state }: sql.Own): sql.Own['state'] =>
  way === 'by-our-books' ? 'unknown' : way === 'by-its-job' ? 'sending' : state;

/** How far the release may have come, by its claim (F6). */
function wayOf(
  state: sql.Own['state'],
  { will, job, heir }: { will: Will; job: PrinterJob | undefined; heir: Heir },
): Pick<Inheritance, 'state' | 'will' | 'job'> {
  const { printerUri, inOneStep } = will;
  if (state === 'printed') return { state: 'HANDED-OVER', will };
  if (state === 'unknown') return { state: 'UNKNOWN', will };
  const makesJobFirst = printerUri !== undefined && !inOneStep && !takesBytes(printerUri);
  // An empty job may be left at the printer, if this member can remove it.
  if (state === 'claimed')
    return { state: makesJobFirst && heir.canAsk(printerUri) ? 'INTENT' : 'PLANNED', will };
  if (job) return { state: 'JOB', will, job };
  // Its job cannot be read: the printer is asked for it by its name, as for a job made together with the document.
  return { state: 'INTENT', will: makesJobFirst ? { ...will, inOneStep: true } : will };
}

/** There is no job that a printer could be asked about. */
const takesBytes = (printerUri: string): boolean => /^(?:socket|windows):/i.test(printerUri);
