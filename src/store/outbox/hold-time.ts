/**
 * The time by which records are held (INVARIANTS.md D14): the time for which the machine runs, which cannot be set. It
 * goes on over restarts of the agent and stands still while the machine is off. It is noted now and then. A reboot
 * loses the part that was not noted, so a hold can become longer, never shorter.
 */
import { z } from 'zod';
import { crcOf } from '../checksum.ts';
import type { Database } from '../database.ts';
import type { Stamp } from '../event-chain.ts';

export interface HoldTime {
  /** Whole milliseconds. */
  now(): number;
  /** Runs inside the caller's transaction. */
  note(): void;
}

const rowShape = z.object({ milliseconds: z.int(), boot_id: z.string(), since_boot: z.int() });
type Row = z.infer<typeof rowShape>;

export function holdTimeOf(database: Database, { clock, bootId }: Stamp): HoldTime {
  const update = database.prepare(`
    UPDATE hold_time SET milliseconds = :milliseconds, boot_id = :boot_id, since_boot = :since_boot, crc = :crc`);
  const select = database.prepare('SELECT milliseconds, boot_id, since_boot FROM hold_time');
  const sinceBoot = (): number => Math.floor(clock.sinceBoot());
  const noted = database.read(() => rowShape.parse(select.get()));
  const from = noted.boot_id === bootId ? noted.since_boot : sinceBoot();
  const now = (): number => noted.milliseconds + Math.max(0, sinceBoot() - from);
  return {
    now,
    note() {
      const row: Row = { milliseconds: now(), boot_id: bootId, since_boot: sinceBoot() };
      update.run({ ...row, crc: crcOf('hold_time', row) });
    },
  };
}

/** The last noted value, for programs that read beside the agent. */
export const notedHoldTime = '(SELECT milliseconds FROM hold_time)';
