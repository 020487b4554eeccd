/**
 * For how long the books have been open in all, over every start: the time by which a record is held (reliability.md
 * D14). It runs on the monotonic clock, which nobody sets, and stands still while no agent runs, for then nobody could
 * speak either. Noted now and then: a crash takes back what was not, so that a hold becomes longer, never shorter.
 */
import { z } from 'zod';
import type { Clock } from '../core/clock.ts';
import { crcOf } from './checksum.ts';
import type { Database } from './database.ts';

export interface OpenTime {
  /** Whole milliseconds. */
  now(): number;
  /** Inside the caller's transaction. */
  note(): void;
}

const rowShape = z.object({ milliseconds: z.int() });

export function openTimeOf(database: Database, clock: Clock): OpenTime {
  const update = database.prepare('UPDATE open_time SET milliseconds = :milliseconds, crc = :crc');
  const select = database.prepare('SELECT milliseconds FROM open_time');
  const before = database.read(() => rowShape.parse(select.get()).milliseconds);
  const since = clock.monotonic();
  const now = (): number => before + Math.floor(clock.monotonic() - since);
  return {
    now,
    note() {
      const row = { milliseconds: now() };
      update.run({ ...row, crc: crcOfOpenTime(row) });
    },
  };
}

/** As it was noted last: for those who read beside the agent. */
export const notedOpenTime = '(SELECT milliseconds FROM open_time)';

/** Also of a row that may be none any more. */
export const crcOfOpenTime = (row: Readonly<Record<string, unknown>>): number => crcOf([row['milliseconds']]);
