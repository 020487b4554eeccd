/**
 * History records that the service has not accepted yet: a table beside the ledger, so that a row is made in the same
 * transaction as its outcome (INVARIANTS.md D8, I2). It stores and counts; `courier.ts` posts.
 */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds } from '../../core/duration.ts';
import type { HistoryRecord } from '../../domain/history.ts';
import { cutToPages } from '../../domain/history.ts';
import type { OutboxCounts } from '../../domain/ports/ledger.ts';
import { crcOf } from '../checksum.ts';
import { historyText } from '../columns.ts';
import type { Database } from '../database.ts';
import type { EventChain } from '../event-chain.ts';
import type { GroupCommit } from '../ledger/group-commit.ts';
import { sealedAnew, slotOf, textIn } from '../sealed/personal-columns.ts';
import type { RowKeys } from '../sealed/row-keys.ts';
import type { HoldTime } from './hold-time.ts';
import { holdTimeOf } from './hold-time.ts';
import type { OutboxSize } from './outbox-room.ts';
import { OutboxRoom } from './outbox-room.ts';
import type { OutboxStatements, Stored } from './outbox-statements.ts';
import { outboxStatements, storedShape } from './outbox-statements.ts';

export interface OutboxRow {
  readonly id: number;
  readonly releaseId: string;
  readonly terminal: string;
  readonly record: HistoryRecord;
  /** Other members of the fleet may have heard of its release. */
  readonly isClaimed: boolean;
  /** If set, a post of it may have arrived, and this many similar records had been accepted before it. */
  readonly alikeBefore?: number;
}

const countsShape = z.object({ waiting: z.int(), held: z.int(), deadLetters: z.int() });

export interface OutboxDeps {
  readonly database: Database;
  readonly chain: EventChain;
  readonly commits: Pick<GroupCommit, 'durable'>;
  readonly rowKeys: RowKeys;
  readonly clock: Clock;
  readonly bootId: string;
  /** If absent, the capacity of D8. */
  readonly capacity?: OutboxSize;
}

