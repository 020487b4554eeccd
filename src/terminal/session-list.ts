/**
 * The documents of a session as their owner has them printed: those that a finger picked or the second badge stands for,
 * each as it was changed. The list itself stays as the service tells it; the changes go with the session (I3).
 */
import { fittingOf } from '../domain/balance.ts';
import type { Change } from '../domain/document-changes.ts';
import { changeTo, withChange } from '../domain/document-changes.ts';
import type { Document } from '../domain/document.ts';
import type { Changed, Picked, Said } from './events.ts';
import type { TerminalContext } from './context.ts';
import type { Doubtful } from './sorted-documents.ts';

/** By the document's uuid. */
export type Changes = ReadonlyMap<string, Change>;

export const noChanges: Changes = new Map();

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
  const costs = fittingOf(context.quotes)?.costs ?? [];
  return releasableOf(context).filter((_, index) => costs[index]?.fits ?? true);
}

/** Those that may be released, in the order of the list. */
export const pickedOf = (context: TerminalContext, picked: Picked): readonly Document[] =>
  picked.generation === context.generation
    ? releasableOf(context).filter(({ uuid }) => picked.documentUuids.includes(uuid))
    : [];

/** The document that was spoken of, while nobody knows whether it was printed. */
export function doubtfulOf(
  { generation, documents, changes }: TerminalContext,
  said: Said,
): Doubtful | undefined {
  if (said.generation !== generation) return undefined;
  const found = documents.doubtful.find(({ document }) => document.uuid === said.documentUuid);
  return found && { ...found, document: withChange(found.document, changes.get(said.documentUuid)) };
}

/** One more of them, in place of what was said of that document before; what leaves it as it was sent is none. */
export function changesWith(
  { documents, changes }: TerminalContext,
  { documentUuid, ...wanted }: Changed,
  port: { readonly monochrome: boolean },
): Changes {
  const changeable = [...documents.releasable, ...documents.doubtful.map(({ document }) => document)];
  const sent = changeable.find(({ uuid }) => uuid === documentUuid);
  const change = sent && changeTo(sent, wanted, port);
  const others = [...changes].filter(([uuid]) => uuid !== documentUuid);
  const isChange = change !== undefined && Object.keys(change).length > 0;
  return new Map(isChange ? [...others, [documentUuid, change]] : others);
}
