/**
 * What a release is, the states its attempt passes in the ledger, and how its outcome is judged.
 * States are those of INVARIANTS.md B.1; outcomes are those of the contract, section 3.
 */
import type { Document, DocumentStatus, Sides } from './document.ts';
import type { Change } from './document-changes.ts';
import type { PickedPages } from './page-range.ts';
import type { TraceSoFar } from './release-trace.ts';
import type { User, UserToken } from './user.ts';

/** The wish to print one document, with all that the release needs once the session may be over. */
export interface Ticket {
  /** 32 hex digits; its first eight are the short id in the job-name. */
  readonly releaseId: string;
  readonly terminal: string;
  /** Which of the terminal's, where it has several. */
  readonly printer?: string;
  readonly sessionId: string;
  /** As it is to be printed. */
  readonly document: Document;
  /** What of that its owner asked for at the terminal: it is printed so, or not at all. */
  readonly changed?: Change;
  /** No more of them: it outlives their session. */
  readonly user: Pick<User, 'id' | 'providerId' | 'userName'>;
  readonly token: UserToken;
  /** What the output port adds to the document's own wishes. */
  readonly monochrome: boolean;
  readonly sendUsername: boolean;
  /** The release that this one repeats by a person's explicit word, told that it may have printed (I1, B.1). */
  readonly again?: string;
  /** That release was another member's: this gateway's own ledger need not know it (F5). */
  readonly isAgainElsewhere?: true;
  /** These pages alone; `document` has no others. */
  readonly picked?: PickedPages;
  /** Where the time went until it was wanted. */
  readonly trace?: TraceSoFar;
}

export const shortReleaseId = (releaseId: string): string => releaseId.slice(0, 8);

/** A name in IPP has at most 255 octets (RFC 8011 section 5.1.3). */
export const longestName = 255;

/**
 * `Report.pdf [7f3a9c21]`: by it a restart finds a job whose id it could not store. Where a printer is known to cut names
 * after so many octets, and would cut this one, the id stands in front: `[7f3a9c21] Report.pdf`; and at the end as well
 * where the document's own name has the like of an id (`Minutes [20240115]`), because the last one is ours.
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

/** In brackets, as `jobName` has them, in the order in which they stand there: the last one of a job-name is ours. */
export const shortIdsIn = (name: string): readonly string[] =>
  [...name.matchAll(shortId)].map(([, id = '']) => id.toLowerCase());

/**
 * The longest beginning of the text that fits so many UTF-8 octets without splitting a character. What moves a cursor
 * or turns text round has no place in a name (RFC 5198 section 2; INVARIANTS.md T15): printers show it on their panels.
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

/**
 * Controls, separators of lines and paragraphs, and formats but for the joiners, without which some scripts read wrong.
 */
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export type Outcome = 'completed' | 'failed' | 'unknown';
export type Confirmation = 'device' | 'spooler' | 'handed-over';

/**
 * Who brings a document to the printer. `local`: this terminal · `cloud`: the service, asked by the terminal ·
 * `cloud-then-local`: the service, and where it definitely would not, this terminal.
 */
export type DeliveryMode = 'local' | 'cloud' | 'cloud-then-local';

/** What becomes of a document in the cloud once its release completed; `consume`: the service counts it as released. */
export type FinishMode = 'delete' | 'consume' | 'keep';

/**
 * Ledger states on the way. From INTENT on the document may be in the printer, whatever happens to us. SERVICE-INTENT
 * is the same where the service delivers it; from there, and only when the service refused, it is SERVICE-REFUSED.
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

/** What would come out if all did. */
export interface ExpectedOutput {
  /** Of one copy. */
  readonly pages: number;
  readonly copies: number;
  /** `undefined`: not said. */
  readonly sides: Sides | undefined;
}