export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #database: Database;
  readonly #sql: OutboxStatements;
  readonly #time: HoldTime;
  readonly #room: OutboxRoom;
  /** Keys of rows that are deleted, though perhaps not yet on disk. */
  readonly #spentKeys: number[] = [];

  constructor(deps: OutboxDeps) {
    const { database, capacity } = deps;
    this.#deps = deps;
    this.#database = database;
    this.#sql = outboxStatements(database);
    this.#time = holdTimeOf(database, deps);
    this.#room = new OutboxRoom(database, capacity);
  }

  /** Runs inside the caller's transaction. `record` is the sealed JSON of a `HistoryRecord`. */
  add(row: {
    readonly releaseId: string;
    readonly terminal: string;
    readonly record: string;
    readonly holdFor: Duration;
    /** Another member may have posted it, so it is looked up first. */
    readonly mayHaveArrived?: boolean | undefined;
  }): void {
    const { releaseId, terminal, record, holdFor, mayHaveArrived = false } = row;
    const not_before = Math.ceil(this.#deps.clock.now() + holdFor);
    const alike_before = mayHaveArrived ? 0 : null;
    const stored = { release_id: releaseId, terminal, record, not_before, alike_before, dead_letter: null };
    if (!this.#insert(stored, holdFor)) throw new Error(`release ${releaseId} has a history record already`);
  }

  /**
   * Runs inside the caller's transaction: takes a row of other books, unless its release has a row here. It is held
   * anew. How many similar records were accepted there is unknown.
   */
  adopt(found: Readonly<Record<string, unknown>>, holdFor: Duration): boolean {
    const { data: row } = storedShape.safeParse(found);
    return row !== undefined && this.#insert({ ...row, alike_before: null }, holdFor);
  }

  /** False if the release has a row already. */
  #insert(row: Omit<Stored, 'id' | 'held_until' | 'attempts'>, holdFor: Duration): boolean {
    const { release_id, terminal, record, not_before, alike_before, dead_letter } = row;
    const held_until = holdFor > 0 ? this.#time.now() + Math.ceil(holdFor) : 0;
    // Without this note a crash could take back more than the hold itself.
    if (held_until > 0) this.#time.note();
    const fresh = { held_until, attempts: 0, alike_before };
    const stored = { release_id, terminal, record, not_before, dead_letter, ...fresh };
    const isNew = this.#sql.insert.run({ ...stored, crc: crcOf('outbox', stored) }).changes === 1;
    if (isNew) this.#room.take(record);
    return isNew;
  }

  /** Runs inside the caller's transaction: the held record may go at once, if it is still here. */
  release(releaseId: string): void {
    const not_before = Math.floor(this.#deps.clock.now());
    this.#change(this.#sql.ofRelease.get(releaseId), { not_before, held_until: 0 });
  }

  /**
   * Runs inside the caller's transaction: nothing came out, so no record is sent. Gives the slot of its key;
   * `undefined` if the row is gone already or may have been sent.
   */
  withdraw(releaseId: string): number | undefined {
    const found = this.#sql.ofRelease.get(releaseId);
    if (found === undefined) return undefined;
    const { id, record, attempts, alike_before } = storedShape.parse(found);
    if (attempts > 0 || alike_before !== null) return undefined;
    this.#sql.remove.run(id);
    this.#room.leave(record);
    return slotOf(record);
  }

  /**
   * Runs inside the caller's transaction: at most this many pages came out. The record may go at once, if it is still
   * here.
   */
  cutTo(releaseId: string, pages: number): void {
    const found = this.#sql.ofRelease.get(releaseId);
    if (found === undefined) return;
    const { record, attempts, alike_before } = storedShape.parse(found);
    if (attempts > 0 || alike_before !== null) return;
    const text = textIn(this.#deps.rowKeys, { kind: 'history', releaseId }, record);
    this.#replace(found, cutToPages(historyText.parse(text), pages));
    this.release(releaseId);
  }

  /** The number of all rows, including dead letters: none of them may be dropped to make room. */
  size(): number {
    return this.#room.rows();
  }

  /** The share of the room that is taken at most, including this many further rows. At 1 nothing may be added (D8). */
  fullness(further = 0): number {
    return this.#room.share(further);
  }

  /** The oldest row that may go now and whose terminal is not in the list. */
  next(resting: readonly string[]): OutboxRow | undefined {
    return this.#database.read(() =>
      this.#rowOf(this.#sql.first.get(this.#time.now(), JSON.stringify(resting))),
    );
  }

  /** The present row; `undefined` if it is gone. */
  row(id: number): OutboxRow | undefined {
    return this.#database.read(() => this.#rowOf(this.#sql.ofId.get(id)));
  }

  #rowOf(found: Readonly<Record<string, unknown>> | undefined): OutboxRow | undefined {
    if (found === undefined) return undefined;
    const { id, release_id: releaseId, terminal, record, alike_before } = storedShape.parse(found);
    const text = textIn(this.#deps.rowKeys, { kind: 'history', releaseId }, record);
    const alikeBefore = alike_before ?? undefined;
    return {
      id,
      releaseId,
      terminal,
      record: historyText.parse(text),
      // For a compacted attempt this is unknown here, and it counts as claimed.
      isClaimed: this.#sql.unclaimed.get(releaseId) === undefined,
      ...(alikeBefore === undefined ? {} : { alikeBefore }),
    };
  }

  /**
   * When the release was planned, as `Clock.sinceBoot` tells. `undefined` if it was planned in another boot or at
   * another gateway, or is compacted.
   */
  plannedAt(releaseId: string): number | undefined {
    return this.#database.read(() => {
      const moment = this.#sql.planned.get(releaseId, this.#deps.bootId)?.['moment'];
      return typeof moment === 'number' ? moment : undefined;
    });
  }

  /** Corrects a wrong record that has not been sent. */
  correct(id: number, record: HistoryRecord): void {
    this.#database.transaction(() => {
      const found = this.#sql.ofId.get(id);
      if (found === undefined) return;
      this.#replace(found, record);
    });
  }

  #replace(found: Readonly<Record<string, unknown>>, record: HistoryRecord): void {
    const { release_id: releaseId, record: before } = storedShape.parse(found);
    const what = { kind: 'history', releaseId } as const;
    const after = sealedAnew(this.#deps.rowKeys, what, before, JSON.stringify(record));
    this.#change(found, { record: after });
    this.#room.take(after);
    this.#room.leave(before);
  }

  /** The id of the youngest row; 0 if there is none. */
  newest(): number {
    return this.#database.read(() => Number(this.#sql.youngest.get()?.['id'] ?? 0));
  }

  /** The time until the next held row may go; `undefined` if none is held. */
  heldFor(): Duration | undefined {
    return this.#database.read(() => {
      const now = this.#time.now();
      const due = this.#sql.nextHeld.get(now)?.['due'];
      return typeof due === 'number' ? milliseconds(due - now) : undefined;
    });
  }

  /** Notes how long holds have run, because a reboot loses the time that was not noted. */
  noteTime(): void {
    if (this.heldFor() !== undefined) this.#database.transaction(() => this.#time.note());
  }

  /** Resolves when the end of every release with a row here is durable: before that no record may leave (B.1). */
  durable(): Promise<void> {
    return this.#deps.commits.durable();
  }

  /** The record is about to be sent. If this process ends before the answer, the next process knows. */
  sending(id: number, alikeBefore: number): void {
    this.#database.unsynced(() => this.#change(this.#sql.ofId.get(id), { alike_before: alikeBefore }));
  }

  /** A post failed, and the row goes on waiting. `isAbsent`: it certainly did not arrive, this time or before. */
  countFailure(id: number, isAbsent: boolean): void {
    this.#database.transaction(() => {
      const found = this.#sql.ofId.get(id);
      if (found === undefined) return;
      const attempts = storedShape.parse(found).attempts + 1;
      this.#change(found, isAbsent ? { attempts, alike_before: null } : { attempts });
    });
  }

  /** The service has the record: the row goes, and `forgetGone` destroys its key. The events keep the time. */
  accepted(id: number): void {
    this.#remove(id, 'HISTORY-ACCEPTED');
  }

  /** Another member of the fleet posts the record: the row goes, and its key likewise. */
  leave(id: number): void {
    this.#remove(id, 'HISTORY-LEFT');
  }

  /**
   * Waits until the deleted rows are gone from disk and then destroys their keys; without the keys no copy of the rows
   * can be read.
   */
  async forgetGone(): Promise<void> {
    const slots = this.#spentKeys.splice(0);
    if (slots.length === 0) return;
    await this.durable();
    await this.#database.guardedBeside(() => this.#deps.rowKeys.destroy(...slots));
  }

  /** The service will never accept the record as it is; a person may look at it. */
  bury(id: number, reason: string): void {
    this.#database.transaction(() =>
      this.#change(this.#sql.ofId.get(id), { dead_letter: reason, alike_before: null }),
    );
  }

  counts(): OutboxCounts {
    return this.#database.read(() => countsShape.parse(this.#sql.counted.get({ now: this.#time.now() })));
  }

  /** How long the oldest row that may go has waited; `undefined` if there is none. */
  oldest(): Duration | undefined {
    return this.#database.read(() => {
      const due = this.#sql.longestDue.get(this.#time.now())?.['due'];
      return typeof due === 'number' ? milliseconds(Math.max(0, this.#deps.clock.now() - due)) : undefined;
    });
  }

  /** Removes deleted rows from the disk. */
  scrub(): void {
    this.#database.emptyLog();
  }

  #remove(id: number, state: 'HISTORY-ACCEPTED' | 'HISTORY-LEFT'): void {
    const { data: row } = storedShape.safeParse(this.#sql.ofId.get(id));
    // A record that is noted as sent needs no sync: if a power cut brings it back, it is looked up, not simply posted
    // again.
    const commit = row?.alike_before === null ? 'transaction' : 'unsynced';
    this.#database[commit](() => {
      // The attempt may be compacted if the record waited for longer than a month.
      const attempt = this.#sql.attemptOf.get(id)?.['id'];
      if (typeof attempt === 'number') this.#deps.chain.append({ attempt, state, facts: {} });
      this.#sql.remove.run(id);
    });
    if (row === undefined) return;
    this.#room.leave(row.record);
    const slot = slotOf(row.record);
    if (slot !== undefined) this.#spentKeys.push(slot);
  }

  /** Does nothing if the row is gone. */
  #change(found: unknown, changes: Partial<Stored>): void {
    if (found === undefined) return;
    const row = { ...storedShape.parse(found), ...changes };
    const { id, record, not_before, held_until, attempts, alike_before, dead_letter } = row;
    const crc = crcOf('outbox', row);
    this.#sql.update.run({ id, record, not_before, held_until, attempts, alike_before, dead_letter, crc });
  }
}
