/**
 * The successor of gone members (F6 to F8). A claim is raised first, so that whoever had it sends nothing any more;
 * then its will becomes a release of this member's own ledger, which its desk settles as after a restart. A crash
 * between the two is seen at the next look. Nothing here asks a printer.
 */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { minutes, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { restOrWake, Wake } from '../core/periodic.ts';
import type { Service } from '../core/service.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { ClaimBooks, Will } from '../domain/ports/claims.ts';
import type { Inheritance, Ledger } from '../domain/ports/ledger.ts';
import type { PrinterJob } from '../domain/ports/printing.ts';
import type { Heir, RecordStanding, Wills } from '../domain/ports/wills.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { Engine } from './engine/engine.ts';
import type { Row, Statement } from './engine/line.ts';
import type { FleetSealing } from './sealing.ts';
import type { Solitude } from './solitude.ts';
import * as sql from './will-statements.ts';

export interface FleetWillsOptions {
  readonly engine: Engine;
  /** The member's id. */
  readonly member: string;
  readonly books: ClaimBooks;
  readonly ledger: Pick<Ledger, 'inherit' | 'open'>;
  /** How long the history of an unknown outcome waits for evidence before it is posted. */
  readonly unknownHold: () => Duration;
  readonly sealing: FleetSealing;
  readonly solitude: Pick<Solitude, 'isAlone'>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

const oneQuestion = seconds(5);
/** Between two looks, more or less: members are not to look at the same moment. */
const look = minutes(1);
/** Where somebody waits, and something was in the way. */
const retry = seconds(2);
const longestLook = minutes(10);

export class FleetWills implements Wills {
  readonly #options: FleetWillsOptions;
  readonly #wake = new Wake();
  /** Documents that a person wants and a gone member had in hand. */
  readonly #wanted = new Set<string>();
  readonly #unopened = new Set<string>();
  #isBehind = false;

  constructor(options: FleetWillsOptions) {
    this.#options = options;
  }

  settling(heir: Heir): Service {
    const { engine, clock, chance } = this.#options;
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

  /** One look. Never rejects: what it did not come to, the next one does. */
  async look(heir: Heir, signal: AbortSignal): Promise<void> {
    const { engine, member, log } = this.#options;
    const ask: Ask = (statement, values) => engine.ask(statement, values, { signal, within: oneQuestion });
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    this.#isBehind = false;
    try {
      for (const row of await ask(sql.claimsLeft, [member, wanted, [...this.#unopened]])) {
        await this.#takeUnlessFaulty(sql.leftShape.parse(row), heir, ask);
      }
      await this.#tellPosted(ask);
    } catch (error) {
      if (signal.aborted) return;
      for (const uuid of wanted) this.#wanted.add(uuid);
      this.#isBehind = true;
      log.debug('wills not settled yet', { error: error as Error });
    }
  }

  /** F8: a person asks for them. */
  asked(documentUuids: readonly string[]): void {
    for (const uuid of documentUuids) this.#wanted.add(uuid);
    this.#wake.ring();
  }

  async posting(releaseId: string, { signal }: CallOptions): Promise<RecordStanding> {
    const { engine, member, solitude } = this.#options;
    if (solitude.isAlone() && engine.state().is === 'away') return 'ours';
    const values = [releaseId, member];
    const rows = await engine.ask(sql.postRecord, values, { signal, within: oneQuestion });
    const claims = rows.map((row) => sql.postShape.parse(row));
    // Nobody else has heard of it, or of an engine that has forgotten it all (F9).
    if (claims.length === 0) return 'ours';
    const ours = claims.filter(({ isOurs }) => isOurs);
    if (ours.length === 0) return 'anothers';
    if (ours.some(({ isPosting }) => isPosting)) return 'ours';
    // Also where somebody else moved at the same moment.
    return ours.some(({ isOpen, isOwed }) => isOpen || isOwed) ? 'not-yet' : 'ours';
  }

  posted(releaseId: string): void {
    const { engine, member } = this.#options;
    // Where nobody hears of it, a later look tells it.
    engine.ask(sql.recordsPosted, [[releaseId], member], { within: oneQuestion }).catch(() => {});
  }

  /** What was posted while the engine was away. */
  async #tellPosted(ask: Ask): Promise<void> {
    const { member, books } = this.#options;
    const owed = await ask(sql.recordsOwed, [member]);
    const posted = owed
      .map(({ releaseId }) => String(releaseId))
      .filter((releaseId) => {
        const known = books.of(releaseId);
        return known?.owesHistory === false && !known.leftHistory;
      });
    if (posted.length > 0) await ask(sql.recordsPosted, [posted, member]);
  }

  /** What is wrong with one keeps no other from being settled. */
  async #takeUnlessFaulty(left: sql.Left, heir: Heir, ask: Ask): Promise<void> {
    try {
      await this.#take(left, heir, ask);
    } catch (error) {
      if (isProblem(error, 'fleet-engine-away')) throw error;
      const { releaseId } = left;
      this.#options.log.warn('will not settled yet', { releaseId, error: error as Error });
      this.#putOff(left);
    }
  }

  async #take(left: sql.Left, heir: Heir, ask: Ask): Promise<void> {
    const { member, log } = this.#options;
    const { releaseId, version } = left;
    const will = left.will && this.#opened(releaseId, left.will);
    // Whoever has the right key is to find it as it is.
    if (left.will && !will) return;
    if (will && heir.isBusyWith(will.documentUuid)) return this.#putOff(left);
    if (left.member !== member) {
      const [raised] = await ask(sql.raiseClaim, [releaseId, version, left.member, member]);
      if (raised === undefined) return;
      // What left no will only ends, as unknown.
      if (!will) return;
      const { documentUuid } = will;
      log.info('claim taken over', { releaseId, documentUuid, from: left.member });
    }
    const [row] = await ask(sql.ownClaim, [releaseId, member]);
    if (row) this.#inherit(releaseId, sql.ownShape.parse(row), heir);
  }

  #inherit(releaseId: string, found: sql.Own, heir: Heir): void {
    const { ledger, sealing, unknownHold } = this.#options;
    const { number, version, terminal, from, history, isDeletionOwed } = found;
    const will = this.#opened(releaseId, found.will);
    if (!will) return;
    const job = found.job ? sealing.openJob(releaseId, found.job) : undefined;
    const isKnown = this.#openAttempt(releaseId) !== undefined;
    ledger.inherit({
      ...{ claim: { documentUuid: will.documentUuid, releaseId, number, version }, terminal, from },
      ...wayOf(found.state, { will, job, heir }),
      ...{ deletionOwed: isDeletionOwed, holdFor: unknownHold(), mayHaveArrived: history === 'posting' },
    });
    const open = this.#openAttempt(releaseId);
    if (open && !isKnown) heir.resume([open]);
  }

  #openAttempt(releaseId: string) {
    return this.#options.ledger.open().find((one) => one.releaseId === releaseId);
  }

  /** Until what is in the way is over. */
  #putOff({ document }: sql.Left): void {
    this.#wanted.add(document);
    this.#isBehind = true;
  }

  /** Told once. */
  #opened(releaseId: string, sealed: Uint8Array): Will | undefined {
    const { sealing, log } = this.#options;
    const will = sealing.openWill(releaseId, sealed);
    if (!will && !this.#unopened.has(releaseId)) log.error('will cannot be opened', { releaseId });
    if (!will) this.#unopened.add(releaseId);
    return will;
  }
}

type Ask = (statement: Statement, values: readonly unknown[]) => Promise<readonly Row[]>;

/** How far the release may have come, by its claim (F6). */
function wayOf(
  state: sql.Own['state'],
  { will, job, heir }: { will: Will; job: PrinterJob | undefined; heir: Heir },
): Pick<Inheritance, 'state' | 'will' | 'job'> {
  const { printerUri, inOneStep } = will;
  if (state === 'printed') return { state: 'HANDED-OVER', will };
  if (state === 'unknown') return { state: 'UNKNOWN', will };
  const makesJobFirst = printerUri !== undefined && !inOneStep && !takesBytes(printerUri);
  // An empty job may be left, where there is somebody to sweep it.
  if (state === 'claimed')
    return { state: makesJobFirst && heir.canAsk(printerUri) ? 'INTENT' : 'PLANNED', will };
  if (job) return { state: 'JOB', will, job };
  // Its job cannot be read: it is looked for by its name, as one that was made with the document.
  return { state: 'INTENT', will: makesJobFirst ? { ...will, inOneStep: true } : will };
}

/** There is no job that could be asked about. */
const takesBytes = (printerUri: string): boolean => /^(?:socket|windows):/i.test(printerUri);
