/**
 * History records the service has not accepted yet: a table beside the ledger, so that a row is born in the
 * transaction of the outcome it tells of (INVARIANTS.md D8, I2). It stores and counts; posting is `courier.ts`.
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
import type { OutboxSize } from './room.ts';
import { OutboxRoom } from './room.ts';
import type { OutboxStatements, Stored } from './outbox-statements.ts';
import { outboxStatements, storedShape } from './outbox-statements.ts';

export interface OutboxRow {
  readonly id: number;
  readonly releaseId: string;
  readonly terminal: string;
  readonly record: HistoryRecord;
  /** Others of a fleet may have heard of its release. */
  readonly isClaimed: boolean;
  /** Set: a post of it may have arrived, and so many that look alike had been accepted before it. */
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
  /** Absent: as much as D8 says. */
  readonly capacity?: OutboxSize;
}

export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #database: Database;
  readonly #sql: OutboxStatements;
  readonly #time: HoldTime;
  readonly #room: OutboxRoom;
  /** Of rows that are gone, though perhaps not yet from the disk. */
  readonly #spentKeys: number[] = [];

  constructor(deps: OutboxDeps) {
    const { database, capacity } = deps;
    this.#deps = deps;
    this.#database = database;
    this.#sql = outboxStatements(database);
    this.#time = holdTimeOf(database, deps);
    this.#room = new OutboxRoom(database, capacity);
  }

  /** Inside the caller's transaction. `record` is the sealed JSON of a `HistoryRecord`. */
  add(row: {
    readonly releaseId: string;
    readonly terminal: string;
    readonly record: string;
    readonly holdFor: Duration;
    /** Another member may have posted it: it is looked for first. */
    readonly mayHaveArrived?: boolean | undefined;
  }): void {
    const { releaseId, terminal, record, holdFor, mayHaveArrived = false } = row;
    const not_before = Math.ceil(this.#deps.clock.now() + holdFor);
    const alike_before = mayHaveArrived ? 0 : null;
    const stored = { release_id: releaseId, terminal, record, not_before, alike_before, dead_letter: null };
    if (!this.#insert(stored, holdFor)) throw new Error(`release ${releaseId} has a history record already`);
  }

  /**
   * Inside the caller's transaction: a row of other books, unless there is one of that release. Held anew; what had been
   * accepted there nobody knows.
   */
  adopt(found: Readonly<Record<string, unknown>>, holdFor: Duration): boolean {
    const { data: row } = storedShape.safeParse(found);
    return row !== undefined && this.#insert({ ...row, alike_before: null }, holdFor);
  }

  /** False: there is one of that release. */
  #insert(row: Omit<Stored, 'id' | 'held_until' | 'attempts'>, holdFor: Duration): boolean {
    const { release_id, terminal, record, not_before, alike_before, dead_letter } = row;
    const held_until = holdFor > 0 ? this.#time.now() + Math.ceil(holdFor) : 0;
    // Else a crash could take back more than the hold itself.
    if (held_until > 0) this.#time.note();
    const fresh = { held_until, attempts: 0, alike_before };
    const stored = { release_id, terminal, record, not_before, dead_letter, ...fresh };
    const isNew = this.#sql.insert.run({ ...stored, crc: crcOf('outbox', stored) }).changes === 1;
    if (isNew) this.#room.take(record);
    return isNew;
  }

  /** Inside the caller's transaction: the release's held record may go at once, if it is still here. */
  release(releaseId: string): void {
    const not_before = Math.floor(this.#deps.clock.now());
    this.#change(this.#sql.ofRelease.get(releaseId), { not_before, held_until: 0 });
  }

  /**
   * Inside the caller's transaction: nothing came out, and nothing is to be told. Gives the slot of its key; `undefined`: it
   * is gone already, or may have been sent.
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

  /** Inside the caller's transaction: no more than so many pages came out. It may go at once, unless it is gone already. */
  cutTo(releaseId: string, pages: number): void {
    const found = this.#sql.ofRelease.get(releaseId);
    if (found === undefined) return;
    const { record, attempts, alike_before } = storedShape.parse(found);
    if (attempts > 0 || alike_before !== null) return;
    const text = textIn(this.#deps.rowKeys, { kind: 'history', releaseId }, record);
    this.#replace(found, cutToPages(historyText.parse(text), pages));
    this.release(releaseId);
  }

  /** Of all rows, dead letters included: none of them may be dropped to make room. */
  size(): number {
    return this.#room.rows();
  }

  /** At most so much of the room is taken, that of so many further rows included; from 1 on nothing may be added (D8). */
  fullness(further = 0): number {
    return this.#room.share(further);
  }

  /** The oldest row that may go now, of a terminal that is not among these. */
  next(resting: readonly string[]): OutboxRow | undefined {
    return this.#database.read(() =>
      this.#rowOf(this.#sql.first.get(this.#time.now(), JSON.stringify(resting))),
    );
  }

  /** As it is by now; `undefined`: it is gone. */
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
      // Of an attempt that is compacted nobody here knows.
      isClaimed: this.#sql.unclaimed.get(releaseId) === undefined,
      ...(alikeBefore === undefined ? {} : { alikeBefore }),
    };
  }

  /** When the release was planned, as `Clock.sinceBoot` tells; `undefined` where that was in another boot, or at another gateway, or is compacted. */
  plannedAt(releaseId: string): number | undefined {
    return this.#database.read(() => {
      const moment = this.#sql.planned.get(releaseId, this.#deps.bootId)?.['moment'];
      return typeof moment === 'number' ? moment : undefined;
    });
  }

  /** The record was wrong, and nobody has it yet. */
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

  /** The id of the youngest row; 0 when there is none. */
  newest(): number {
    return this.#database.read(() => Number(this.#sql.youngest.get()?.['id'] ?? 0));
  }

  /** Until the next held row may go; `undefined` when none is held. */
  heldFor(): Duration | undefined {
    return this.#database.read(() => {
      const now = this.#time.now();
      const due = this.#sql.nextHeld.get(now)?.['due'];
      return typeof due === 'number' ? milliseconds(due - now) : undefined;
    });
  }

  /** How long holds have run by now: a reboot takes back what was not noted. */
  noteTime(): void {
    if (this.heldFor() !== undefined) this.#database.transaction(() => this.#time.note());
  }

  /** Resolves when the end of every release whose row stands here is durable: nobody hears of it before (B.1). */
  durable(): Promise<void> {
    return this.#deps.commits.durable();
  }

  /** It is about to be sent: should this process end before the answer comes, the next one knows. */
  sending(id: number, alikeBefore: number): void {
    this.#database.unsynced(() => this.#change(this.#sql.ofId.get(id), { alike_before: alikeBefore }));
  }

  /** It was sent in vain and waits on. `isAbsent`: it certainly did not arrive, then or before. */
  countFailure(id: number, isAbsent: boolean): void {
    this.#database.transaction(() => {
      const found = this.#sql.ofId.get(id);
      if (found === undefined) return;
      const attempts = storedShape.parse(found).attempts + 1;
      this.#change(found, isAbsent ? { attempts, alike_before: null } : { attempts });
    });
  }

  /** The service has it: the row goes, and with `forgetGone` its key; the events tell when. */
  accepted(id: number): void {
    this.#remove(id, 'HISTORY-ACCEPTED');
  }

  /** Another member of the fleet posts it: the row goes, and its key likewise. */
  leave(id: number): void {
    this.#remove(id, 'HISTORY-LEFT');
  }

  /** The rows that went are gone for good, and then their keys, without which no copy of them can be read. */
  async forgetGone(): Promise<void> {
    const slots = this.#spentKeys.splice(0);
    if (slots.length === 0) return;
    await this.durable();
    await this.#database.guardedBeside(() => this.#deps.rowKeys.destroy(...slots));
  }

  /** The service will never take it as it is; a person may look at it. */
  bury(id: number, reason: string): void {
    this.#database.transaction(() =>
      this.#change(this.#sql.ofId.get(id), { dead_letter: reason, alike_before: null }),
    );
  }

  counts(): OutboxCounts {
    return this.#database.read(() => countsShape.parse(this.#sql.counted.get({ now: this.#time.now() })));
  }

  /** How long the oldest row that may go has waited; `undefined` where none does. */
  oldest(): Duration | undefined {
    return this.#database.read(() => {
      const due = this.#sql.longestDue.get(this.#time.now())?.['due'];
      return typeof due === 'number' ? milliseconds(Math.max(0, this.#deps.clock.now() - due)) : undefined;
    });
  }

  /** Leaves nothing of deleted rows on disk. */
  scrub(): void {
    this.#database.emptyLog();
  }

  #remove(id: number, state: 'HISTORY-ACCEPTED' | 'HISTORY-LEFT'): void {
    const { data: row } = storedShape.safeParse(this.#sql.ofId.get(id));
    // What is known to have been sent is looked for, should a power cut bring it back, and not simply posted again.
    const commit = row?.alike_before === null ? 'transaction' : 'unsynced';
    this.#database[commit](() => {
      // Compacted by now, where it waited for longer than a month.
      const attempt = this.#sql.attemptOf.get(id)?.['id'];
      if (typeof attempt === 'number') this.#deps.chain.append({ attempt, state, facts: {} });
      this.#sql.remove.run(id);
    });
    if (row === undefined) return;
    this.#room.leave(row.record);
    const slot = slotOf(row.record);
    if (slot !== undefined) this.#spentKeys.push(slot);
  }

  /** Does nothing where the row is gone. */
  #change(found: unknown, changes: Partial<Stored>): void {
    if (found === undefined) return;
    const row = { ...storedShape.parse(found), ...changes };
    const { id, record, not_before, held_until, attempts, alike_before, dead_letter } = row;
    const crc = crcOf('outbox', row);
    this.#sql.update.run({ id, record, not_before, held_until, attempts, alike_before, dead_letter, crc });
  }
}
