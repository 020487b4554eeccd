/**
 * The write-ahead ledger of attempts (INVARIANTS.md D1, B.1). Every step of a release is an event in the books. If the
 * port says so, the step is durable before the next step touches the world. An end state and its history row are one
 * transaction. The ledger records only; other code judges what an attempt is worth.
 */
import { isoInstant } from '../../core/clock.ts';
import type { Claim } from '../../domain/ports/claims.ts';
import type { Inheritance, IntendedWay, Ledger, OpenAttempt } from '../../domain/ports/ledger.ts';
import type { PrinterJob } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { AdministratorsWord, LastRelease } from '../../domain/release.ts';
import { forgottenRelease, outcomeOf } from '../../domain/release.ts';
import type { Attempt } from './attempts.ts';
import { createOpenAttempts, nothingKnown } from './attempts.ts';
import type { LedgerDeps, ReleaseEnd } from './attempt-steps.ts';
import { AttemptSteps, keySlot, requireNext } from './attempt-steps.ts';
import { Inheriting } from './inheriting.ts';
import { isEndState, statesSetByPeople } from '../columns.ts';
import type { Database } from '../database.ts';
import type { EventChain, Head } from '../event-chain.ts';
import { createLastReleases } from './past.ts';
import { sealed } from '../sealed/personal-columns.ts';

export class AttemptLedger implements Ledger {
  readonly #deps: LedgerDeps;
  readonly #database: Database;
  readonly #chain: EventChain;
  readonly #steps: AttemptSteps;
  readonly #inheriting: Inheriting;
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #openAttempts: () => OpenAttempt[];
  readonly #lastRelease: Ledger['lastRelease'];
  /** Written together with the next step of its release: a crash before that leaves the document as it was (B.1). */
  readonly #fetched = new Map<string, { readonly length: number; readonly digest: string }>();
  /** Keys of releases without a record: destroyed when the end of the release is on disk. */
  readonly #spentKeys: number[] = [];

  constructor(deps: LedgerDeps) {
    const { database, chain } = deps;
    this.#deps = deps;
    this.#database = database;
    this.#chain = chain;
    this.#steps = new AttemptSteps(deps);
    this.#inheriting = new Inheriting(deps, this.#steps);
    this.#sql = statementsOf(database);
    this.#openAttempts = createOpenAttempts(deps);
    this.#lastRelease = createLastReleases(deps);
  }

