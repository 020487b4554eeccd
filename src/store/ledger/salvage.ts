/**
 * Moves every row with a good checksum from quarantined books into the new books (INVARIANTS.md B.4 table 9). The old
 * books are only read. The new books change in one transaction, which can be repeated.
 */
import { join } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import type { Clock } from '../../core/clock.ts';
import { isoInstant } from '../../core/clock.ts';
import { hours, seconds } from '../../core/duration.ts';
import { outcomeOf } from '../../domain/release.ts';
import type { Attempts } from './attempts.ts';
import { attemptShape, createAttempts } from './attempts.ts';
import { crcOf } from '../checksum.ts';
import { endState, isEndState } from '../columns.ts';
import type { Database } from '../database.ts';
import { databaseName, isEmptyFile, openDatabaseReadOnly } from '../database.ts';
import type { EventChain, Head } from '../event-chain.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { createPast } from './past.ts';
import { opened, sealed } from '../sealed/personal-columns.ts';
import type { QuarantineFolder, Salvaged } from './quarantine.ts';
import type { RowKeyReading, RowKeys } from '../sealed/row-keys.ts';
import { readRowKeys, rowKeysName } from '../sealed/row-keys.ts';

type Row = Readonly<Record<string, unknown>>;

export interface SalvageDeps {
  readonly database: Database;
  readonly chain: EventChain;
  readonly rowKeys: RowKeys;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/** The configuration's usual wait for a person's word about an unknown outcome. */
const unknownHold = hours(24);

export function salvage(folder: QuarantineFolder, deps: SalvageDeps): { salvaged: Salvaged; head: Head } {
  const { database, chain } = deps;
  const past = createPast(database);
  const youngest = database.prepare('SELECT coalesce(max(id), 0) AS id FROM attempt');
  const adoption = new Adoption(oldKeysIn(folder), deps);
  return database.transaction(() => {
    using source = openSource(join(folder.path, databaseName));
    const salvaged = {
      releases: countOf(goodRows(source, 'attempt', 'id'), (row) => adoption.ofAttempt(row)),
      records: countOf(goodRows(source, 'outbox', 'id'), (row) => adoption.ofRecord(row)),
      documents: countOf(goodRows(source, 'past', 'document'), past.adopt),
      lastAttempt: Number(youngest.get()?.['id']),
    };
    const facts = { folder: folder.name, reason: folder.reason, ...salvaged };
    return { salvaged, head: chain.append({ state: 'QUARANTINED', facts }) };
  });
}

/** Each method tells whether the row is new here. */
class Adoption {
  readonly #oldKeys: RowKeyReading;
  readonly #deps: SalvageDeps;
  readonly #attempts: Attempts;
  readonly #stateOf: StatementSync;

  constructor(oldKeys: RowKeyReading, deps: SalvageDeps) {
    this.#oldKeys = oldKeys;
    this.#deps = deps;
    this.#attempts = createAttempts(deps.database);
    this.#stateOf = deps.database.prepare('SELECT state FROM attempt WHERE release_id = ?');
  }

  /** A release that was under way ends as unknown, and its record waits as for any unknown outcome. */
  ofAttempt(row: Row): boolean {
    const { data: found } = attemptShape.safeParse(row);
    if (!found || this.#stateOf.get(found.release_id)) return false;
    const { state, release_id: releaseId, terminal, history } = found;
    if (isEndState(state)) {
      this.#attempts.insert(found);
      return true;
    }
    const end = {
      state: 'UNKNOWN',
      ended_at: isoInstant(this.#deps.clock.now()),
      problem: 'ledger-quarantined',
    } as const;
    this.#attempts.insert({ ...found, ...end, job_name: null, history: null });
    if (history !== null && state !== 'SERVICE-INTENT') {
      this.#resealed(releaseId, history, (record) => {
        this.#deps.outbox.add({ releaseId, terminal, record, holdFor: unknownHold });
        return true;
      });
    }
    return true;
  }

  /** The old books no longer tell how long the record was held, so an unknown outcome waits for the full time again. */
  ofRecord(row: Row): boolean {
    const releaseId = String(row['release_id']);
    const { data: state } = endState.safeParse(this.#stateOf.get(releaseId)?.['state']);
    const holdFor = state && outcomeOf[state] === 'unknown' ? unknownHold : seconds(0);
    return this.#resealed(releaseId, String(row['record']), (record) =>
      this.#deps.outbox.adopt({ ...row, record }, holdFor),
    );
  }

  /**
   * Seals the record under a key of the new books. If no old key opens it, the service accepted it, or it is lost with
   * its key.
   */
  #resealed(releaseId: string, column: string, adopt: (record: string) => boolean): boolean {
    const { rowKeys } = this.#deps;
    const what = { kind: 'history', releaseId } as const;
    const text = opened(this.#oldKeys, what, column)?.text;
    return text !== undefined && rowKeys.spend((slot) => adopt(sealed(rowKeys, slot, what, text)));
  }
}

/** Without them, what personal columns held is lost; that a document may have printed is not. */
function oldKeysIn(folder: QuarantineFolder): RowKeyReading {
  try {
    return readRowKeys(join(folder.path, rowKeysName));
  } catch {
    return { unsealings: () => [] };
  }
}

/** `undefined` if it is too damaged to open. */
function openSource(path: string): Database | undefined {
  if (isEmptyFile(path)) return undefined;
  try {
    return openDatabaseReadOnly(path);
  } catch {
    return undefined;
  }
}

/**
 * In the order of writing, except for rows behind a damaged page. A row that is reached from both ends is adopted once.
 */
function* goodRows(
  source: Database | undefined,
  name: 'attempt' | 'outbox' | 'past',
  key: string,
): Generator<Row> {
  const isGood = (row: Row): boolean => row['crc'] === crcOf(name, row);
  const rowsBy = (order: 'ASC' | 'DESC') =>
    source?.prepare(`SELECT * FROM ${name} ORDER BY ${key} ${order}`).iterate() ?? [];
  try {
    for (const row of rowsBy('ASC')) if (isGood(row)) yield row;
    return;
  } catch {
    // Rows behind a damaged page can be reached from the other end.
  }
  const behind: Row[] = [];
  try {
    for (const row of rowsBy('DESC')) if (isGood(row)) behind.push(row);
  } catch {
    // The same damaged page.
  }
  yield* behind.toReversed();
}

function countOf(rows: Iterable<Row>, adopt: (row: Row) => boolean): number {
  let adopted = 0;
  for (const row of rows) if (adopt(row)) adopted += 1;
  return adopted;
}
