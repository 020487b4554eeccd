/**
 * The documents of a session as their owner wants them printed: picked by a finger, or all of them by the second badge,
 * each with its changes. The file also keeps the rest of the list after each step. A document that a person may be
 * about to touch keeps its place. New documents come last, and a document that is gone stays in its place and says so.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Quote } from '../domain/balance.ts';
import { fittingOf } from '../domain/balance.ts';
import { changeTo, withChange } from '../domain/document-changes.ts';
import type { Document } from '../domain/document.ts';
import type { PageRange } from '../domain/page-range.ts';
import { onlyPages } from '../domain/page-range.ts';
import type { Said } from '../domain/terminal/persons-word.ts';
import type { DocumentEnd } from './session-progress.ts';
import { noticeOfEnd, withEnd, withWishes } from './session-progress.ts';
import type { TerminalContext } from './context.ts';
import type { Changes, Doubtful, LeftAlone, Sorted, Wish } from './given.ts';

/** The documents that may be printed without a further word, in the order of the list. */
export const releasableOf = ({
  documents,
  changes,
}: Pick<TerminalContext, 'documents' | 'changes'>): readonly Document[] =>
  documents.releasable.map((document) => withChange(document, changes.get(document.uuid)));

/** The documents that the second badge asks for: all releasable ones, except those whose quote is too dear. */
export function wantedOf(
  context: Pick<TerminalContext, 'documents' | 'changes' | 'quotes'>,
): readonly Document[] {
  if (context.documents.isRefusedHere) return [];
  const costs = fittingOf(context.quotes)?.costs ?? [];
  return releasableOf(context).filter((_, index) => costs[index]?.fits ?? true);
}

/** The picked documents that may be released, in the order of the list. */
export const pickedOf = (context: TerminalContext, picked: Said<'release'>): readonly Document[] =>
  picked.generation === context.generation
    ? releasableOf(context).filter(({ uuid }) => picked.documentUuids.includes(uuid))
    : [];

/** The picked documents that are in fact released. */
export const releasedOf = (context: TerminalContext, picked: Said<'release'>): readonly Document[] =>
  context.documents.isRefusedHere ? [] : pickedOf(context, picked);

/** The document of this word, if it is not known whether it was printed. */
export function doubtfulOf(
  { generation, documents, changes }: TerminalContext,
  said: Said<'print-again'>,
): Doubtful | undefined {
  if (said.generation !== generation) return undefined;
  const found = documents.doubtful.find(({ document }) => document.uuid === said.documentUuid);
  return found && { ...found, document: withChange(found.document, changes.get(said.documentUuid)) };
}

/**
 * The missing pages by all that is known. A person who wants several copies now, or chose pages, gets what they wished,
 * or nothing.
 */
export function missingOf(
  { changes }: Pick<TerminalContext, 'changes'>,
  { document, missing }: Doubtful,
): PageRange | undefined {
  const change = changes.get(document.uuid);
  return withChange(document, change).copies === 1 && change?.pages === undefined ? missing : undefined;
}

/** A wish for only the missing pages, if the view offered that. */
export function missingWish(context: TerminalContext, said: Said<'print-missing'>): Wish | undefined {
  const found = context.documents.isRefusedHere ? undefined : doubtfulOf(context, said);
  const missing = found && missingOf(context, found);
  if (!found || missing?.from !== said.from || missing.to !== said.to) return undefined;
  const { document, releaseId: again } = found;
  const picked = { ...missing, of: document.totalPages ?? missing.to };
  return { document: onlyPages(document, [missing]), again, picked };
}

/** The document of this word, if it can be printed, or printed again. */
export const shownOf = (context: TerminalContext, said: Said<'print-again'>): Document | undefined =>
  doubtfulOf(context, said)?.document ??
  pickedOf(context, { generation: said.generation, documentUuids: [said.documentUuid] })[0];

/** Replaces the former change of that document. A change that leaves the document as it was sent is removed. */
export function changesWith(
  { documents, changes }: TerminalContext,
  { documentUuid, ...wanted }: Said<'change'>,
  port: { readonly monochrome: boolean },
): Changes {
  const changeable = [...documents.releasable, ...documents.doubtful.map(({ document }) => document)];
  const sent = changeable.find(({ uuid }) => uuid === documentUuid);
  const change = sent && changeTo(sent, wanted, port);
  const others = [...changes].filter(([uuid]) => uuid !== documentUuid);
  const isChange = change !== undefined && Object.keys(change).length > 0;
  return new Map(isChange ? [...others, [documentUuid, change]] : others);
}

export const allWished = (context: TerminalContext) => ({
  wantsAll: true,
  wishes: wantedOf(context).map((document) => ({ document })),
});

