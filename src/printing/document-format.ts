/**
 * The media type of a document by its first octets; the document itself is never parsed. PJL before the data is passed
 * over; with any command in it that `pjl-commands.ts` refuses the document is unknown (INVARIANTS.md T16), and the guard
 * that stands where documents come in has refused it already. What is taken for text is text and nothing else: never
 * what some printer reads as commands.
 */
import { judgePjl } from './pjl-commands.ts';
import { universalExit } from './pjl-guard.ts';

export const unknownFormat = 'application/octet-stream';

export const formats = {
  pdf: 'application/pdf',
  postscript: 'application/postscript',
  pclXl: 'application/vnd.hp-PCLXL',
  pcl: 'application/vnd.hp-PCL',
  pwgRaster: 'image/pwg-raster',
  urf: 'image/urf',
  jpeg: 'image/jpeg',
  png: 'image/png',
  tiff: 'image/tiff',
  text: 'text/plain',
  html: 'text/html',
  json: 'application/json',
} as const;

/** What a terminal may be sent to print. A page of the web and JSON are faults of the service. */
export const documentFormats: readonly string[] = Object.values(formats).filter(
  (one) => one !== formats.html && one !== formats.json,
);

/** So many octets are enough to tell; drivers write some kilobytes of PJL before the first of the document. */
export const sniffedOctets = 16 * 1024;

/** Latin-1 patterns, matched at the very start. */
const magics: readonly (readonly [RegExp, string])[] = [
  // The second form: PDF Reference, sixth edition, appendix H, note 14.
  [/^%PDF-|^%!PS-Adobe-\d\.\d PDF-\d/, formats.pdf],
  // PLRM 3, appendix G: the version may be left out. Drivers end the job before theirs with Ctrl-D, once or more often. TeX
  // has lines for its editors that begin likewise.
  [/^[\u0004\r\n]*%!(?! *TEX\b)/i, formats.postscript],
  [/^\) HP-PCL XL/, formats.pclXl],
  [/^\u001b(E|%0A|&l)/, formats.pcl],
  [/^RaS2/, formats.pwgRaster],
  [/^UNIRAST\0/, formats.urf],
  [/^\u00ff\u00d8\u00ff/, formats.jpeg],
  // PNG (ISO/IEC 15948) section 5.2; TIFF 6.0 section 2, in either order of octets.
  [/^\u0089PNG\r\n\u001a\n/, formats.png],
  [/^(II\*\0|MM\0\*)/, formats.tiff],
  [/^(\u00ef\u00bb\u00bf)?\s*<(!doctype html|html|head|body)\b/i, formats.html],
  [/^(\u00ef\u00bb\u00bf)?\s*(\{\s*["}]|\[\s*[{"\]])/, formats.json],
];

const languages: Readonly<Record<string, string>> = {
  PDF: formats.pdf,
  POSTSCRIPT: formats.postscript,
  PCLXL: formats.pclXl,
  PCL: formats.pcl,
};

export function formatOf(head: Buffer): string {
  const text = head.subarray(0, sniffedOctets).toString('latin1');
  if (text.startsWith(universalExit)) return formatAfterPjl(text.slice(universalExit.length));
  return formatOfData(text);
}

function formatOfData(text: string): string {
  const known = magics.find(([magic]) => magic.test(text))?.[1];
  if (known !== undefined) return known;
  if (hasLatePdfHeader(text)) return formats.pdf;
  return isText(text) ? formats.text : unknownFormat;
}

/** PJL Technical Reference, "ENTER" and "Kernel commands". Without ENTER the printer tells by the data, as we do. */
function formatAfterPjl(text: string): string {
  let rest = text;
  while (/^[\s\0]*@PJL/i.test(rest)) {
    const [line = ''] = /^[^\n]*\n/.exec((rest = rest.replace(/^[\s\0]+/, ''))) ?? [];
    const verdict = judgePjl(line.slice(0, -1));
    if (verdict.kind === 'refused') return unknownFormat;
    rest = rest.slice(line.length);
    if (verdict.kind === 'enters' && verdict.language !== 'AUTO') {
      return enteredFormat(languages[verdict.language] ?? unknownFormat, rest);
    }
  }
  if (rest.startsWith(universalExit)) return formatAfterPjl(rest.slice(universalExit.length));
  const found = formatOfData(rest);
  return found === formats.text ? unknownFormat : found;
}

/** A printer that lacks the language looks at the data: what looks like PostScript is treated as such. */
function enteredFormat(entered: string, data: string): string {
  if (isPostscript(data)) return formats.postscript;
  return entered === formats.pclXl && !/^([()'] HP-PCL XL|$)/.test(data) ? unknownFormat : entered;
}

const isPostscript = (data: string): boolean => /^[\s\0\u0004]*%!/.test(data);

/**
 * Whether a document begins with its format's own first octets, so that a printer which tells languages by them finds the
 * same one. A PDF may begin otherwise, and what stands before it there might be a program to such a printer.
 */
export function beginsPlainly(head: Buffer, format: string): boolean {
  if (format !== formats.pdf) return true;
  const text = head.subarray(0, sniffedOctets).toString('latin1');
  const data = text.replace(/^(\u001b%-12345X|[\s\0]*@PJL[^\n]*\n)+/i, '');
  return /^(\u00ef\u00bb\u00bf)?[\s\0]*(%PDF-|$)/.test(data);
}

const latestHeader = 1024;

/**
 * PDF Reference, sixth edition, appendix H, note 13: the header may stand within the first 1024 octets. Not behind what a
 * printer would obey before it comes to the PDF.
 */
function hasLatePdfHeader(text: string): boolean {
  const at = text.slice(0, latestHeader + 8).search(/%PDF-[12]\.\d/);
  return at >= 0 && at <= latestHeader && !isCommand(text.slice(0, at));
}

/** Text by which printers of some makes are commanded, and whatever begins as no text for people does. */
const isCommand = (text: string): boolean => text.includes('\u001b') || holdsTextCommand(text);

/**
 * What printers obey that stands in plain text: PostScript · PJL · ZPL (`^XA`, Zebra, ZPL II Programming Guide) ·
 * PRESCRIBE (`!R!`, at any place and in any language; Kyocera, PRESCRIBE Commands Technical Reference, "Entry and Exit").
 */
export const holdsTextCommand = (text: string): boolean => /^\s*%!|(^|\n)\s*(@PJL\b|\^XA|~DG)|!R!/.test(text);

/** Markup, a program, a record: read by people as little as by printers. */
const scripts = /^\s*(<|#!|\{)/;

/** UTF-8, of which ASCII is a part, with a BOM or without; no controls but those that a typewriter has. */
function isText(text: string): boolean {
  const body = text.replace(/^\u00ef\u00bb\u00bf/, '');
  if (body.trim() === '' || !isPrintable(body)) return false;
  return !scripts.test(body) && !holdsTextCommand(body) && isUtf8(body);
}

/** Also of a part of a text. */
export const isPrintable = (text: string): boolean => !/[\0-\u0008\u000b\u000e-\u001f\u007f]/.test(text);

/** The last character may be cut. */
function isUtf8(latin1: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'), { stream: true });
    return true;
  } catch {
    return false;
  }
}
