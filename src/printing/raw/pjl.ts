/**
 * The envelope of PJL around a raw document (PJL Technical Reference, "Kernel commands" and "Job separation"): its
 * name, its copies and sides, its language. Lines are our own words and numbers; the one text from outside, the name,
 * is sanitised (reliability.md T15). One UEL stands before the document and one after it; the document is not changed.
 */
import type { SpooledDocument } from '../../domain/ports/printing.ts';
import type { Ticket } from '../../domain/release.ts';
import { shortReleaseId } from '../../domain/release.ts';
import { formats, universalExit } from '../document-format.ts';

/** What printers of this kind take, by the word ENTER LANGUAGE has for it. */
export const pjlLanguages: Readonly<Record<string, string>> = {
  [formats.pdf]: 'PDF',
  [formats.pclXl]: 'PCLXL',
  [formats.postscript]: 'POSTSCRIPT',
};

export interface Envelope {
  readonly head: Buffer;
  readonly tail: Buffer;
}

export const noEnvelope: Envelope = { head: Buffer.alloc(0), tail: Buffer.alloc(0) };

/** `format` is one that `pjlLanguages` has; `first` are commands that stand before the job's own. */
export function pjlEnvelope(ticket: Ticket, format: string, first: readonly string[] = []): Envelope {
  const name = pjlName(ticket.document.name, ticket.releaseId);
  const language = `ENTER LANGUAGE=${pjlLanguages[format]}`;
  return {
    head: lines([...first, `JOB NAME="${name}"`, ...settings(ticket), language]),
    tail: lines([`EOJ NAME="${name}"`]),
  };
}

/**
 * The printer tells how the jobs of this connection go, and what hinders it; and says at once how it is, by which one that
 * talks is known.
 */
export const tellingOn: readonly string[] = [
  'USTATUS JOB=ON',
  'USTATUS PAGE=ON',
  'USTATUS DEVICE=ON',
  'INFO STATUS',
];

/** It need tell no more; said where the printer reads PJL anyway. */
export const tellingOff = Buffer.from('@PJL USTATUSOFF\r\n', 'ascii');

/** UEL, then a line each. */
const lines = (commands: readonly string[]): Buffer =>
  Buffer.from(
    `${universalExit}@PJL\r\n${commands.map((command) => `@PJL ${command}\r\n`).join('')}`,
    'ascii',
  );

/** Asks how the printer is, and leaves it as it was. */
export const statusInquiry = Buffer.concat([lines(['INFO STATUS']), Buffer.from(universalExit, 'ascii')]);

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

/** A document with a UEL in it leaves its language, and could give the printer any PJL command (T16). */
export async function holdsUniversalExit(document: SpooledDocument): Promise<boolean> {
  let seam = Buffer.alloc(0);
  for await (const block of document.read() as AsyncIterable<Buffer>) {
    const seen = Buffer.concat([seam, block]);
    if (seen.includes(universalExit, 0, 'latin1')) return true;
    seam = Buffer.from(seen.subarray(Math.max(0, seen.length - universalExit.length + 1)));
  }
  return false;
}
