/** What `platen status` has to show, and how it shows it. */
import type { ReleaseRow } from '../../domain/ports/ledger.ts';
import type { Paint } from '../terminal-text/screen.ts';
import type { VersionRecord } from './by-version.ts';
import type { Status } from './schema.ts';

export interface Sight {
  readonly status: Status;
  /** The newest first; `undefined` where the ledger cannot be read. */
  readonly releases: readonly ReleaseRow[] | undefined;
  /** Absent where it was not looked at. */
  readonly lastSevenDays?: readonly VersionRecord[];
  /** Wall time. */
  readonly now: number;
}

export interface Look {
  readonly width: number;
  readonly dot: string;
  readonly paint: Paint;
  /** Of every terminal a line, and every condition. */
  readonly isWhole: boolean;
}
