/**
 * A release, the states of its attempt in the ledger, and the judgement of its outcome. The states are those of
 * INVARIANTS.md B.1, and the outcomes are those of the contract, section 3.
 */
import type { Document, DocumentStatus, Sides } from './document.ts';
import type { Change } from './document-changes.ts';
import type { PickedPages } from './page-range.ts';
import type { TraceSoFar } from './release-trace.ts';
import type { User, UserToken } from './user.ts';

/** The wish to print one document, with everything that the release needs after the session has ended. */
export interface Ticket {
  /** 32 hex digits; its first eight are the short id in the job-name. */
  readonly releaseId: string;
  readonly terminal: string;
  /** The name of the printer, if the terminal has several. */
  readonly printer?: string;
  readonly sessionId: string;
  /** As it is to be printed. */
  readonly document: Document;
  /** The changes that its owner made at the terminal. It is printed with them, or not at all. */
  readonly changed?: Change;
  /** Only these fields, because the ticket outlives their session. */
  readonly user: Pick<User, 'id' | 'providerId' | 'userName'>;
  readonly token: UserToken;
  /** The output port's own wish, in addition to those of the document. */
  readonly monochrome: boolean;
  readonly sendUsername: boolean;
  /**
   * The release that this one repeats by a person's explicit word, after they were told that it may have printed (I1,
   * B.1).
   */
  readonly again?: string;
  /** Another member made that release, so this gateway's own ledger need not know it (F5). */
  readonly isAgainElsewhere?: true;
  /** Only these pages; `document` has no others. */
  readonly picked?: PickedPages;
  /** The times before the wish. */
  readonly trace?: TraceSoFar;
}

export const shortReleaseId = (releaseId: string): string => releaseId.slice(0, 8);

/** A name in IPP has at most 255 octets (RFC 8011 section 5.1.3). */
export const longestName = 255;

/**
 * `Report.pdf [7f3a9c21]`: by the short id a restart finds a job whose id it could not store. If a printer is known to
 * cut names after so many octets, and would cut this one, the id comes first: `[7f3a9c21] Report.pdf`. It is then
 * repeated at the end if the document's own name contains something like an id (`Minutes [20240115]`), because the last
 * one counts.
 */
export function jobName(documentName: string, releaseId: string, cutAt = longestName): string {
  const mark = `[${shortReleaseId(releaseId)}]`;
  const most = longestName - mark.length - 1;
  const name = cutToOctets(documentName, most);
  const isCut = Buffer.byteLength(name) > cutAt - mark.length - 1 && cutAt < longestName;
  if (!isCut) return `${name} ${mark}`;
  const inFront = `${mark} ${name}`;
  return shortIdsIn(inFront).length === 1
    ? inFront
    : `${cutToOctets(inFront, longestName - mark.length - 1)} ${mark}`;
}

const shortId = /\[([0-9a-f]{8})\]/gi;

/** The ids in brackets, as `jobName` writes them, in their order. The last one of a job-name is ours. */
export const shortIdsIn = (name: string): readonly string[] =>
  [...name.matchAll(shortId)].map(([, id = '']) => id.toLowerCase());

/**
 * The longest beginning of the text that fits in so many UTF-8 octets without splitting a character. Characters that
 * move a cursor or change the direction of text are removed (RFC 5198 section 2; INVARIANTS.md T15), because printers
 * show the name on their panels.
 */
export function cutToOctets(text: string, octets: number): string {
  let used = 0;
  let end = 0;
  const plain = text.toWellFormed().replace(invisible, '');
  for (const character of plain) {
    used += Buffer.byteLength(character);
    if (used > octets) break;
    end += character.length;
  }
  return plain.slice(0, end);
}

/** Controls, line and paragraph separators, and format characters, except the joiners, which some scripts need. */
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export type Outcome = 'completed' | 'failed' | 'unknown';
export type Confirmation = 'device' | 'spooler' | 'handed-over';

/**
 * The side that brings a document to the printer. `local`: this terminal · `cloud`: the service, asked by the terminal
 * · `cloud-then-local`: the service, and this terminal if the service definitely refuses.
 */
export type DeliveryMode = 'local' | 'cloud' | 'cloud-then-local';

/**
 * The fate of a document in the cloud after its release has completed; `consume`: the service counts it as released.
 */
export type FinishMode = 'delete' | 'consume' | 'keep';

/**
 * Ledger states on the way. From INTENT on, the document may be in the printer, whatever happens to us. SERVICE-INTENT
 * is the same for a delivery by the service. If the service refused, and only then, SERVICE-REFUSED follows.
 */
export type OpenState =
  | 'PLANNED'
  | 'SERVICE-INTENT'
  | 'SERVICE-REFUSED'
  | 'FETCHED'
  | 'INTENT'
  | 'JOB'
  | 'SENT';
/** Ledger states at the end; each belongs to one outcome. */
export type EndState = 'CONFIRMED' | 'HANDED-OVER' | 'NOOUTPUT' | 'PARTIAL' | 'UNKNOWN';

export const outcomeOf = {
  CONFIRMED: 'completed',
  'HANDED-OVER': 'completed',
  NOOUTPUT: 'failed',
  PARTIAL: 'unknown',
  UNKNOWN: 'unknown',
} as const satisfies Record<EndState, Outcome>;

/** RFC 8011 section 5.3.7. */
export type JobState =
  | 'pending'
  | 'pending-held'
  | 'processing'
  | 'processing-stopped'
  | 'canceled'
  | 'aborted'
  | 'completed';

