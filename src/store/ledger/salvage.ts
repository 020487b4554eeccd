/**
 * Brings what can be trusted of quarantined books into the ones that took their place (reliability.md B.4 table 9): each
 * row whose checksum is good. Read-only there; here one transaction, that can be repeated.
 */
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { isoInstant } from '../../core/clock.ts';
import { hours, seconds } from '../../core/duration.ts';
import { outcomeOf } from '../../domain/release.ts';
import { attemptShape, crcOfAttempt, createAttempts } from './attempts.ts';
import { endState, isEndState } from '../columns.ts';
import type { Database } from '../database.ts';
import { databaseName, isEmptyFile, openDatabaseReadOnly } from '../database.ts';
import type { EventChain, Head } from './event-chain.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { crcOfOutboxRow } from '../outbox/outbox.ts';
import { crcOfPast, createPast } from './past.ts';
import { opened, sealed, slotOf } from '../sealed/personal-columns.ts';
import type { QuarantineFolder, Salvaged } from './quarantine.ts';
import type { RowKeys } from '../sealed/row-keys.ts';
import { readRowKeys, rowKeysName } from '../sealed/row-keys.ts';

type Row = Readonly<Record<string, unknown>>;

export interface SalvageOptions {
  readonly database: Database;
  readonly chain: EventChain;
  readonly rowKeys: RowKeys;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/** As long as an unknown outcome waits for a person's word unless the configuration says otherwise. */
const unknownHold = hours(24);

export function salvage(
  folder: QuarantineFolder,
  options: SalvageOptions,
): { salvaged: Salvaged; head: Head } {
  const { database, chain, rowKeys, outbox, clock } = options;
  const oldKeys = readRowKeys(join(folder.path, rowKeysName));
  const attempts = createAttempts(database);
  const past = createPast(database);
  const stateOf = database.prepare('SELECT state FROM attempt WHERE release_id = ?');
  const youngest = database.prepare('SELECT coalesce(max(id), 0) AS id FROM attempt');

  /** What was under way has ended in a way that nobody can tell any more; its record waits as of any such. */
  function adoptAttempt(row: Row): boolean {
    const { data: found } = attemptShape.safeParse(row);
    if (!found || stateOf.get(found.release_id)) return false;
    const { state, release_id: releaseId, terminal, history } = found;
    if (isEndState(state)) {
      attempts.insert(found);
      return true;
    }
    const end = {
      state: 'UNKNOWN',
      ended_at: isoInstant(clock.now()),
      problem: 'ledger-quarantined',
    } as const;
    attempts.insert({ ...found, ...end, job_name: null, history: null });
    if (history !== null && state !== 'SERVICE-INTENT') {
      resealed(releaseId, history, (record) => {
        outbox.add({ releaseId, terminal, record, holdFor: unknownHold });
        return true;
      });
    }
    return true;
  }

  /** Under a key of the new books; what no key of the old ones opens was accepted, or is lost with the key. */
  function resealed(releaseId: string, column: string, adopt: (record: string) => boolean): boolean {
    const what = { kind: 'history', releaseId } as const;
    const text = slotOf(column) === undefined ? column : opened(oldKeys, what, column)?.text;
    return text !== undefined && rowKeys.spend((slot) => adopt(sealed(rowKeys, slot, what, text)));
  }

  /** How long it was held already, those books cannot tell any more: what is unknown waits as long as any such. */
  function adoptRecord(row: Row): boolean {
    const releaseId = String(row['release_id']);
    const { data: state } = endState.safeParse(stateOf.get(releaseId)?.['state']);
    const holdFor = state && outcomeOf[state] === 'unknown' ? unknownHold : seconds(0);
    return resealed(releaseId, String(row['record']), (record) => outbox.adopt({ ...row, record }, holdFor));
  }

  return database.transaction(() => {
    using source = openSource(join(folder.path, databaseName));
    const salvaged = {
      releases: countOf(goodRows(source, 'attempt', 'id', crcOfAttempt), adoptAttempt),
      records: countOf(goodRows(source, 'outbox', 'id', crcOfOutboxRow), adoptRecord),
      documents: countOf(goodRows(source, 'past', 'document', crcOfPast), past.adopt),
      lastAttempt: Number(youngest.get()?.['id']),
    };
    const facts = { folder: folder.name, reason: folder.reason, ...salvaged };
    return { salvaged, head: chain.append({ state: 'QUARANTINED', facts }) };
  });
}

/** `undefined`: so damaged that it does not open. */
function openSource(path: string): Database | undefined {
  if (isEmptyFile(path)) return undefined;
  try {
    return openDatabaseReadOnly(path);
  } catch {
    return undefined;
  }
}

/** In the order they were written in, but for those in a hole. Rows met from both ends are adopted once. */
function* goodRows(
  source: Database | undefined,
  name: 'attempt' | 'outbox' | 'past',
  key: string,
  crcOf: (row: Row) => number,
): Generator<Row> {
  // Before version 3 rows had no checksum, and are believed.
  const isGood = (row: Row): boolean => row['crc'] === undefined || row['crc'] === crcOf(row);
  const rowsBy = (order: 'ASC' | 'DESC') =>
    source?.prepare(`SELECT * FROM ${name} ORDER BY ${key} ${order}`).iterate() ?? [];
  try {
    for (const row of rowsBy('ASC')) if (isGood(row)) yield row;
    return;
  } catch {
    // What lies behind a damaged page can be reached from the other end.
  }
  const behind: Row[] = [];
  try {
    for (const row of rowsBy('DESC')) if (isGood(row)) behind.push(row);
  } catch {
    // The same page.
  }
  yield* behind.toReversed();
}

function countOf(rows: Iterable<Row>, adopt: (row: Row) => boolean): number {
  let adopted = 0;
  for (const row of rows) if (adopt(row)) adopted += 1;
  return adopted;
}
