/**
 * The write-ahead attempt ledger (INVARIANTS.md D1, B.1): every step of a release is an event on disk before the
 * next step touches the world, and an end state and its history row are one transaction. It records what it is told
 * in the legal order; what an attempt is worth is judged elsewhere.
 */
import type { Clock } from '../../core/clock.ts';
import { isoInstant } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Wake } from '../../core/periodic.ts';
import type { Claim } from '../../domain/ports/claims.ts';
import type { Inheritance, Ledger, OpenAttempt } from '../../domain/ports/ledger.ts';
import type { PrinterJob } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { EndState, LastRelease, OpenState } from '../../domain/release.ts';
import { forgottenRelease, outcomeOf, pagesOf } from '../../domain/release.ts';
import type { Attempt, Attempts } from './attempts.ts';
import { attemptOf, createAttempts, nothingKnown } from './attempts.ts';
import { endState, factsText, isEndState } from '../columns.ts';
import type { Database } from '../database.ts';
import type { EventChain, Head } from '../event-chain.ts';
import type { HeadAnchor } from './head-anchor.ts';
import { sealedMarks } from './job-marks.ts';
import { createLastReleases } from './last-releases.ts';
import { createOpenAttempts } from './open-attempts.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { sealed, slotOf } from '../sealed/personal-columns.ts';
import type { RowKeys } from '../sealed/row-keys.ts';
import { traceFacts } from './trace-facts.ts';

const anyEnd = endState.options;
/**
 * What may follow a state; nothing follows an end state (I11). Before an intent nothing can have come out, and after
 * one the only way back is the service's own refusal. A document that is sent while it comes in is never FETCHED.
 */
const successors: Record<OpenState, readonly (OpenState | EndState)[]> = {
  PLANNED: ['SERVICE-INTENT', 'FETCHED', 'INTENT', 'NOOUTPUT'],
  'SERVICE-INTENT': ['SERVICE-REFUSED', ...anyEnd],
  'SERVICE-REFUSED': ['FETCHED', 'INTENT', 'NOOUTPUT'],
  FETCHED: ['INTENT', 'NOOUTPUT'],
  INTENT: ['JOB', 'SENT', ...anyEnd],
  JOB: ['SENT', ...anyEnd],
  SENT: anyEnd,
};

export interface LedgerOptions {
  readonly database: Database;
  readonly chain: EventChain;
  readonly anchor: HeadAnchor;
  readonly rowKeys: RowKeys;
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** Rung when there may be a record to post. */
  readonly wake: Wake;
  /**
   * Where there is a quarantine (B.4 table 11): what the attempts up to this number tell need not be the last word, and a document that
   * no later one is of may have printed.
   */
  readonly doubtedUpTo: number | undefined;
}

export class AttemptLedger implements Ledger {
  readonly #options: LedgerOptions;
  readonly #database: Database;
  readonly #chain: EventChain;
  readonly #attempts: Attempts;
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #openAttempts: () => OpenAttempt[];
  readonly #lastRelease: Ledger['lastRelease'];

  constructor(options: LedgerOptions) {
    const { database, chain } = options;
    this.#options = options;
    this.#database = database;
    this.#chain = chain;
    this.#attempts = createAttempts(database);
    this.#sql = statementsOf(database);
    this.#openAttempts = createOpenAttempts(options);
    this.#lastRelease = createLastReleases(options);
  }

