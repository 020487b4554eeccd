/**
 * Where the rows of the list stand: as they came into it, so that nothing moves under a finger when something comes or
 * goes by itself. Whoever orders or searches has them anew.
 */
import { useMemo, useRef } from 'preact/hooks';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';

type Rows = readonly DocumentView[];

/** `reason`: what the order of the rows is by; with another one, nothing keeps its place. */
export function useInPlace(rows: Rows, reason: string): Rows {
  const kept = useRef<{ readonly reason: string; readonly places: Map<string, number> }>(undefined);
  return useMemo(() => {
    const known = kept.current?.reason === reason ? kept.current : { reason, places: new Map() };
    kept.current = known;
    return inPlace(rows, known.places);
  }, [rows, reason]);
}

/** Gives those a place that have none, behind the others. */
export function inPlace(rows: Rows, places: Map<string, number>): Rows {
  for (const { uuid } of rows) if (!places.has(uuid)) places.set(uuid, places.size);
  return rows.toSorted((one, other) => (places.get(one.uuid) ?? 0) - (places.get(other.uuid) ?? 0));
}
