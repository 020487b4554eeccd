/**
 * Finds the fonts that a PDF names but does not contain (ISO 32000-1, sections 9.6 to 9.8). Ghostscript replaces them.
 * A Latin font becomes another Latin font, which stays readable. A font with other letters would become Latin letters,
 * or nothing. The messages of Ghostscript show which fonts are safe.
 */
import type { PdfDictionary, PdfObjects, PdfValue } from './pdf-objects.ts';

/** The name is in octets as Latin-1. */
export interface ForeignFont {
  readonly name: string;
  readonly isComposite: boolean;
  /** Nothing tells which letters its codes mean. */
  readonly isUnreadable: boolean;
  /** For a composite font: the collection that gives its numbers their letters. */
  readonly ordering?: string;
  /** The letters that the document assigns to its codes. */
  readonly letters: readonly string[];
}

export function foreignFonts(objects: PdfObjects): readonly ForeignFont[] {
  return [...objects.dictionaries()].flatMap((one) => {
    const type = one['/Subtype'];
    if (type === '/Type0') return compositeFont(one, objects);
    return simple.includes(type) && typeof one['/BaseFont'] === 'string' ? simpleFont(one, objects) : [];
  });
}

const simple: readonly PdfValue[] = ['/Type1', '/MMType1', '/TrueType'];

const programs = ['/FontFile', '/FontFile2', '/FontFile3'];

const isEmbedded = (font: PdfDictionary, objects: PdfObjects): boolean => {
  const descriptor = objects.dictionary(font['/FontDescriptor']);
  return programs.some((program) => descriptor[program] !== undefined);
};

/** Collections of letters whose numbers mean the same in each of their fonts (ISO 32000-1, table 118). */
const collections = /^[ub]:(Japan1|GB1|CNS1|Korea1)$/;

function compositeFont(font: PdfDictionary, objects: PdfObjects): readonly ForeignFont[] {
  const inner = objects.dictionary(objects.list(font['/DescendantFonts'])[0]);
  if (isEmbedded(inner, objects)) return [];
  const ordering = objects.get(objects.dictionary(inner['/CIDSystemInfo'])['/Ordering']);
  return [
    {
      name: octetsOf(inner['/BaseFont']),
      isComposite: true,
      isUnreadable: !collections.test(String(ordering)),
      ordering: String(ordering).slice(2),
      letters: [],
    },
  ];
}

/** Ghostscript has these fonts or similar ones, with their own letters. */
const pictured = /^(Symbol(MT)?(,.*)?|ZapfDingbats|StandardSymbolsPS|D050000L)$/;

/** Fonts with other scripts, pictures or bars in the places of Latin letters. Only their names show that. */
const disguised =
  /wingding|webding|marlett|mt-?extra|barcode|code-?(39|93|128)|3of9|ean-?(8|13)|fontawesome|kruti ?-?dev|devlys|chanakya|shusha|shree-?dev|preeti|kantipur|bamini|vanavil|sutonny|akruti/i;

/** FontDescriptor, Flags (ISO 32000-1, table 123). */
const symbolic = 4;

function simpleFont(font: PdfDictionary, objects: PdfObjects): readonly ForeignFont[] {
  const name = octetsOf(font['/BaseFont']);
  if (isEmbedded(font, objects) || pictured.test(name)) return [];
  const encoding = objects.get(font['/Encoding']);
  const differences = objects.list(objects.dictionary(encoding)['/Differences']);
  const flags = Number(objects.dictionary(font['/FontDescriptor'])['/Flags'] ?? 0);
  const isCoded = encoding !== undefined || (flags & symbolic) === 0 || latin.test(name);
  return [
    {
      name,
      isComposite: false,
      isUnreadable: !isCoded || encoding === '/MacExpertEncoding' || disguised.test(name),
      letters: differences.filter((one) => typeof one === 'string').map((one) => octetsOf(one)),
    },
  ];
}

/** Many programs mark every font as symbolic, also these Latin fonts. */
const latin = /arial|helvetica|times|courier|verdana|tahoma|calibri|cambria|georgia|garamond|segoe|roboto/i;

/** The name as Ghostscript prints it. */
const octetsOf = (name: PdfValue): string =>
  typeof name !== 'string'
    ? ''
    : name
        .replace(/^(n:)?\//, '')
        .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** What Ghostscript reported while it went through the pages. */
export interface SeenFonts {
  /** The fonts that it replaced. */
  readonly simple: ReadonlySet<string>;
  readonly composite: ReadonlySet<string>;
  /** The names of the letters that the replacement fonts have. */
  readonly letters: ReadonlySet<string>;
  /** For each page, whether it has any ink. */
  readonly inks: readonly boolean[];
}

/** Only going through the pages can show whether letters get lost. */
export const isDoubtful = ({ isComposite, isUnreadable, letters }: ForeignFont): boolean =>
  isComposite || isUnreadable || letters.length > 0;

/** The name of a font that would lose some of its letters. */
export function lostFont(fonts: readonly ForeignFont[], seen: SeenFonts): string | undefined {
  const lost = fonts.find(
    (font) =>
      (font.isComposite ? seen.composite : seen.simple).has(font.name) &&
      (font.isUnreadable || font.letters.some((letter) => !isThere(letter, seen.letters))),
  );
  if (lost) return lost.name;
  // If Ghostscript finds no replacement for a composite font, it sets the octets in a Latin font and reports that under
  // the name on the page.
  const known = new Set(fonts.filter(({ isComposite }) => !isComposite).map(({ name }) => name));
  return fonts.some(({ isComposite }) => isComposite)
    ? [...seen.simple].find((name) => !known.has(name) && !pictured.test(name) && !standard.test(name))
    : undefined;
}

/** Ghostscript writes notes and fields in these fonts; it ignores the fonts that the document names for them. */
const standard = /^(Helvetica|Courier|Times-Roman|Times)(-\w+)?$/;

/** Names of glyphs that are not visible. */
const unseen = new Set(['.notdef', '.null', 'CR', 'nonmarkingreturn', 'sfthyphen', 'softhyphen']);

const isThere = (letter: string, letters: ReadonlySet<string>): boolean =>
  unseen.has(letter) || letters.has(letter);
