/**
 * The columns that name a person – job-name and history record – are always sealed, under the key of their release
 * (`row-keys.ts`): `<slot>.<base64>`, bound to the release and to the kind of column. When the key is destroyed, no
 * file, log or block that ever held the column reveals it (INVARIANTS.md I4, I5).
 */
import { Problem } from '../../domain/problem/problem.ts';
import type { Database } from '../database.ts';
import type { RowKeyReading, RowKeys } from './row-keys.ts';

type Kind = 'job-name' | 'history' | 'marks';

export interface Personal {
  readonly kind: Kind;
  readonly releaseId: string;
}

const purposeOf = ({ kind, releaseId }: Personal): string => `${kind} of release ${releaseId}`;

const form = /^(\d{1,9})\.([A-Za-z0-9+/]+=*)$/;

/** `undefined` if the column is not sealed. */
export function slotOf(column: string): number | undefined {
  const slot = form.exec(column)?.[1];
  return slot === undefined ? undefined : Number(slot);
}

export const sealed = (keys: RowKeys, slot: number, what: Personal, text: string): string =>
  `${slot}.${keys.sealing(slot).seal(purposeOf(what), text).toString('base64')}`;

/** Uses the key that the column has already. */
export function sealedAnew(keys: RowKeys, what: Personal, column: string, text: string): string {
  return sealed(keys, required(slotOf(column), what), what, text);
}

/** `undefined` if no copy of its key opens it. */
export function opened(
  keys: RowKeyReading,
  what: Personal,
  column: string,
): { readonly text: string; readonly slot: number; readonly copy: number } | undefined {
  const [, slot, content] = form.exec(column) ?? [];
  if (slot === undefined || content === undefined) return undefined;
  const bytes = Buffer.from(content, 'base64');
  for (const [copy, unsealing] of keys.unsealings(Number(slot)).entries()) {
    const found = unsealing.unseal(purposeOf(what), bytes);
    if (found.kind === 'text') return { text: found.text, slot: Number(slot), copy };
  }
  return undefined;
}

/** Throws `store-failed`: the start has opened all columns, so the file has changed since. */
export const textIn = (keys: RowKeyReading, what: Personal, column: string): string =>
  required(opened(keys, what, column), what).text;

function required<Found>(found: Found | undefined, what: Personal): Found {
  if (found === undefined) throw new Problem('store-failed', `the ${purposeOf(what)} cannot be opened`);
  return found;
}

/** The slots of existing rows, and for each the copy of its key that opens it. */
export function keysInUse(database: Database, keys: RowKeyReading): ReadonlyMap<number, number> {
  const used = new Map<number, number>();
  for (const { column, ...what } of personalColumns(database)) {
    const { slot, copy } = required(opened(keys, what, column), what);
    used.set(slot, copy);
  }
  return used;
}

export function* personalColumns(database: Database): Generator<Personal & { readonly column: string }> {
  const columns = database.prepare(`
    SELECT 'job-name' AS kind, release_id, job_name AS text FROM attempt WHERE job_name IS NOT NULL UNION ALL
    SELECT 'history', release_id, history FROM attempt WHERE history IS NOT NULL UNION ALL
    SELECT 'history', release_id, record FROM outbox`);
  for (const { kind, release_id, text } of columns.iterate()) {
    yield {
      kind: kind === 'job-name' ? kind : 'history',
      releaseId: String(release_id),
      column: String(text),
    };
  }
}