/** The last that the printer said of a job. A counter the printer does not report is absent. */
export interface JobReport {
  readonly state: JobState;
  readonly reasons: readonly string[];
  /** What the printer itself expects to come out, in all. */
  readonly impressions?: number;
  readonly impressionsCompleted?: number;
  readonly sheetsCompleted?: number;
  /** This printer has counted while it printed: a 0 of it says that nothing came out. */
  readonly isProvenCounter?: boolean;
  /** `false`: the printer says that it never began with it. */
  readonly hasBegun?: boolean;
  /**
   * The printer took every byte and says no more of the job, which is printed or will be: it has `forgotten` a job that
   * it was printing, it tells nobody of its jobs (`not-told`), or it rests with every page counted and never says that the
   * job is over (`never-ended`).
   */
  readonly letGo?: 'forgotten' | 'not-told' | 'never-ended';
}

export const hasEnded = (report: JobReport): boolean =>
  report.state === 'completed' || report.state === 'canceled' || report.state === 'aborted';

/**
 * How much came out, and by whose word: `device-confirmed`: the printer counted it · `document-estimate`: the pages of
 * the document times its copies · `unknown`: nobody can tell.
 */
export interface PageCount {
  readonly source: 'device-confirmed' | 'document-estimate' | 'unknown';
  readonly pages?: number;
  /** Where the printer counts sheets only. */
  readonly sheets?: number;
}

/**
 * `undefined` where nothing came out. A spooler counts what it passed on, which is nothing the device confirmed; a
 * printer that calls a job completed with no impressions does not count (B.4 table 8).
 */
export function pagesOf(end: {
  state: EndState;
  report: JobReport | undefined;
  reportedBy: 'device' | 'spooler';
  /** Of the document, times its copies. */
  documentPages: number | undefined;
}): PageCount | undefined {
  const { state, report, reportedBy, documentPages } = end;
  if (state === 'NOOUTPUT') return undefined;
  const { impressionsCompleted: pages = 0, sheetsCompleted: sheets = 0 } = report ?? {};
  // An unknown outcome stays so: the counter is as old as the printer's last word.
  if (state !== 'UNKNOWN' && reportedBy === 'device') {
    if (pages > 0) return { source: 'device-confirmed', pages };
    if (sheets > 0) return { source: 'device-confirmed', sheets };
  }
  return outcomeOf[state] === 'completed' && documentPages !== undefined
    ? { source: 'document-estimate', pages: documentPages }
    : { source: 'unknown' };
}

/** `undefined`: it is still on its way. Being deleted or stored tells no more than being in no list. */
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
 * The verdict on what the service took on to deliver (src/cloud/README.md 12, rows 18 and 19). `status` is absent when
 * the document is in no list any more: it left, and nobody says how.
 */
export const judgeDelivery = (status: DocumentStatus | undefined): EndState | undefined =>
  status === undefined ? 'HANDED-OVER' : deliveryVerdicts[status];

/** Stands for a release whose own record the ledger no longer has: compacted long ago, or lost in a quarantine. */
export const forgottenRelease = '0'.repeat(32);

/** What the ledger remembers of the last release of a document on this machine. */
export interface LastRelease {
  readonly releaseId: string;
  readonly state: OpenState | EndState;
  /** The release completed, or somebody found its pages, and its document still has to be deleted in the cloud. */
  readonly deletionOwed: boolean;
}

/** What an administrator who went to look says of a release that ended as unknown. */
export const administratorsWords = ['came-out', 'did-not-come-out'] as const;
export type AdministratorsWord = (typeof administratorsWords)[number];

/** Who says so: a user of this machine by the id, or a name, which came with a certificate or was typed. */
export type Sayer = { readonly by?: number } | { readonly name: string };

/**
 * Whether a document may be printed without a person's explicit word (I1; contract, section 3). `set-aside`: the agent
 * crashed again and again while it had it in hand.
 */
export type Standing = 'releasable' | 'deletion-owed' | 'in-progress' | 'may-have-printed' | 'set-aside';

/**
 * A document that was printed and deleted and is listed all the same, by a stale list or by another server, is not
 * printed again by itself; one that was to be kept is.
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
