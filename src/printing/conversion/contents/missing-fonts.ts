/**
 * Finds the fonts that a PDF names but does not contain (ISO 32000-1, sections 9.6 to 9.8), and asks Ghostscript in
 * the sandbox which ones it replaces. A Latin font becomes another Latin font, which stays readable. A font with
 * other letters would become Latin letters, or nothing. The messages of Ghostscript 10.00 (Debian 12) to 10.07, which
 * are the same, show which fonts are safe.
 */
import { Readable } from 'node:stream';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { Recipe } from '../conversion-commands.ts';
import type { Sandbox } from '../sandbox.ts';
import type { PdfDictionary, PdfObjects, PdfValue } from './pdf-objects.ts';
import { linesOf } from './pdf-objects.ts';

/** The name is in octets as Latin-1. */
interface ForeignFont {
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
interface SeenFonts {
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

/**
 * Prints the names of all letters that Ghostscript has for a missing font, each on its own line. These are its own
 * names and the other names for the same characters in Adobe's list.
 */
const tellLetters = [
  '/f/Helvetica findfont/CharStrings get def/u 2000 dict def f{pop ==}forall',
  '/each{dup type/integertype eq{1 array astore}if}bind def',
  'AdobeGlyphList{exch f exch known{each{u exch true put}forall}{pop}ifelse}forall',
  'f{pop dup length string cvs dup length 7 eq{dup 0 3 getinterval(uni)eq',
  '{3 4 getinterval(16#0000)dup 3 4 -1 roll putinterval cvi u exch true put}{pop}ifelse}{pop}ifelse}forall',
  'AdobeGlyphList{each{u exch known{dup ==}if}forall pop}forall',
  'u{pop 16 8 string cvrs(uni0000)dup length string copy dup 7 3 index length sub 4 -1 roll putinterval cvn ==}forall',
].join(' ');

/** Goes through the pages and records only whether they have ink. */
export const fontsSeen: Recipe = {
  program: 'ghostscript',
  arguments: ({ document }) => [
    '-dSAFER',
    '-dBATCH',
    '-dNOPAUSE',
    '-sDEVICE=inkcov',
    '-sOutputFile=-',
    '-c',
    tellLetters,
    '-f',
    document,
  ],
  words: ['fonts'],
};

export async function seenFonts(output: AsyncIterable<Buffer>): Promise<SeenFonts> {
  const [plain, composite, letters] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const inks: boolean[] = [];
  for await (const line of linesOf(output)) {
    const letter = /^\/(\S+)$/.exec(line)?.[1];
    const [, kind, name] =
      /^Loading (font|CIDFont) (.*?) (?:\(or substitute\)|substitute) from /.exec(line) ?? [];
    if (letter !== undefined) letters.add(letter);
    else if (name !== undefined) (kind === 'font' ? plain : composite).add(name);
    else if (/^( *[01]\.\d+){4} CMYK OK/.test(line)) inks.push(/[1-9]/.test(line));
  }
  return { simple: plain, composite, letters, inks };
}

/**
 * A letter of each script that is set with a font of its collection. Documents of East Asia often do not contain that
 * font.
 */
const scripts: readonly (readonly [script: string, ordering: string, cmap: string, letter: string])[] = [
  ['Japanese', 'Japan1', 'UniJIS-UCS2-H', '3042'],
  ['simplified Chinese', 'GB1', 'UniGB-UCS2-H', '7B80'],
  ['traditional Chinese', 'CNS1', 'UniCNS-UCS2-H', '7E41'],
  ['Korean', 'Korea1', 'UniKS-UCS2-H', 'D55C'],
];

interface MissingScript {
  readonly script: string;
  /** The name of its collection. */
  readonly ordering: string;
}

/** A document with one page for each script. */
function specimen(): Buffer {
  const pages = scripts.flatMap(([, ordering, cmap, letter], index) => {
    const text = `BT /F 40 Tf 20 20 Td <${letter}> Tj ET`;
    const font = `<</Type/Font/Subtype/Type0/BaseFont/${ordering}-${cmap}/Encoding/${cmap}/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/${ordering}/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 0>>/FontDescriptor 3 0 R>>]>>`;
    return [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Resources<</Font<</F${font}>>>>/Contents ${5 + 2 * index} 0 R>>`,
      `<</Length ${text.length}>>stream\n${text}\nendstream`,
    ];
  });
  const kids = scripts.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${scripts.length}/Kids[${kids}]>>`,
    '<</Type/FontDescriptor/FontName/None/Flags 4/FontBBox[0 0 999 999]/ItalicAngle 0/Ascent 999/Descent 0/StemV 80>>',
    ...pages,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`);
}

/** Scripts for which Ghostscript draws no letter, or a Latin one, in place of a missing font. */
export async function scriptsMissing(sandbox: Sandbox, call: CallOptions): Promise<readonly MissingScript[]> {
  const bytes = specimen();
  const document = { length: bytes.length, read: () => Readable.from([bytes], { objectMode: false }) };
  const { composite, inks } = await seenFonts(sandbox.run({ recipe: fontsSeen, document }, call));
  return scripts
    .filter(([, ordering], index) => !composite.has(ordering) || inks[index] !== true)
    .map(([script, ordering]) => ({ script, ordering }));
}
