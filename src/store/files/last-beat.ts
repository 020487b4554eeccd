/**
 * The time of the last beat that the fleet's engine answered, by the engine's clock, kept over restarts of this process
 * (F9). It is not synced: a power cut loses the last half minute of it, and nothing else depends on it.
 */
import { closeSync, constants, ftruncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openRegular, readIfPresent } from './durable-file.ts';

const shape = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00\n$/;

export interface KeptBeat {
  read(): string | undefined;
  write(at: string): void;
}

/** The caller owns the state directory. Neither function throws: a beat that cannot be kept is unknown. */
export function lastBeatIn(stateDir: string): KeptBeat {
  const path = join(stateDir, 'last-beat');
  return {
    read() {
      try {
        const text = String(readIfPresent(path));
        return shape.test(text) ? text.trimEnd() : undefined;
      } catch {
        return undefined;
      }
    },
    write(at) {
      try {
        const file = openRegular(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
        try {
          ftruncateSync(file, writeSync(file, `${at}\n`));
        } finally {
          closeSync(file);
        }
      } catch {
        // Other writers report a full disk.
      }
    },
  };
}
