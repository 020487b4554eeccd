/**
 * The PJL envelope around a raw document (PJL Technical Reference, "Kernel commands" and "Job separation"): its name,
 * copies, sides and language. The lines are our own words and numbers; only the name comes from outside, and it is
 * sanitised (INVARIANTS.md T15). The document is not changed. On the wire, UEL being ESC "%-12345X" and each PJL line
 * ending in CR LF:
 *
 * +-----------------------------------+
 * |  UEL "@PJL"                       |  the question, if there is one
 * |  "@PJL USTATUS JOB=ON" ...        |
 * |  "@PJL INFO STATUS"               |
 * +-----------------------------------+
 * |  "@PJL JOB NAME=..."              |  the head; without a question it
 * |  "@PJL SET COPIES=..." ...        |  begins with UEL "@PJL" too
 * |  "@PJL ENTER LANGUAGE=..."        |
 * +-----------------------------------+
 * |  document                         |  n octets
 * +-----------------------------------+
 * |  UEL "@PJL"                       |  the tail
 * |  "@PJL EOJ NAME=..."              |
 * +-----------------------------------+
 */
import type { Ticket } from '../../domain/release.ts';
import { shortReleaseId } from '../../domain/release.ts';
import { formats } from '../document-format.ts';
import { universalExit } from '../pjl-guard.ts';

/** The formats for printers of this kind, with their words in ENTER LANGUAGE. */
export const pjlLanguages: Readonly<Record<string, string>> = {
  [formats.pdf]: 'PDF',
  [formats.pclXl]: 'PCLXL',
  [formats.postscript]: 'POSTSCRIPT',
};

export interface Envelope {
  /** After this part the sender may wait for the printer; the head follows in the same PJL. */
  readonly question: Buffer;
  readonly head: Buffer;
  readonly tail: Buffer;
}

const nothing = Buffer.alloc(0);

export const noEnvelope: Envelope = { question: nothing, head: nothing, tail: nothing };

/** `format` must be in `pjlLanguages`; `first` are commands before the job's own. */
export function pjlEnvelope(ticket: Ticket, format: string, first: readonly string[] = []): Envelope {
  const name = pjlName(ticket.document.name, ticket.releaseId);
  const language = `ENTER LANGUAGE=${pjlLanguages[format]}`;
  const job = [`JOB NAME="${name}"`, ...settings(ticket), language];
  const tail = inPjl([`EOJ NAME="${name}"`]);
  return first.length === 0
    ? { question: nothing, head: inPjl(job), tail }
    : { question: inPjl(first), head: lines(job), tail };
}

/** Asks for the printer's state. */
export const asking: readonly string[] = ['INFO STATUS'];

/**
 * The printer tells how the jobs of this connection go and what hinders it. Its immediate answer to the question shows
 * that it talks.
 */
export const tellingOn: readonly string[] = [
  'USTATUS JOB=ON',
  'USTATUS PAGE=ON',
  'USTATUS DEVICE=ON',
  ...asking,
];

/** Ends the reports; sent where the printer reads PJL anyway. */
export const tellingOff = Buffer.from('@PJL USTATUSOFF\r\n', 'ascii');

/** For a connection without a document: ends the reports and leaves the printer as it was. */
export const farewell = Buffer.from(`@PJL USTATUSOFF\r\n${universalExit}`, 'ascii');

const lines = (commands: readonly string[]): Buffer =>
  Buffer.from(commands.map((command) => `@PJL ${command}\r\n`).join(''), 'ascii');

/** A UEL and then one line for each command. */
const inPjl = (commands: readonly string[]): Buffer =>
  Buffer.concat([Buffer.from(`${universalExit}@PJL\r\n`, 'ascii'), lines(commands)]);

/** For a document that has its own PJL, or none. */
export const bareQuestion: Envelope = {
  ...noEnvelope,
  question: Buffer.concat([inPjl(asking), Buffer.from(universalExit, 'ascii')]),
};

const longestName = 80;

/** `Report.pdf [7f3a9c21]`, in characters that PJL allows between quotes. */
export function pjlName(documentName: string, releaseId: string): string {
  const suffix = ` [${shortReleaseId(releaseId)}]`;
  const plain = documentName.normalize('NFKC').replace(/[^ -~]|"/g, '');
  return plain.slice(0, longestName - suffix.length) + suffix;
}

/** Only settings that the document or its port asks for; the printer's own settings hold for the rest. */
function settings({ document, monochrome }: Ticket): readonly string[] {
  const { copies, sides, grayscale } = document;
  const isTwoSided = sides !== undefined && sides !== 'one-sided';
  return [
    ...(copies > 1 ? [`SET COPIES=${copies}`] : []),
    ...(sides ? [`SET DUPLEX=${isTwoSided ? 'ON' : 'OFF'}`] : []),
    ...(isTwoSided ? [`SET BINDING=${sides === 'two-sided-long-edge' ? 'LONGEDGE' : 'SHORTEDGE'}`] : []),
    ...(grayscale || monochrome ? ['SET RENDERMODE=GRAYSCALE'] : []),
  ];
}
