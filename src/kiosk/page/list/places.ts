/**
 * Where the rows of the list stand: as they came into it, so that nothing moves under a finger when something comes or
 * goes by itself. What is gone keeps its place until no finger is near; whoever orders or searches has them anew.
 */
import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import { every, now } from '../../../listener/page/clock.ts';

type Rows = readonly DocumentView[];

interface InPlace {
  readonly rows: Rows;
  /** Those of them that are listed no more. */
  readonly gone: ReadonlySet<string>;
}

/** Milliseconds. */
const betweenLooks = 250;

/** `reason`: what the order of the rows is by; with another one, nothing keeps its place. */
export function useInPlace(listed: Rows, reason: string): InPlace {
  const kept = useRef<{ readonly reason: string; readonly places: Map<string, number>; rows: Rows }>(
    undefined,
  );
  const isRested = useFinger();
  const [rests, rest] = useReducer((before: number) => before + 1, 0);
  const inPlaces = useMemo(() => {
    const known =
      kept.current?.reason === reason ? kept.current : { reason, places: new Map(), rows: [] as Rows };
    kept.current = known;
    const here = new Set(listed.map(({ uuid }) => uuid));
    const gone = isRested() ? [] : known.rows.filter(({ uuid }) => !here.has(uuid));
    known.rows = inPlace([...listed, ...gone], known.places);
    return { rows: known.rows, gone: new Set(gone.map(({ uuid }) => uuid)) };
  }, [listed, reason, rests]);
  const isAnyGone = inPlaces.gone.size > 0;
  useEffect(
    () => (isAnyGone ? every(betweenLooks, () => isRested() && rest(undefined)) : undefined),
    [isAnyGone],
  );
  return inPlaces;
}

/** Gives those a place that have none, behind the others. */
export function inPlace(rows: Rows, places: Map<string, number>): Rows {
  for (const { uuid } of rows) if (!places.has(uuid)) places.set(uuid, places.size);
  return rows.toSorted((one, other) => (places.get(one.uuid) ?? 0) - (places.get(other.uuid) ?? 0));
}

/** Who taps twice, or a little beside, has done so by then. Milliseconds. */
const untilRested = 1_000;

/** Answers whether no finger is on the screen, nor was a moment ago and may come again at once. */
function useFinger(): () => boolean {
  const isDown = useRef(false);
  const lastSeen = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const seen = ({ type }: PointerEvent): void => {
      isDown.current = type === 'pointerdown';
      lastSeen.current = now();
    };
    const kinds = ['pointerdown', 'pointerup', 'pointercancel'] as const;
    for (const kind of kinds) addEventListener(kind, seen, { capture: true });
    return () => {
      for (const kind of kinds) removeEventListener(kind, seen, { capture: true });
    };
  }, []);
  return useRef(() => !isDown.current && now() - lastSeen.current >= untilRested).current;
}
