/**
 * The person's changes of the list so far: ticks, search, order, deletions. A document is deleted when the time for
 * undo is over, or when the person signs out on the page. Until then its row stays in its place. If the session ends in
 * another way before, the document is not deleted.
 */
import type { DocumentView } from '../../domain/terminal/terminal-view.ts';
import { foundBy } from '../../listener/page/found-by.ts';

/** `as-sent`: the oldest first. Without known times it is the order of the terminal's list. */
export type Order = 'as-sent' | 'newest' | 'name' | 'pages';

export interface Choice {
  readonly selected: ReadonlySet<string>;
  readonly query: string;
  readonly order: Order;
  /** Can still be undone. */
  readonly deleting: readonly string[];
  /** The terminal knows them; its next list is without them. */
  readonly deleted: ReadonlySet<string>;
}

export type ChoiceStep =
  | { readonly type: 'toggle'; readonly uuid: string }
  | { readonly type: 'select'; readonly uuids: readonly string[] }
  | { readonly type: 'tick'; readonly uuids: readonly string[] }
  | { readonly type: 'untick'; readonly uuids: readonly string[] }
  | { readonly type: 'search'; readonly query: string }
  | { readonly type: 'order'; readonly order: Order }
  | { readonly type: 'delete'; readonly uuid: string }
  | { readonly type: 'undo'; readonly uuid: string }
  | { readonly type: 'delete-sent'; readonly uuids: readonly string[] }
  | { readonly type: 'delete-refused'; readonly uuids: readonly string[] };

export const noChoice: Choice = {
  selected: new Set(),
  query: '',
  order: 'as-sent',
  deleting: [],
  deleted: new Set(),
};

export function choose(choice: Choice, step: ChoiceStep): Choice {
  const { selected, deleting, deleted } = choice;
  switch (step.type) {
    case 'toggle':
      return { ...choice, selected: selected.symmetricDifference(new Set([step.uuid])) };
    case 'select':
      return { ...choice, selected: new Set(step.uuids) };
    case 'tick':
      return { ...choice, selected: selected.union(new Set(step.uuids)) };
    case 'untick':
      return { ...choice, selected: selected.difference(new Set(step.uuids)) };
    case 'search':
      return { ...choice, query: step.query };
    case 'order':
      return { ...choice, order: step.order };
    case 'delete':
      return {
        ...choice,
        selected: selected.difference(new Set([step.uuid])),
        deleting: [...deleting, step.uuid],
      };
    case 'undo':
      return { ...choice, deleting: deleting.filter((uuid) => uuid !== step.uuid) };
    case 'delete-sent':
      return {
        ...choice,
        deleting: deleting.filter((uuid) => !step.uuids.includes(uuid)),
        deleted: deleted.union(new Set(step.uuids)),
      };
    default:
      return { ...choice, deleted: deleted.difference(new Set(step.uuids)) };
  }
}

export const isSelectable = ({ standing }: DocumentView): boolean => standing === 'releasable';

/** Documents that have not been deleted. */
export const remaining = (documents: readonly DocumentView[], { deleting, deleted }: Choice) =>
  documents.filter(({ uuid }) => !deleting.includes(uuid) && !deleted.has(uuid));

/**
 * The list as it is shown, searched and ordered, with the deletions that can be undone. `locale`: for the alphabetical
 * order.
 */
export function shown(
  documents: readonly DocumentView[],
  choice: Choice,
  locale: string,
): readonly DocumentView[] {
  const { query, order, deleted } = choice;
  const wanted = foundBy(query.trim(), locale);
  const found = documents.filter(
    ({ uuid, name }) => !deleted.has(uuid) && foundBy(name, locale).includes(wanted),
  );
  // ISO 8601 times in UTC are in the order of their letters. Without known times the given order stays.
  if (order === 'as-sent')
    return found.toSorted((a, b) => compareText(a.sentAt ?? unknown, b.sentAt ?? unknown));
  if (order === 'newest') return found.toSorted((a, b) => compareText(b.sentAt ?? '', a.sentAt ?? ''));
  if (order === 'pages') return found.toSorted((a, b) => (a.pages ?? 0) - (b.pages ?? 0));
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return found.toSorted((a, b) => compare(a.name, b.name));
}

/** Comes after every time. */
const unknown = '~';

const compareText = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
