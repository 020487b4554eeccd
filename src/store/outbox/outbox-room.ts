/**
 * Measures how much of the outbox's room is taken (INVARIANTS.md D8). When it is full, nothing is printed, because it
 * could not be recorded.
 */
import { z } from 'zod';
import type { Database } from '../database.ts';

export interface OutboxSize {
  readonly rows: number;
  readonly bytes: number;
}

/** About a month of a busy gateway without its cloud. */
const mostOf: OutboxSize = { rows: 100_000, bytes: 64 * 1024 * 1024 };

/** Measuring reads every row, so it is done only before a print would be refused. */
const worthMeasuring = 1;

const sizeShape = z.object({ rows: z.int(), bytes: z.int() });

export class OutboxRoom {
  readonly #capacity: OutboxSize;
  readonly #measure: () => OutboxSize;
  /**
   * The last measurement, plus rows added and minus rows removed since. The row of a failed step still counts, so this
   * is an upper limit.
   */
  #atMost: OutboxSize;

  constructor(database: Database, capacity: OutboxSize = mostOf) {
    const measured = database.prepare(
      'SELECT count(*) AS rows, coalesce(sum(octet_length(record)), 0) AS bytes FROM outbox',
    );
    this.#capacity = capacity;
    this.#measure = () => database.read(() => sizeShape.parse(measured.get()));
    this.#atMost = this.#measure();
  }

  /** The number of all rows. */
  rows(): number {
    return this.#measure().rows;
  }

  take(record: string): void {
    this.#count(1, record);
  }

  /** The row is deleted. */
  leave(record: string): void {
    this.#count(-1, record);
  }

  /** The share that is taken at most, including this many further rows. */
  share(further: number): number {
    if (this.#shareOfMost(further) >= worthMeasuring) this.#atMost = this.#measure();
    return this.#shareOfMost(further);
  }

  #count(factor: 1 | -1, record: string): void {
    const { rows, bytes } = this.#atMost;
    this.#atMost = { rows: rows + factor, bytes: bytes + factor * Buffer.byteLength(record) };
  }

  #shareOfMost(further: number): number {
    const { rows, bytes } = this.#atMost;
    return Math.max((rows + further) / this.#capacity.rows, bytes / this.#capacity.bytes);
  }
}
