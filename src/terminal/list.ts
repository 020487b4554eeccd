/**
 * The documents of a session as their owner has them printed: those that a finger picked or the second badge stands for,
 * each as it was changed, and what is left of the list after each step. What somebody may be about to touch stays where it
 * is: what is new comes last, and what is gone keeps its place and says so.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Quote } from '../domain/balance.ts';
import { fittingOf } from '../domain/balance.ts';
import { changeTo, withChange } from '../domain/document-changes.ts';
import type { Document } from '../domain/document.ts';
import type { PageRange } from '../domain/page-range.ts';
import { onlyPages } from '../domain/missing-pages.ts';
import type { Said } from '../domain/terminal/persons-word.ts';
import type { DocumentEnd } from '../release/session-progress.ts';
import { noticeOfEnd, withEnd, withWishes } from '../release/session-progress.ts';
import type { Changes, Doubtful, LeftAlone, Sorted, TerminalContext, Wish } from './context.ts';

/** What may be printed without a further word, in the order of the list. */
export const releasableOf = ({
  documents,
  changes,
}: Pick<TerminalContext, 'documents' | 'changes'>): readonly Document[] =>
  documents.releasable.map((document) => withChange(document, changes.get(document.uuid)));

/** What the second badge asks for: all that may be released, but for what was quoted as too dear. */
export function wantedOf(
  context: Pick<TerminalContext, 'documents' | 'changes' | 'quotes'>,
): readonly Document[] {
  if (context.documents.isRefusedHere) return [];
  const costs = fittingOf(context.quotes)?.costs ?? [];
  return releasableOf(context).filter((_, index) => costs[index]?.fits ?? true);
}

/** Those that may be released, in the order of the list. */
export const pickedOf = (context: TerminalContext, picked: Said<'release'>): readonly Document[] =>
  picked.generation === context.generation
    ? releasableOf(context).filter(({ uuid }) => picked.documentUuids.includes(uuid))
    : [];

/** Those of them that are released. */
export const releasedOf = (context: TerminalContext, picked: Said<'release'>): readonly Document[] =>
  context.documents.isRefusedHere ? [] : pickedOf(context, picked);

/** The document that was spoken of, while nobody knows whether it was printed. */
export function doubtfulOf(
  { generation, documents, changes }: TerminalContext,
  said: Said<'print-again'>,
): Doubtful | undefined {
  if (said.generation !== generation) return undefined;
  const found = documents.doubtful.find(({ document }) => document.uuid === said.documentUuid);
  return found && { ...found, document: withChange(found.document, changes.get(said.documentUuid)) };
}

/** What is missing of it by all that is known; who wants several copies by now gets all of it, or nothing. */
export const missingOf = (
  { changes }: Pick<TerminalContext, 'changes'>,
  { document, missing }: Doubtful,
): PageRange | undefined =>
  withChange(document, changes.get(document.uuid)).copies === 1 ? missing : undefined;

/** Just these pages of the document that was spoken of, in answer to an offer of just these. */
export function missingWish(context: TerminalContext, said: Said<'print-missing'>): Wish | undefined {
  const found = context.documents.isRefusedHere ? undefined : doubtfulOf(context, said);
  const missing = found && missingOf(context, found);
  if (!found || missing?.from !== said.from || missing.to !== said.to) return undefined;
  const { document, releaseId: again } = found;
  const picked = { ...missing, of: document.totalPages ?? missing.to };
  return { document: onlyPages(document, missing), again, picked };
}

/** The document that was spoken of, which can be printed, or printed again. */
export const shownOf = (context: TerminalContext, said: Said<'print-again'>): Document | undefined =>
  doubtfulOf(context, said)?.document ??
  pickedOf(context, { generation: said.generation, documentUuids: [said.documentUuid] })[0];

/** One more of them, in place of what was said of that document before; what leaves it as it was sent is none. */
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

/** To be handed over. */
export const allWished = (context: TerminalContext) => ({
  wantsAll: true,
  wishes: wantedOf(context).map((document) => ({ document })),
});

/** It was learned late: what they see stays, and is printed no more. */
export const refusedHere = ({ documents }: TerminalContext) => ({
  documents: { ...documents, isRefusedHere: true as const },
  awaitsFirst: false,
});

/** What was handed over is in the list no more. */
export function handedOver({ wishes, releasing, progress, documents, notice, printer }: TerminalContext) {
  const handed = wishes.map(({ document }) => document);
  return {
    awaitsFirst: false,
    wishes: [],
    quotes: [],
    // What was met before is tried again, and told anew if it is met again.
    notice: progress.some(({ code }) => code === notice?.code) ? undefined : notice,
    releasing: [...releasing, ...handed],
    progress: withWishes(progress, handed, printer),
    documents: without(documents, handed),
  };
}

/** A release of the session has ended. */
export const afterEnd = ({ releasing, returned, progress, notice }: TerminalContext, end: DocumentEnd) => ({
  releasing: releasing.filter(({ uuid }) => uuid !== end.documentUuid),
  returned: [
    ...returned,
    ...releasing.filter(({ uuid }) => uuid === end.documentUuid && end.stage === 'failed'),
  ],
  progress: withEnd(progress, end),
  notice: noticeOfEnd(end) ?? notice,
});

/** As the service told it. */
export const freshList = (documents: Sorted) =>
  ({ documents, list: 'fresh', returned: [], quotes: [], dealtWith: new Set<string>() }) as const;

/** The service does not tell it again: it stays, with what came back to it since. */
export const staleList = ({ documents, returned }: TerminalContext) =>
  ({
    documents: { ...documents, releasable: [...documents.releasable, ...returned] },
    list: 'stale',
    returned: [],
    quotes: [],
    wantsAll: false,
  }) as const;

/** Dealt with, they leave the list at once, whatever the service lists for a while. */
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
  /** Of the documents that are still there as they were, from the first on. */
  readonly quotes: readonly Quote[];
  /** How many can be printed that were not there. */
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

/** Nothing is there that could be printed, asked about, or had later. */
export const isNothingLeft = ({ releasable, doubtful, others }: Sorted): boolean =>
  releasable.length === 0 &&
  doubtful.length === 0 &&
  others.every(({ why }) => why === 'gone' || why === 'already-printed');

/** All that was wanted came out, as far as anybody can tell, and nothing is left: whoever it was takes their pages. */
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
