/**
 * The envelope of PJL around a raw document (PJL Technical Reference, "Kernel commands" and "Job separation"): its
 * name, its copies and sides, its language. Lines are our own words and numbers; the one text from outside, the name,
 * is sanitised (INVARIANTS.md T15). One UEL stands before the document and one after it; the document is not changed.
 */
import type { Ticket } from '../../domain/release.ts';
import { shortReleaseId } from '../../domain/release.ts';
import { formats } from '../document-format.ts';
import { universalExit } from '../pjl-guard.ts';

/** What printers of this kind take, by the word ENTER LANGUAGE has for it. */
export const pjlLanguages: Readonly<Record<string, string>> = {
  [formats.pdf]: 'PDF',
  [formats.pclXl]: 'PCLXL',
  [formats.postscript]: 'POSTSCRIPT',
};

export interface Envelope {
  /** Where the printer may be waited for; what follows stands in the same PJL. */
  readonly question: Buffer;
  readonly head: Buffer;
  readonly tail: Buffer;
}

const nothing = Buffer.alloc(0);

export const noEnvelope: Envelope = { question: nothing, head: nothing, tail: nothing };

/** `format` is one that `pjlLanguages` has; `first` are commands that stand before the job's own. */
export function pjlEnvelope(ticket: Ticket, format: string, first: readonly string[] = []): Envelope {
  const name = pjlName(ticket.document.name, ticket.releaseId);
  const language = `ENTER LANGUAGE=${pjlLanguages[format]}`;
  const job = [`JOB NAME="${name}"`, ...settings(ticket), language];
  const tail = inPjl([`EOJ NAME="${name}"`]);
  return first.length === 0
    ? { question: nothing, head: inPjl(job), tail }
    : { question: inPjl(first), head: lines(job), tail };
}

/** It says how it is. */
export const asking: readonly string[] = ['INFO STATUS'];

/**
 * The printer tells how the jobs of this connection go, and what hinders it; and says at once how it is, by which one that
 * talks is known.
 */
export const tellingOn: readonly string[] = [
  'USTATUS JOB=ON',
  'USTATUS PAGE=ON',
  'USTATUS DEVICE=ON',
  ...asking,
];

/** It need tell no more; said where the printer reads PJL anyway. */
export const tellingOff = Buffer.from('@PJL USTATUSOFF\r\n', 'ascii');

/** No document follows: it need tell no more, and is left as it was. */
export const farewell = Buffer.from(`@PJL USTATUSOFF\r\n${universalExit}`, 'ascii');

const lines = (commands: readonly string[]): Buffer =>
  Buffer.from(commands.map((command) => `@PJL ${command}\r\n`).join(''), 'ascii');

/** UEL, then a line each. */
const inPjl = (commands: readonly string[]): Buffer =>
  Buffer.concat([Buffer.from(`${universalExit}@PJL\r\n`, 'ascii'), lines(commands)]);

/** Before a document that brings PJL of its own, or none. */
export const bareQuestion: Envelope = {
  ...noEnvelope,
  question: Buffer.concat([inPjl(asking), Buffer.from(universalExit, 'ascii')]),
};

const longestName = 80;

/** `Report.pdf [7f3a9c21]`, in what PJL lets stand between quotes. */
export function pjlName(documentName: string, releaseId: string): string {
  const suffix = ` [${shortReleaseId(releaseId)}]`;
  const plain = documentName.normalize('NFKC').replace(/[^ -~]|"/g, '');
  return plain.slice(0, longestName - suffix.length) + suffix;
}

/** Only what the document or its port asks for; the rest is as it is set at the printer. */
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