/** The refusal came late. The documents that the person sees stay, but can no longer be printed. */
export const refusedHere = ({ documents }: TerminalContext) => ({
  documents: { ...documents, isRefusedHere: true as const },
  awaitsFirst: false,
});

/** Documents that were handed over leave the list. */
export function handedOver({ wishes, releasing, progress, documents, notice, printer }: TerminalContext) {
  const handed = wishes.map(({ document }) => document);
  return {
    awaitsFirst: false,
    wishes: [],
    quotes: [],
    // An earlier problem is tried again. If it is met again, it is told again.
    notice: progress.some(({ code }) => code === notice?.code) ? undefined : notice,
    releasing: [...releasing, ...handed],
    progress: withWishes(progress, handed, printer),
    documents: without(documents, handed),
  };
}

export const afterEnd = ({ releasing, returned, progress, notice }: TerminalContext, end: DocumentEnd) => ({
  releasing: releasing.filter(({ uuid }) => uuid !== end.documentUuid),
  returned: [
    ...returned,
    ...releasing.filter(({ uuid }) => uuid === end.documentUuid && end.stage === 'failed'),
  ],
  progress: withEnd(progress, end),
  notice: noticeOfEnd(end) ?? notice,
});

/** The list as the service told it. */
export const freshList = (documents: Sorted) =>
  ({ documents, list: 'fresh', returned: [], quotes: [], dealtWith: new Set<string>() }) as const;

/** The service does not tell the list again. The old list stays, with the documents that came back since. */
export const staleList = ({ documents, returned }: TerminalContext) =>
  ({
    documents: { ...documents, releasable: [...documents.releasable, ...returned] },
    list: 'stale',
    returned: [],
    quotes: [],
    wantsAll: false,
  }) as const;

/** Documents that were dealt with leave the list at once, even if the service still lists them for a while. */
export const afterDealingWith = (
  context: Pick<TerminalContext, 'documents' | 'dealtWith'>,
  gone: readonly Document[],
) => ({
  dealtWith: new Set([...context.dealtWith, ...gone.map(({ uuid }) => uuid)]),
  documents: without(context.documents, gone),
});

function without(documents: Sorted, gone: readonly Document[]): Sorted {
  const isLeft = ({ uuid }: Document) => !gone.some((one) => one.uuid === uuid);
  return {
    ...documents,
    releasable: documents.releasable.filter(isLeft),
    doubtful: documents.doubtful.filter(({ document }) => isLeft(document)),
  };
}

export interface RenewedList {
  readonly documents: Sorted;
  /** Quotes for the documents that are still there unchanged, from the first one on. */
  readonly quotes: readonly Quote[];
  /** The number of printable documents that are new. */
  readonly arrived: number;
}

type Listed = Pick<TerminalContext, 'documents' | 'quotes' | 'dealtWith'>;

/** An open list after another look at the service. */
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
      ...(before.isRefusedHere && { isRefusedHere: true }),
    },
    quotes: stillTrue(quotes, before.releasable, fresh.releasable),
    arrived: fresh.releasable.filter(({ uuid }) => !known.has(uuid)).length,
  };
}

export const offersNothing = ({ documents }: TerminalContext): boolean => documents.releasable.length === 0;

/** There is no document to print, to ask about, or to have later. */
export const isNothingLeft = ({ releasable, doubtful, others }: Sorted): boolean =>
  releasable.length === 0 &&
  doubtful.length === 0 &&
  others.every(({ why }) => why === 'gone' || why === 'already-printed');

/** Everything that was wanted came out, as far as can be known, and nothing is left. The person takes the pages. */
export const isAllDone = ({ documents, releasing, progress }: TerminalContext): boolean =>
  isNothingLeft(documents) &&
  releasing.length === 0 &&
  progress.length > 0 &&
  progress.every(({ stage }) => stage === 'printed' || stage === 'handed-over');

const uuidOf = ({ document }: Doubtful | LeftAlone): string => document.uuid;

const documentsOf = ({
  releasable,
  doubtful,
  others,
}: Pick<Sorted, 'releasable' | 'doubtful' | 'others'>) => [
  ...releasable,
  ...[...doubtful, ...others].map(({ document }) => document),
];

/** The earlier documents in their order, then the new ones. */
function inPlace<One>(
  fresh: readonly One[],
  { before, uuidOf: nameOf }: { readonly before: readonly One[]; readonly uuidOf: (one: One) => string },
): readonly One[] {
  const places = new Map(before.map((one, place) => [nameOf(one), place]));
  const placeOf = (one: One): number => places.get(nameOf(one)) ?? before.length;
  return fresh.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Quotes are in the order of the list. They end at the first document that was replaced by another one. */
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
