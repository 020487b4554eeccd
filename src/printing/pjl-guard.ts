/**
 * Watches a document while it comes in for the places where a printer reads PJL: at its beginning and after each UEL
 * inside it (PJL Technical Reference Manual, "Kernel commands"). Every line there must be one that `pjl-commands.ts`
 * allows. The later protocol and printer do not matter here. Such a document is:
 *
 * +------------------------------+---------------------------------+------------------------+-----
 * |  UEL                         |  PJL lines, each:               |  data in the language  |  UEL ...
 * |  ESC "%-12345X"              |  "@PJL" SP command [CR] LF      |  that ENTER names      |
 * +------------------------------+---------------------------------+------------------------+-----
 * |  9 octets                    |                                 |  to the next UEL       |
 */
import { Problem } from '../domain/problem/problem.ts';
import { judgePjl } from './pjl-commands.ts';

/** UEL ends any language that the printer is in (PJL Technical Reference, "Kernel commands"). */
export const universalExit = '\u001b%-12345X';

export interface PjlGuard {
  /** Throws `document-not-printable` before the last octet of a refused command is passed on. */
  see(octets: Buffer): void;
  /** Called at the end of the document; throws likewise. */
  end(): void;
  /** The document had a UEL or a line of PJL. */
  hasMetPjl(): boolean;
  /**
   * A part of the document is not in the language of its first part. Either no ENTER says that it is, or two ENTERs
   * contradict each other, or its first octets belong to another language.
   */
  hasMetAnother(): boolean;
}

const exit = Buffer.from(universalExit, 'latin1');
const mark = '@PJL';
const longestLine = 4096;
const lineFeed = 0x0a;

/** A printer skips these between a UEL and the next command: NUL, Ctrl-D, blanks and line ends. */
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
  const languages = followLanguages();
  let isInPjl = true;
  let hasMet = false;
  /** In PJL, the line so far; otherwise the end of the data, which may be the beginning of a UEL. */
  let kept: Buffer = Buffer.alloc(0);

  /** Gives the octets after the next UEL, or nothing if there is none. */
  function passData(octets: Buffer): Buffer {
    languages.data(octets);
    const rest = afterExit(kept, octets);
    if (rest === undefined) {
      kept = endOf(kept, octets);
      return Buffer.alloc(0);
    }
    kept = Buffer.alloc(0);
    isInPjl = true;
    hasMet = true;
    languages.left();
    return rest;
  }

  /** Gives the octets after the line, or all octets if it is not a PJL line. */
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
      languages.dataBegins();
      return data;
    }
    if (line.length > longestLine) throw refused(line);
    kept = Buffer.from(end < 0 ? octetsOfLine : '');
    if (end >= 0) judge(line);
    return rest.subarray(part.length + (end < 0 ? 0 : 1));
  }

  function judge(line: string): void {
    hasMet = true;
    // The line after ENTER is checked too: a printer without that language goes on reading PJL.
    const verdict = allowed(line);
    if (verdict.kind === 'enters') languages.entered(verdict.language);
  }

  return {
    see(octets) {
      for (let rest = octets; rest.length > 0; ) rest = isInPjl ? passLine(rest) : passData(rest);
    },
    end() {
      if (isInPjl && kept.length >= mark.length) judge(kept.toString('latin1'));
      languages.end();
    },
    hasMetPjl: () => hasMet,
    hasMetAnother: languages.hasMetAnother,
  };
}

/** `before`: where the UEL may have begun. */
function afterExit(before: Buffer, octets: Buffer): Buffer | undefined {
  const seam = Buffer.concat([before, octets.subarray(0, exit.length - 1)]);
  const across = before.length === 0 ? -1 : seam.indexOf(exit);
  if (across >= 0) return octets.subarray(across - before.length + exit.length);
  const within = octets.indexOf(exit);
  return within < 0 ? undefined : octets.subarray(within + exit.length);
}

/** The end of the octets, which may be the beginning of a UEL. */
function endOf(before: Buffer, octets: Buffer): Buffer {
  const end = octets.length < exit.length ? Buffer.concat([before, octets]) : octets;
  return Buffer.from(end.subarray(Math.max(0, end.length - exit.length + 1)));
}

function allowed(line: string): ReturnType<typeof judgePjl> {
  const verdict = judgePjl(line);
  if (verdict.kind === 'refused') throw refused(verdict.command);
  return verdict;
}

/** The first octets by which a printer finds the language of data; this overrides ENTER. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'PDF'],
  [/^%!/, 'POSTSCRIPT'],
  [/^[()'] HP-PCL XL/, 'PCLXL'],
  [/^\u001b(?:E|%0A|&l)/, 'PCL'],
];
const beginningOctets = 16;

/** Follows the languages of the document's parts, by PJL and by the first octets of each part. */
function followLanguages() {
  /** The language after the last UEL or the beginning; `undefined` if no ENTER told it. */
  let entered: string | undefined;
  let first: { readonly language: string | undefined; begins?: string | undefined } | undefined;
  /** The beginning of the data, as long as it is needed. */
  let head: Buffer | undefined;
  let isFirst = false;
  let isData = false;
  let hasMetAnother = false;

  function judgeLanguage(): void {
    isData = true;
    isFirst = first === undefined;
    first ??= { language: entered };
    if (!isFirst && (entered === undefined || entered !== first.language)) hasMetAnother = true;
  }

  function judgeBeginning(): void {
    const data = isData ? head?.toString('latin1') : undefined;
    head = undefined;
    if (data === undefined || first === undefined) return;
    const begins = beginnings.find(([beginning]) => beginning.test(data))?.[1];
    if (isFirst) first.begins = begins;
    else if (begins !== first.begins) hasMetAnother = true;
  }

  return {
    entered(language: string): void {
      const named = language === 'AUTO' ? undefined : language;
      // If two ENTERs differ, it is unknown which of them a printer obeys.
      if (entered !== undefined && named !== entered) hasMetAnother = true;
      entered = named;
    },
    left(): void {
      judgeBeginning();
      entered = undefined;
    },
    dataBegins(): void {
      head = Buffer.alloc(0);
      isData = false;
    },
    /** A UEL itself is not data. */
    data(octets: Buffer): void {
      if (head === undefined) return;
      head = Buffer.concat([head, octets.subarray(0, beginningOctets - head.length)]);
      const start = head.subarray(0, exit.length);
      const mayBeExit = exit.subarray(0, start.length).equals(start);
      if (mayBeExit && start.length < exit.length) return;
      if (mayBeExit) head = undefined;
      else if (!isData) judgeLanguage();
      if (head?.length === beginningOctets) judgeBeginning();
    },
    end: judgeBeginning,
    hasMetAnother: () => hasMetAnother,
  };
}

/** Only the first word of the command: the rest may quote the document (I5). */
function refused(command: string): Problem {
  const word = /^@PJL[ \t]+([A-Z]{1,16})/i.exec(command)?.[1]?.toUpperCase() ?? 'of no known kind';
  return new Problem('document-not-printable', `the document contains a printer command (PJL): ${word}`);
}