  plan({ ticket, jobName, history, again }: Parameters<Ledger['plan']>[0]): void {
    const { outbox, rowKeys, clock } = this.#deps;
    this.#withOwnKey((slot) => {
      // Each release that is under way will need a row.
      if (outbox.fullness(Number(this.#sql.countOpen.get()?.['rows'])) >= 1) {
        throw new Problem(
          'store-refused',
          `${outbox.size()} history records wait, and the outbox accepts no more`,
        );
      }
      const { document, picked, user, releaseId, terminal } = ticket;
      const { copies, totalPages } = document;
      const attempt = this.#steps.attempts.insert({
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
        facts: { ...facts, copies, pages: totalPages, picked, again },
      });
    });
  }

  fetched(releaseId: string, document: { length: number; digest: string }): void {
    requireNext(this.#steps.attempt(releaseId), 'FETCHED');
    this.#fetched.set(releaseId, document);
  }

  intendByService(releaseId: string, serialNumber: string, claim?: Claim): void {
    this.#anchored(releaseId, (current) =>
      this.#steps.advanceToIntent(current, 'SERVICE-INTENT', { serialNumber, claim }),
    );
  }

  refusedByService(releaseId: string): void {
    this.#step(releaseId, (current) => this.#steps.advance(current, 'SERVICE-REFUSED', {}));
  }

  intend(releaseId: string, printerUri: string, { isJobNext = false, ...way }: IntendedWay = {}): void {
    const step = (current: Attempt) => this.#steps.advanceToIntent(current, 'INTENT', { printerUri, ...way });
    if (isJobNext) this.#step(releaseId, step);
    else this.#anchored(releaseId, step);
  }

  /** The job-name holds the title. It stays out of the event, because an event cannot be cleared. */
  jobCreated(releaseId: string, job: PrinterJob): void {
    this.#anchored(releaseId, (current) => this.#steps.advanceToJob(current, job));
  }

  sent(releaseId: string, facts?: { digest: string; length: number }, job?: PrinterJob): void {
    this.#step(releaseId, (current) =>
      this.#steps.advance(current, 'SENT', { ...facts, ...(job ? this.#steps.marksOf(current, job) : {}) }),
    );
  }

  end(releaseId: string, how: ReleaseEnd): void {
    let unneeded: number | undefined;
    this.#anchored(releaseId, (current) => {
      const head = this.#steps.advanceToEnd(current, how);
      if (how.state === 'NOOUTPUT' || how.history !== undefined) unneeded = keySlot(current);
      else this.#steps.owe(current, how);
      if (outcomeOf[how.state] !== 'failed') this.#steps.settleRepeated(current);
      return head;
    });
    if (unneeded !== undefined) this.#spentKeys.push(unneeded);
    this.#deps.wake.ring();
  }

  confirmedByPerson(releaseId: string): void {
    if (releaseId === forgottenRelease) return;
    this.#anchored(releaseId, ({ id, state }) => {
      if (!isEndState(state) || outcomeOf[state] !== 'unknown')
        throw new Error(`release ${releaseId} is ${state}; nobody has to confirm it`);
      if (this.#sql.personsWord.get(id)) return undefined;
      this.#deps.outbox.release(releaseId);
      return this.#chain.append({ attempt: id, state: 'CONFIRMED-BY-USER', facts: {} });
    });
    this.#deps.wake.ring();
  }

  settled(releaseId: string, word: AdministratorsWord, { deletionOwed }: { deletionOwed: boolean }): void {
    let unneeded: number | undefined;
    this.#anchored(releaseId, (current) => {
      const { id, state } = current;
      if (!isEndState(state) || outcomeOf[state] !== 'unknown')
        throw new Error(`release ${releaseId} is ${state}; nobody has to settle it`);
      if (this.#sql.personsWord.get(id)) return undefined;
      if (word === 'did-not-come-out') {
        unneeded = this.#deps.outbox.withdraw(releaseId);
        return this.#chain.append({ attempt: id, state: 'DENIED-BY-ADMINISTRATOR', facts: {} });
      }
      this.#deps.outbox.release(releaseId);
      if (deletionOwed) this.#steps.attempts.update(current, { deletion_owed: 1 });
      return this.#chain.append({ attempt: id, state: 'CONFIRMED-BY-ADMINISTRATOR', facts: {} });
    });
    if (unneeded !== undefined) this.#spentKeys.push(unneeded);
    this.#deps.wake.ring();
  }

  deleted(releaseId: string): void {
    this.#step(releaseId, (current) => {
      if (!isEndState(current.state))
        throw new Error(`release ${releaseId} is ${current.state}; its document is still needed`);
      if (current.deletion_owed === 0) return;
      this.#chain.append({ attempt: current.id, state: 'DELETED', facts: {} });
      this.#steps.attempts.update(current, { deletion_owed: 0 });
    });
  }

  inherit(left: Inheritance): void {
    const step = this.#inheriting.step(left);
    if (!step) return;
    this.#deps.commits.anchors(this.#withOwnKey(step));
    this.#deps.wake.ring();
  }

  lastRelease(...asked: Parameters<Ledger['lastRelease']>): LastRelease | undefined {
    return this.#lastRelease(...asked);
  }

  async durable(): Promise<void> {
    const spent = this.#spentKeys.splice(0);
    await this.#deps.commits.durable();
    if (spent.length === 0) return;
    await this.#database.guardedBeside(() => this.#deps.rowKeys.destroy(...spent));
  }

  open(): readonly OpenAttempt[] {
    return this.#database.read(this.#openAttempts);
  }

  #withOwnKey<Result>(work: (slot: number) => Result): Result {
    const { rowKeys } = this.#deps;
    return this.#database.guarded(() => rowKeys.spend((slot) => this.#database.unsynced(() => work(slot))));
  }

  #step<Result>(releaseId: string, step: (current: Attempt) => Result): Result {
    const fetched = this.#fetched.get(releaseId);
    const result = this.#database.unsynced(() => {
      if (fetched) this.#steps.advance(this.#steps.attempt(releaseId), 'FETCHED', fetched);
      return step(this.#steps.attempt(releaseId));
    });
    this.#fetched.delete(releaseId);
    return result;
  }

  /** Runs a step that must be on disk before the outside world sees its effect, and notes its place in the chain. */
  #anchored(releaseId: string, step: (current: Attempt) => Head | undefined): void {
    const head = this.#step(releaseId, step);
    if (head) this.#deps.commits.anchors(head);
  }
}

const statementsOf = (database: Database) => ({
  personsWord: database.prepare(`SELECT 1 FROM event WHERE attempt = ? AND state IN (${statesSetByPeople})`),
  countOpen: database.prepare('SELECT count(*) AS rows FROM attempt WHERE ended_at IS NULL'),
});