/** The full output of the document. */
export interface ExpectedOutput {
  /** Pages of one copy. */
  readonly pages: number;
  readonly copies: number;
  /** `undefined` if not said. */
  readonly sides: Sides | undefined;
}

/** The printer's last report of a job. A counter that the printer does not report is absent. */
export interface JobReport {
  readonly state: JobState;
  readonly reasons: readonly string[];
  /** The number that the printer itself expects in all. */
  readonly impressions?: number;
  readonly impressionsCompleted?: number;
  readonly sheetsCompleted?: number;
  /** This printer has counted during a print before, so a 0 means that nothing came out. */
  readonly isProvenCounter?: boolean;
  /** `false`: the printer says that it never began the job. */
  readonly hasBegun?: boolean;
  /**
   * The printer took every byte and says no more of the job, which is printed or will be. `forgotten`: it was printing
   * the job, and no longer knows it. `not-told`: it tells no client about its jobs. `never-ended`: it rests with every
   * page counted, and never says that the job is over.
   */
  readonly letGo?: 'forgotten' | 'not-told' | 'never-ended';
}

export const hasEnded = (report: JobReport): boolean =>
  report.state === 'completed' || report.state === 'canceled' || report.state === 'aborted';

/**
 * How much came out, and who says so: `device-confirmed`: the printer counted it · `document-estimate`: the pages of
 * the document times its copies · `unknown`: it cannot be known.
 */
export interface PageCount {
  readonly source: 'device-confirmed' | 'document-estimate' | 'unknown';
  readonly pages?: number;
  /** Set if the printer counts sheets only. */
  readonly sheets?: number;
}

/**
 * `undefined` if nothing came out. A spooler counts the pages that it passed on, and that is no confirmation by the
 * device. A printer that calls a job completed with no impressions does not count (B.4 table 8).
 */
export function pagesOf(end: {
  state: EndState;
  report: JobReport | undefined;
  reportedBy: 'device' | 'spooler';
  /** The pages of the document, times its copies. */
  documentPages: number | undefined;
}): PageCount | undefined {
  const { state, report, reportedBy, documentPages } = end;
  if (state === 'NOOUTPUT') return undefined;
  const { impressionsCompleted: pages = 0, sheetsCompleted: sheets = 0 } = report ?? {};
  // An unknown outcome stays unknown, because the counter is only as new as the printer's last answer.
  if (state !== 'UNKNOWN' && reportedBy === 'device') {
    if (pages > 0) return { source: 'device-confirmed', pages };
    if (sheets > 0) return { source: 'device-confirmed', sheets };
  }
  return outcomeOf[state] === 'completed' && documentPages !== undefined
    ? { source: 'document-estimate', pages: documentPages }
    : { source: 'unknown' };
}

/** `undefined`: it is still on its way. `deleted` and `stored` say no more than a document that is in no list. */
const deliveryVerdicts: Readonly<Record<DocumentStatus, EndState | undefined>> = {
  ready: undefined,
  received: undefined,
  'awaiting-conversion': undefined,
  converting: undefined,
  printed: 'CONFIRMED',
  deleted: 'HANDED-OVER',
  stored: 'HANDED-OVER',
  expired: 'UNKNOWN',
  failed: 'UNKNOWN',
  'conversion-failed': 'UNKNOWN',
};

/**
 * The verdict on a document that the service took on to deliver (src/cloud/README.md 12, rows 18 and 19). `status` is
 * absent if the document is no longer in any list: it left, and the service does not say how.
 */
export const judgeDelivery = (status: DocumentStatus | undefined): EndState | undefined =>
  status === undefined ? 'HANDED-OVER' : deliveryVerdicts[status];

/** Stands for a release whose own record is no longer in the ledger: compacted long ago, or lost in a quarantine. */
export const forgottenRelease = '0'.repeat(32);

/** The ledger's memory of the last release of a document on this machine. */
export interface LastRelease {
  readonly releaseId: string;
  readonly state: OpenState | EndState;
  /** The release completed, or a person found its pages, and its document must still be deleted in the cloud. */
  readonly deletionOwed: boolean;
}

/** The word of an administrator who went to look at a release that ended as unknown. */
export const administratorsWords = ['came-out', 'did-not-come-out'] as const;
export type AdministratorsWord = (typeof administratorsWords)[number];

/** The author of the word: a user of this machine by the id, or a name from a certificate or a typed one. */
export type Sayer = { readonly by?: number } | { readonly name: string };

/**
 * Whether a document may be printed without a person's explicit word (I1; contract, section 3). `set-aside`: the agent
 * crashed several times with the document in hand.
 */
export type Standing = 'releasable' | 'deletion-owed' | 'in-progress' | 'may-have-printed' | 'set-aside';

/**
 * A document that was printed and deleted may still be listed, by a stale list or by another server. It is not printed
 * again by itself. With `keep` it is.
 */
export function standingOf(last: LastRelease | undefined, finish: FinishMode): Standing {
  if (last === undefined) return 'releasable';
  switch (last.state) {
    case 'CONFIRMED':
    case 'HANDED-OVER':
      if (last.deletionOwed) return 'deletion-owed';
      return finish === 'keep' ? 'releasable' : 'may-have-printed';
    case 'NOOUTPUT':
      return 'releasable';
    case 'PARTIAL':
    case 'UNKNOWN':
      return last.deletionOwed ? 'deletion-owed' : 'may-have-printed';
    default:
      return 'in-progress';
  }
}
