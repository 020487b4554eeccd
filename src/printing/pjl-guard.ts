/**
 * Watches a document, octet by octet as it comes in, for the moments at which a printer reads PJL: at its beginning, and
 * after each UEL inside it (PJL Technical Reference Manual, "Kernel commands"). Every line that stands there must be one
 * that `pjl-commands.ts` lets through. Where the document goes later, and over which protocol, does not matter here.
 */
import { Problem } from '../domain/problem/problem.ts';
import { judgePjl } from './pjl-commands.ts';

/** UEL: leaves whatever language the printer is in (PJL Technical Reference, "Kernel commands"). */
export const universalExit = '\u001b%-12345X';

export interface PjlGuard {
  /** Throws `document-not-printable` before the last octet of a refused command is passed on. */
  see(octets: Buffer): void;
  /** There will be no more; throws likewise. */
  end(): void;
  /** It has met a UEL, or a line of PJL. */
  hasMetPjl(): boolean;
  /** Something follows what the document began with, and no ENTER has said that it is in the same language. */
  hasMetAnother(): boolean;
}

const exit = Buffer.from(universalExit, 'latin1');
const mark = '@PJL';
const longestLine = 4096;
const lineFeed = 0x0a;

/** A printer passes over these between a UEL and the command that follows it: NUL, Ctrl-D, blanks and ends of lines. */
const filling = Uint8Array.from({ length: 256 }, (_, octet) =>
  [0, 4, 9, 10, 11, 12, 13, 32].includes(octet) ? 1 : 0,
);
export const isFilling = (octet = -1): boolean => filling[octet] === 1;

function withoutFilling(octets: Buffer): Buffer {
  let at = 0;
  while (at < octets.length && isFilling(octets[at])) at += 1;
  return octets.subarray(at);
}

export function pjlGuard(): PjlGuard {
  let isInPjl = true;
  let hasMet = false;
  let hasMetAnother = false;
  /** What the last UEL, or the beginning, is followed by; `undefined`: by what no ENTER has told. */
  let entered: string | undefined;
  /** The beginning of what stands there, until it is known to be data. */
  let head: Buffer | undefined;
  let first: { readonly language: string | undefined } | undefined;
  /** In PJL the line so far; else the end of what has passed, which may be the beginning of a UEL. */
  let kept: Buffer = Buffer.alloc(0);

  /** What follows the next UEL; nothing where there is none. */
  function passData(octets: Buffer): Buffer {
    meetData(octets);
    const seam = Buffer.concat([kept, octets.subarray(0, exit.length - 1)]);
    const across = kept.length === 0 ? -1 : seam.indexOf(exit);
    const within = across < 0 ? octets.indexOf(exit) : -1;
    if (across < 0 && within < 0) {
      const end = octets.length < exit.length ? seam : octets;
      kept = Buffer.from(end.subarray(Math.max(0, end.length - exit.length + 1)));
      return Buffer.alloc(0);
    }
    const at = across < 0 ? within : across - kept.length;
    kept = Buffer.alloc(0);
    isInPjl = true;
    hasMet = true;
    entered = undefined;
    return octets.subarray(at + exit.length);
  }

  /** What follows the line, or all of it where it was none. */
  function passLine(octets: Buffer): Buffer {
    const rest = kept.length === 0 ? withoutFilling(octets) : octets;
    const end = rest.indexOf(lineFeed);
    const part = rest.subarray(0, Math.min(end < 0 ? rest.length : end, longestLine + 1));
    const octetsOfLine = kept.length === 0 ? part : Buffer.concat([kept, part]);
    const line = octetsOfLine.toString('latin1');
    if (!line.slice(0, mark.length).toUpperCase().startsWith(mark.slice(0, line.length))) {
      const data = kept.length === 0 ? rest : Buffer.concat([kept, rest]);
      kept = Buffer.alloc(0);
      isInPjl = false;
      head = Buffer.alloc(0);
      return data;
    }
    if (line.length > longestLine) throw refused(line);
    kept = Buffer.from(end < 0 ? octetsOfLine : '');
    if (end >= 0) judge(line);
    return rest.subarray(part.length + (end < 0 ? 0 : 1));
  }

  function judge(line: string): void {
    hasMet = true;
    const verdict = judgePjl(line);
    if (verdict.kind === 'enters') entered = verdict.language === 'AUTO' ? undefined : verdict.language;
    // After ENTER too the next line is looked at: a printer without that language reads on in PJL.
    if (verdict.kind === 'refused') throw refused(verdict.command);
  }

  /** What is a UEL itself is no data yet. */
  function meetData(octets: Buffer): void {
    if (head === undefined) return;
    head = Buffer.concat([head, octets.subarray(0, exit.length - head.length)]);
    const mayBeExit = exit.subarray(0, head.length).equals(head);
    if (mayBeExit && head.length < exit.length) return;
    head = undefined;
    if (mayBeExit) return;
    if (first === undefined) first = { language: entered };
    else if (entered === undefined || entered !== first.language) hasMetAnother = true;
  }

  return {
    see(octets) {
      for (let rest = octets; rest.length > 0; ) rest = isInPjl ? passLine(rest) : passData(rest);
    },
    end() {
      if (isInPjl && kept.length >= mark.length) judge(kept.toString('latin1'));
    },
    hasMetPjl: () => hasMet,
    hasMetAnother: () => hasMetAnother,
  };
}

/** Of the command its first word only: the rest may quote what the document says (I5). */
function refused(command: string): Problem {
  const word = /^@PJL[ \t]+([A-Z]{1,16})/i.exec(command)?.[1]?.toUpperCase() ?? 'of no known kind';
  return new Problem('document-not-printable', `the document holds a printer command (PJL): ${word}`);
}