  plan({ ticket, jobName, history, again }: Parameters<Ledger['plan']>[0]): void {
    const { outbox, rowKeys, clock } = this.#options;
    this.#withOwnKey((slot) => {
      // What is under way will need a row each.
      if (outbox.fullness(Number(this.#sql.countOpen.get()?.['rows'])) >= 1) {
        throw new Problem('store-refused', `${outbox.size()} history records wait; no more are taken`);
      }
      const { document, user, releaseId, terminal } = ticket;
      const { copies, totalPages } = document;
      const attempt = this.#attempts.insert({
        ...nothingKnown,
        release_id: releaseId,
        terminal,
        document_uuid: document.uuid,
        state: 'PLANNED',
        started_at: isoInstant(clock.now()),
        document_pages: totalPages === undefined ? null : totalPages * copies,
        job_name: sealed(rowKeys, slot, { kind: 'job-name', releaseId }, jobName),
        history: sealed(rowKeys, slot, { kind: 'history', releaseId }, JSON.stringify(history)),
      });
      const { id: userId, providerId } = user;
      const facts = { releaseId, documentUuid: document.uuid, userId, providerId };
      this.#chain.append({
        attempt,
        state: 'PLANNED',
        facts: { ...facts, copies, pages: totalPages, again },
      });
    });
  }

  fetched(releaseId: string, document: { length: number; digest: string }): void {
    this.#recorded(releaseId, (current) => this.#advance(current, 'FETCHED', document));
  }

  intendByService(releaseId: string, serialNumber: string, claim?: Claim): void {
    this.#anchored(releaseId, (current) =>
      this.#advanceToIntent(current, 'SERVICE-INTENT', { serialNumber, claim }),
    );
  }

  refusedByService(releaseId: string): void {
    this.#recorded(releaseId, (current) => this.#advance(current, 'SERVICE-REFUSED', {}));
  }

  intend(releaseId: string, printerUri: string, way: Pick<OpenAttempt, 'inOneStep' | 'claim'> = {}): void {
    this.#anchored(releaseId, (current) => this.#advanceToIntent(current, 'INTENT', { printerUri, ...way }));
  }

  /** The job-name holds the title and stays out of the event, which is for ever. */
  jobCreated(releaseId: string, job: PrinterJob): void {
    this.#anchored(releaseId, (current) => this.#advanceToJob(current, job));
  }

  sent(releaseId: string, facts?: { digest: string; length: number }, job?: PrinterJob): void {
    this.#recorded(releaseId, (current) =>
      this.#advance(current, 'SENT', { ...facts, ...(job ? this.#marksOf(current, job) : {}) }),
    );
  }

  end(releaseId: string, how: ReleaseEnd): void {
    let unneeded: number | undefined;
    this.#anchored(releaseId, (current) => {
      const head = this.#advanceToEnd(current, how);
      if (how.state === 'NOOUTPUT' || how.history !== undefined) unneeded = keySlot(current);
      else this.#owe(current, how);
      return head;
    });
    const slot = unneeded;
    if (slot !== undefined) this.#database.guarded(() => this.#options.rowKeys.destroy(slot));
    this.#options.wake.ring();
  }

  confirmedByPerson(releaseId: string): void {
    if (releaseId === forgottenRelease) return;
    this.#anchored(releaseId, ({ id, state }) => {
      if (!isEndState(state) || outcomeOf[state] !== 'unknown')
        throw new Error(`release ${releaseId} is ${state}; nobody has to confirm it`);
      if (this.#sql.personsWord.get(id)) return undefined;
      this.#options.outbox.release(releaseId);
      return this.#chain.append({ attempt: id, state: 'CONFIRMED-BY-USER', facts: {} });
    });
    this.#options.wake.ring();
  }

  deleted(releaseId: string): void {
    this.#recorded(releaseId, (current) => {
      if (!isEndState(current.state))
        throw new Error(`release ${releaseId} is ${current.state}; its document is still needed`);
      if (current.deletion_owed === 0) return;
      this.#chain.append({ attempt: current.id, state: 'DELETED', facts: {} });
      this.#attempts.update(current, { deletion_owed: 0 });
    });
  }

  inherit(left: Inheritance): void {
    const known = this.#sql.ofRelease.get(left.claim.releaseId);
    let head: Head | undefined;
    if (known === undefined) this.#withOwnKey((slot) => (head = this.#takeOver(left, slot)));
    else if (this.#isOwedAgain(attemptOf(known), left)) {
      this.#withOwnKey((slot) => (head = this.#takeBack(attemptOf(known), left, slot)));
    }
    const last = head;
    if (last) this.#database.guarded(() => this.#options.anchor.hold(last));
    this.#options.wake.ring();
  }

  lastRelease(...asked: Parameters<Ledger['lastRelease']>): LastRelease | undefined {
    return this.#lastRelease(...asked);
  }

  open(): readonly OpenAttempt[] {
    return this.#database.read(this.#openAttempts);
  }

  #attempt(releaseId: string): Attempt {
    const row = this.#sql.ofRelease.get(releaseId);
    if (!row) throw new Error(`the ledger has no release ${releaseId}`);
    return attemptOf(row);
  }

  /** The event, and the attempt in its new state; what else belongs to the step is in `changes`. */
  #advance(current: Attempt, to: OpenState | EndState, facts: object, changes: Partial<Attempt> = {}): Head {
    if (isEndState(current.state) || !successors[current.state].includes(to)) {
      throw new Error(`release ${current.release_id} cannot go from ${current.state} to ${to}`);
    }
    this.#attempts.update(current, { ...changes, state: to });
    return this.#chain.append({ attempt: current.id, state: to, facts });
  }

  /** An intent alone tells the whole attempt (B.1): it repeats what the events before it said. */
  #advanceToIntent(
    current: Attempt,
    to: 'INTENT' | 'SERVICE-INTENT',
    told: ({ printerUri: string } | { serialNumber: string }) & Pick<OpenAttempt, 'inOneStep' | 'claim'>,
  ): Head {
    const { claim, ...facts } = told;
    const claimed = claim ? { claim: { number: claim.number, version: claim.version } } : {};
    const before = this.#sql.factsOf.all(current.id).map((row) => factsText.parse(row['facts']));
    const printer_uri = 'printerUri' in facts ? facts.printerUri : null;
    return this.#advance(current, to, Object.assign({}, ...before, facts, claimed), {
      printer_uri,
      claim_number: claim?.number ?? null,
    });
  }

  #advanceToJob(current: Attempt, job: PrinterJob): Head {
    const { jobId, jobUri } = job;
    const facts = { jobId, jobUri, ...this.#marksOf(current, job) };
    return this.#advance(current, 'JOB', facts, { job_id: jobId, job_uri: jobUri });
  }

  #advanceToEnd(current: Attempt, how: ReleaseEnd): Head {
    const { state, confirmation, problem, report, reportedBy = 'device', trace } = how;
    const documentPages = current.document_pages ?? undefined;
    const pages = pagesOf({ state, report, reportedBy, documentPages });
    const facts = {
      ...{ confirmation, problem, pages, report },
      ...(report ? { reportedBy } : {}),
      ...(trace ? { trace: traceFacts(trace) } : {}),
    };
    return this.#advance(current, state, facts, {
      ended_at: isoInstant(this.#options.clock.now()),
      confirmation: confirmation ?? null,
      problem: problem ?? null,
      pages: pages ? JSON.stringify(pages) : null,
      deletion_owed: Number(how.deletionOwed),
      job_name: null,
      history: null,
    });
  }

  /** The release's history record, to the service. */
  #owe(
    { release_id: releaseId, terminal, history }: Attempt,
    { state, holdFor, mayHaveArrived }: Pick<ReleaseEnd, 'state' | 'holdFor'> & { mayHaveArrived?: boolean },
  ): void {
    if (history === null) throw new Error(`release ${releaseId} has no history record`);
    const hold = outcomeOf[state] === 'unknown' ? holdFor : seconds(0);
    this.#options.outbox.add({ releaseId, terminal, record: history, holdFor: hold, mayHaveArrived });
  }

  /** All the steps that the claim tells of, in their legal order. */
  #takeOver(left: Inheritance, slot: number): Head {
    const { claim, state, job, will, deletionOwed, holdFor, mayHaveArrived } = left;
    const { releaseId } = claim;
    const planned = this.#planTakenOver(left, slot);
    if (state === 'PLANNED') return planned;
    const { printerUri, inOneStep, history } = will;
    const intended =
      printerUri === undefined
        ? this.#advanceToIntent(this.#attempt(releaseId), 'SERVICE-INTENT', {
            ...{ serialNumber: history.serialNumber, claim },
          })
        : this.#advanceToIntent(this.#attempt(releaseId), 'INTENT', { printerUri, inOneStep, claim });
    if (state === 'INTENT') return intended;
    const current = this.#attempt(releaseId);
    if (state === 'JOB') {
      if (!job) throw new Error(`release ${releaseId} was left without a job`);
      return this.#advanceToJob(current, job);
    }
    const how = { state, deletionOwed, holdFor };
    const ended = this.#advanceToEnd(current, how);
    this.#owe(current, { ...how, mayHaveArrived });
    return ended;
  }

  #planTakenOver({ claim, terminal, from, will }: Inheritance, slot: number): Head {
    const { rowKeys, clock } = this.#options;
    const { releaseId, documentUuid, number, version } = claim;
    const attempt = this.#attempts.insert({
      ...nothingKnown,
      ...{ release_id: releaseId, terminal, document_uuid: documentUuid, state: 'PLANNED' },
      started_at: isoInstant(clock.now()),
      claim_number: number,
      document_pages: will.documentPages ?? null,
      job_name: sealed(rowKeys, slot, { kind: 'job-name', releaseId }, will.jobName),
      history: sealed(rowKeys, slot, { kind: 'history', releaseId }, JSON.stringify(will.history)),
    });
    const { providerId } = will.history;
    const facts = { releaseId, documentUuid, providerId, from, claim: { number, version } };
    return this.#chain.append({ attempt, state: 'PLANNED', facts });
  }

  /** It was ours before it was that member's, and its record, which that one was to post, is left to us. */
  #isOwedAgain({ id, release_id: releaseId, state }: Attempt, left: Inheritance): boolean {
    const mayBeOut = isEndState(state) && state !== 'NOOUTPUT' && left.state !== 'PLANNED';
    return mayBeOut && this.#sql.recorded.get(id, releaseId) === undefined;
  }

  #takeBack(current: Attempt, { claim, from, will, ...left }: Inheritance, slot: number): Head {
    const { number, version } = claim;
    const what = { kind: 'history', releaseId: claim.releaseId } as const;
    const history = sealed(this.#options.rowKeys, slot, what, JSON.stringify(will.history));
    const state = left.state === 'HANDED-OVER' ? left.state : 'UNKNOWN';
    this.#owe({ ...current, history }, { ...left, state });
    const facts = { from, claim: { number, version } };
    return this.#chain.append({ attempt: current.id, state: 'HISTORY-TAKEN-OVER', facts });
  }

  #marksOf(current: Attempt, { marks }: PrinterJob): { marks?: string } {
    const { rowKeys } = this.#options;
    return marks ? { marks: sealedMarks(rowKeys, keySlot(current), current.release_id, marks) } : {};
  }

  #withOwnKey(work: (slot: number) => void): void {
    const { rowKeys } = this.#options;
    this.#database.guarded(() => rowKeys.spend((slot) => this.#database.transaction(() => work(slot))));
  }

  #recorded(releaseId: string, step: (current: Attempt) => unknown): void {
    this.#database.transaction(() => step(this.#attempt(releaseId)));
  }

  /** A step that the world must not be ahead of: its place in the chain is noted besides, before the call returns. */
  #anchored(releaseId: string, step: (current: Attempt) => Head | undefined): void {
    const head = this.#database.transaction(() => step(this.#attempt(releaseId)));
    if (head) this.#database.guarded(() => this.#options.anchor.hold(head));
  }
}

type ReleaseEnd = Parameters<Ledger['end']>[1];

const statementsOf = (database: Database) => ({
  factsOf: database.prepare('SELECT facts FROM event WHERE attempt = ? ORDER BY seq'),
  personsWord: database.prepare("SELECT 1 FROM event WHERE attempt = ? AND state = 'CONFIRMED-BY-USER'"),
  recorded: database.prepare(`
    SELECT 1 FROM event WHERE attempt = ? AND state = 'HISTORY-ACCEPTED' UNION ALL
    SELECT 1 FROM outbox WHERE release_id = ?`),
  ofRelease: database.prepare('SELECT * FROM attempt WHERE release_id = ?'),
  countOpen: database.prepare('SELECT count(*) AS rows FROM attempt WHERE ended_at IS NULL'),
});

/** Of an attempt that has not ended. */
function keySlot({ release_id, history }: Attempt): number {
  const slot = history === null ? undefined : slotOf(history);
  if (slot === undefined) throw new Error(`release ${release_id} has no key any more`);
  return slot;
}
