/** The content of the list: the documents, searched and ordered, and their progress in this session. */
import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { DocumentProgress, DocumentView, DoubtView } from '../../../domain/terminal/terminal-view.ts';
import type { Frame } from '../../frame.ts';
import type { Choice } from '../choice.ts';
import { isSelectable, remaining, shown } from '../choice.ts';
import { useWords } from '../languages/words.ts';
import { every, now } from '../../../listener/page/clock.ts';
import { isDone, resultsOf } from './document-result.tsx';

export interface Listed {
  readonly rows: readonly DocumentView[];
  /** Rows that only keep their place: these documents are no longer in the list. */
  readonly gone: ReadonlySet<string>;
  /** The rows without those, and without documents that will be deleted. */
  readonly found: readonly DocumentView[];
  /** Documents that can be printed, and the ticked ones of them. */
  readonly open: readonly DocumentView[];
  readonly selected: readonly DocumentView[];
  /** By document: when and where it may have been printed; and the progress of its last release. */
  readonly doubts: ReadonlyMap<string, DoubtView>;
  readonly stages: ReadonlyMap<string, DocumentProgress>;
  /** Documents that are no longer in the list. */
  readonly done: readonly DocumentProgress[];
  readonly notDone: readonly DocumentProgress[];
  readonly isSearching: boolean;
}

type Session = Pick<Frame, 'mayHavePrinted' | 'progress'>;

export function useListed(
  documents: readonly DocumentView[],
  choice: Choice,
  { mayHavePrinted = [], progress = [] }: Session,
): Listed {
  const { language } = useWords();
  const { order, query } = choice;
  const failed = new Set(progress.filter(({ stage }) => stage === 'failed').map((one) => one.documentUuid));
  const inOrder = useMemo(() => {
    const rows = shown(documents, choice, language.code);
    const isFirst = ({ uuid }: DocumentView) => order === 'as-sent' && failed.has(uuid);
    return [...rows.filter(isFirst), ...rows.filter((one) => !isFirst(one))];
  }, [documents, choice, language]);
  const open = remaining(documents, choice).filter(isSelectable);
  // If a document was released twice, the last release counts.
  const stages = new Map(progress.map((one) => [one.documentUuid, one]));
  const results = resultsOf([...stages.values()], new Set(documents.map(({ uuid }) => uuid)));
  const { rows, gone } = useInPlace(inOrder, `${order} ${query} ${language.code}`);
  return {
    rows,
    gone,
    found: remaining(inOrder, choice),
    open,
    selected: open.filter(({ uuid }) => choice.selected.has(uuid)),
    doubts: new Map(mayHavePrinted.map((one) => [one.documentUuid, one])),
    stages,
    done: results.filter(isDone),
    notDone: results.filter((one) => !isDone(one)),
    isSearching: query.trim() !== '',
  };
}

/**
 * The places of the rows. A row keeps its first place, so that nothing moves under a finger when other rows come or go.
 * A row that is gone keeps its place until no finger is near. A new order or search places all rows again.
 */
type Rows = readonly DocumentView[];

interface InPlace {
  readonly rows: Rows;
  /** The rows that are no longer in the list. */
  readonly gone: ReadonlySet<string>;
}

/** Milliseconds. */
const betweenLooks = 250;

/** `reason`: the order and search. With a new reason no row keeps its place. */
function useInPlace(listed: Rows, reason: string): InPlace {
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

/** Rows without a place are added at the end. */
function inPlace(rows: Rows, places: Map<string, number>): Rows {
  for (const { uuid } of rows) if (!places.has(uuid)) places.set(uuid, places.size);
  return rows.toSorted((one, other) => (places.get(one.uuid) ?? 0) - (places.get(other.uuid) ?? 0));
}

/** After this time no second tap comes. Milliseconds. */
const untilRested = 1_000;

/** Returns whether no finger is on the screen, and none was there a moment ago. */
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
