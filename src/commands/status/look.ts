/** The data and the form of the output of `platen status`. */
import type { ReleaseRow } from '../../domain/ports/ledger.ts';
import type { Paint } from '../terminal-text/screen.ts';
import type { VersionRecord } from './by-version.ts';
import type { Status } from './schema.ts';

export interface Sight {
  readonly status: Status;
  /** The newest first; `undefined` if the ledger cannot be read. */
  readonly releases: readonly ReleaseRow[] | undefined;
  /** Absent if they were not read. */
  readonly lastSevenDays?: readonly VersionRecord[];
  /** Wall time. */
  readonly now: number;
}

export interface Look {
  readonly width: number;
  readonly dot: string;
  readonly paint: Paint;
  /** One line for every terminal, and every condition. */
  readonly isWhole: boolean;
}
