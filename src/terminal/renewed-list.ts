/**
 * An open list after another look at the service. What somebody may be about to touch stays where it is: what is new
 * comes last, and what is gone keeps its place and says so.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Quote } from '../domain/balance.ts';
import type { Document } from '../domain/document.ts';
import type { Doubtful, LeftAlone, Sorted } from './sorted-documents.ts';
import type { TerminalContext } from './context.ts';

export interface RenewedList {
  readonly documents: Sorted;
  /** Of the documents that are still there as they were, from the first on. */
  readonly quotes: readonly Quote[];
  /** How many can be printed that were not there. */
  readonly arrived: number;
}

type Listed = Pick<TerminalContext, 'documents' | 'quotes' | 'dealtWith'>;

export function listAfter({ documents: before, quotes, dealtWith }: Listed, looked: Sorted): RenewedList {
  const isOpen = ({ uuid }: Document) => !dealtWith.has(uuid);
  const fresh = {
    releasable: looked.releasable.filter(isOpen),
    doubtful: looked.doubtful.filter(({ document }) => isOpen(document)),
    others: looked.others.filter(({ document }) => isOpen(document)),
  };
  const known = new Set(documentsOf(before).map(({ uuid }) => uuid));
  const found = new Set(documentsOf(fresh).map(({ uuid }) => uuid));
  const left = [...before.releasable, ...before.doubtful.map(({ document }) => document)].filter(
    ({ uuid }) => !found.has(uuid),
  );
  return {
    documents: {
      releasable: inPlace(fresh.releasable, { before: before.releasable, uuidOf: (one) => one.uuid }),
      doubtful: inPlace(fresh.doubtful, { before: before.doubtful, uuidOf }),
      others: [
        ...inPlace([...fresh.others, ...before.others.filter(({ document }) => !found.has(document.uuid))], {
          before: before.others,
          uuidOf,
        }),
        ...left.map((document) => ({ document, why: 'gone' as const })),
      ],
      mayBeMore: looked.mayBeMore,
      underOtherName: looked.underOtherName,
    },
    quotes: stillTrue(quotes, before.releasable, fresh.releasable),
    arrived: fresh.releasable.filter(({ uuid }) => !known.has(uuid)).length,
  };
}

/** Nothing is there that could be printed, asked about, or had later. */
export const isNothingLeft = ({ releasable, doubtful, others }: Sorted): boolean =>
  releasable.length === 0 &&
  doubtful.length === 0 &&
  others.every(({ why }) => why === 'gone' || why === 'already-printed');

const uuidOf = ({ document }: Doubtful | LeftAlone): string => document.uuid;

const documentsOf = ({
  releasable,
  doubtful,
  others,
}: Pick<Sorted, 'releasable' | 'doubtful' | 'others'>) => [
  ...releasable,
  ...[...doubtful, ...others].map(({ document }) => document),
];

/** Those of before in their order, then the others. */
function inPlace<One>(
  fresh: readonly One[],
  { before, uuidOf: nameOf }: { readonly before: readonly One[]; readonly uuidOf: (one: One) => string },
): readonly One[] {
  const places = new Map(before.map((one, place) => [nameOf(one), place]));
  const placeOf = (one: One): number => places.get(nameOf(one)) ?? before.length;
  return fresh.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Quotes stand in the order of the list, and end where a document has become another one. */
function stillTrue(
  quotes: readonly Quote[],
  before: readonly Document[],
  fresh: readonly Document[],
): readonly Quote[] {
  const now = new Map(fresh.map((one) => [one.uuid, one]));
  const kept: Quote[] = [];
  for (const [place, quote] of quotes.entries()) {
    const was = before[place];
    const is = was && now.get(was.uuid);
    if (is && !isDeepStrictEqual(is, was)) break;
    if (is) kept.push(quote);
  }
  return kept;
}
