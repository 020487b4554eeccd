/**
 * The entries of a document list, each accepted or left out (INVARIANTS.md B.4, 3 List). Pure: entries left out are
 * counted by their reason, and `ready-list.ts` logs the counts.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isoInstant, parseInstant } from '../../core/clock.ts';
import { hours } from '../../core/duration.ts';
import type { Document, Sides } from '../../domain/document.ts';
import { documentUuid } from '../../domain/document.ts';
import { plainTitle } from '../../domain/history.ts';

/**
 * `unusable`: no DocumentInfo · `not-ready`: another status than was asked for · `other-user`: not the token's user ·
 * `ambiguous`: the same uuid with different contents · `beyond-limit`: more entries than were asked for.
 */
type LeftOut = 'unusable' | 'not-ready' | 'other-user' | 'ambiguous' | 'beyond-limit';

export interface DocumentList {
  readonly documents: readonly Document[];
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>;
}

export const mostDocuments = 500;

const ready = 0;
const sidesOf: readonly Sides[] = ['one-sided', 'two-sided-long-edge', 'two-sided-short-edge'];
/** Large enough that a reader sees it as absurd, small enough to be shown. */
const largestCount = 1_000_000;

const listedNumber = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'number' ? value : undefined));

const believed = (value: number | undefined, least: number): number | undefined =>
  value !== undefined && value >= least ? Math.min(Math.floor(value), largestCount) : undefined;

const documentInfo = z.object({
  // The uuid becomes part of a path, where dots alone would be a step.
  uuid: z.string().regex(documentUuid).regex(/[^.]/),
  documentName: z.string().catch(''),
  userName: z.string().nullish(),
  status: z.int(),
  totalPages: listedNumber,
  colorPages: listedNumber,
  copies: listedNumber,
  grayscale: z.boolean().catch(false),
  duplex: z.int().optional().catch(undefined),
  paperSize: z.string().max(64).optional().catch(undefined),
  collate: z.boolean().optional().catch(undefined),
  storageOnline: z.boolean().catch(true),
  /** Milliseconds since 1970, from the number of the history's sample or an ISO text. */
  dateTime: z
    .union([z.number(), z.string().transform(parseInstant)])
    .optional()
    .catch(undefined),
});
type DocumentInfo = z.infer<typeof documentInfo>;

export interface ListReading {
  /** The user name of the login; an entry without a user name counts as theirs. */
  readonly owner: string | undefined;
  /** Wall time, milliseconds. */
  readonly now: number;
}

export function readDocuments(entries: readonly unknown[], { owner, now }: ListReading): DocumentList {
  const leftOut: Partial<Record<LeftOut, number>> = {};
  const leave = (reason: LeftOut, count = 1): void => {
    leftOut[reason] = (leftOut[reason] ?? 0) + count;
  };
  const byUuid = new Map<string, Document | 'ambiguous'>();

  for (const entry of entries.slice(0, mostDocuments)) {
    const info = documentInfo.safeParse(entry).data;
    if (info === undefined) leave('unusable');
    else if (info.status !== ready) leave('not-ready');
    else if (!belongsTo(info, owner)) leave('other-user');
    else if (!isSameAsBefore(byUuid, info.uuid, documentOf(info, now))) leave('ambiguous');
  }
  if (entries.length > mostDocuments) leave('beyond-limit', entries.length - mostDocuments);
  return { documents: [...byUuid.values()].filter((one) => one !== 'ambiguous'), leftOut };
}

/** Keeps the document. Gives false if an earlier entry for it differed; then neither counts. */
function isSameAsBefore(
  byUuid: Map<string, Document | 'ambiguous'>,
  uuid: string,
  document: Document,
): boolean {
  const before = byUuid.get(uuid);
  if (before === undefined || isDeepStrictEqual(before, document)) {
    byUuid.set(uuid, document);
    return true;
  }
  byUuid.set(uuid, 'ambiguous');
  return false;
}

/** The directories behind them spell user names in any case, and in any normal form of Unicode. */
const belongsTo = ({ userName }: DocumentInfo, owner: string | undefined): boolean =>
  !userName || owner === undefined || spelled(userName) === spelled(owner);
const spelled = (name: string): string => name.normalize('NFC').toLowerCase();

const documentOf = (info: DocumentInfo, now: number): Document => ({
  uuid: info.uuid,
  ...namesOf(info),
  totalPages: believed(info.totalPages, 1),
  colorPages: believed(info.colorPages, 0),
  copies: believed(info.copies, 1) ?? 1,
  grayscale: info.grayscale,
  sides: info.duplex === undefined ? undefined : sidesOf[info.duplex],
  paperSize: info.paperSize || undefined,
  collate: info.collate,
  storageOnline: info.storageOnline,
  sentAt: info.dateTime !== undefined && isSane(info.dateTime, now) ? isoInstant(info.dateTime) : undefined,
  listed: { totalPages: info.totalPages, colorPages: info.colorPages, paperSize: info.paperSize },
});

function namesOf({ documentName: title }: DocumentInfo): Pick<Document, 'name' | 'title'> {
  const name = plainTitle(title);
  return title === '' || name === title ? { name } : { name, title };
}

const isSane = (sentAt: number, now: number): boolean => sentAt >= earliest && sentAt <= now + clocksDiffer;
/** 2000-01-01T00:00Z */
const earliest = 946_684_800_000;
const clocksDiffer = hours(24);
