/**
 * Finds the media type of a document by its first octets; the document is never parsed. PJL before the data is skipped.
 * If it has a command that `pjl-commands.ts` refuses, the type is unknown (INVARIANTS.md T16); the guard at the intake
 * has refused it already. A document counts as text only if no printer reads it as commands.
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

/** Formats that a terminal may be sent to print. HTML and JSON are faults of the service. */
export const documentFormats: readonly string[] = Object.values(formats).filter(
  (one) => one !== formats.html && one !== formats.json,
);

/** This many octets are enough to find the type; drivers write some kilobytes of PJL before the document. */
export const sniffedOctets = 16 * 1024;

/** Latin-1 patterns, matched at the very start. */
const magics: readonly (readonly [RegExp, string])[] = [
  // The second form: PDF Reference, sixth edition, appendix H, note 14.
  [/^%PDF-|^%!PS-Adobe-\d\.\d PDF-\d/, formats.pdf],
  // PLRM 3, appendix G: the version may be left out. Drivers end the job before theirs with one or more Ctrl-D. TeX has
  // lines for its editors with a similar beginning.
  [/^[\u0004\r\n]*%!(?! *TEX\b)/i, formats.postscript],
  [/^\) HP-PCL XL/, formats.pclXl],
  [/^\u001b(E|%0A|&l)/, formats.pcl],
  [/^RaS2/, formats.pwgRaster],
  [/^UNIRAST\0/, formats.urf],
  [/^\u00ff\u00d8\u00ff/, formats.jpeg],
  // PNG (ISO/IEC 15948) section 5.2; TIFF 6.0 section 2, in both octet orders.
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

/**
 * PJL Technical Reference, "ENTER" and "Kernel commands". Without ENTER the printer finds the language by the data, as
 * this code does.
 */
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

/**
 * A printer without the entered language examines the data, so data that looks like PostScript is treated as
 * PostScript.
 */
function enteredFormat(entered: string, data: string): string {
  if (isPostscript(data)) return formats.postscript;
  return entered === formats.pclXl && !/^([()'] HP-PCL XL|$)/.test(data) ? unknownFormat : entered;
}

const isPostscript = (data: string): boolean => /^[\s\0\u0004]*%!/.test(data);

/**
 * Whether the document begins with the first octets of its format, so that a printer that finds languages by them finds
 * the same. A PDF may begin differently, and such a printer might run the octets before it as a program.
 */
export function beginsPlainly(head: Buffer, format: string): boolean {
  if (format !== formats.pdf) return true;
  const text = head.subarray(0, sniffedOctets).toString('latin1');
  const data = text.replace(/^(\u001b%-12345X|[\s\0]*@PJL[^\n]*\n)+/i, '');
  return /^(\u00ef\u00bb\u00bf)?[\s\0]*(%PDF-|$)/.test(data);
}

const latestHeader = 1024;

/**
 * PDF Reference, sixth edition, appendix H, note 13: the header may stand within the first 1024 octets. It does not
 * count after octets that a printer would obey first.
 */
function hasLatePdfHeader(text: string): boolean {
  const at = text.slice(0, latestHeader + 8).search(/%PDF-[12]\.\d/);
  return at >= 0 && at <= latestHeader && !isCommand(text.slice(0, at));
}

/** Text that commands printers of some makes, or that begins as no text for people does. */
const isCommand = (text: string): boolean => text.includes('\u001b') || holdsTextCommand(text);

/**
 * Commands that printers obey although they are plain text: PostScript · PJL · ZPL (`^XA`, Zebra, ZPL II Programming
 * Guide) · PRESCRIBE (`!R!`, at any place and in any language; Kyocera, PRESCRIBE Commands Technical Reference, "Entry
 * and Exit").
 */
export const holdsTextCommand = (text: string): boolean => /^\s*%!|(^|\n)\s*(@PJL\b|\^XA|~DG)|!R!/.test(text);

/** Markup, a program or a record: neither people nor printers read it as text. */
const scripts = /^\s*(<|#!|\{)/;

/** UTF-8, which includes ASCII, with a BOM or without, and no controls but those of a typewriter. */
function isText(text: string): boolean {
  const body = text.replace(/^\u00ef\u00bb\u00bf/, '');
  if (body.trim() === '' || !isPrintable(body)) return false;
  return !scripts.test(body) && !holdsTextCommand(body) && isUtf8(body);
}

/** Also for a part of a text. */
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
