/**
 * Asks Ghostscript in the sandbox which fonts it replaces. It reads the messages of Ghostscript 10.00 (Debian 12) to
 * 10.07, which are the same.
 */
import { Readable } from 'node:stream';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { Recipe } from '../conversion-commands.ts';
import type { Sandbox } from '../sandbox.ts';
import { linesOf } from './pdf-objects.ts';
import type { SeenFonts } from './foreign-fonts.ts';

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
  const [simple, composite, letters] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const inks: boolean[] = [];
  for await (const line of linesOf(output)) {
    const letter = /^\/(\S+)$/.exec(line)?.[1];
    const [, kind, name] =
      /^Loading (font|CIDFont) (.*?) (?:\(or substitute\)|substitute) from /.exec(line) ?? [];
    if (letter !== undefined) letters.add(letter);
    else if (name !== undefined) (kind === 'font' ? simple : composite).add(name);
    else if (/^( *[01]\.\d+){4} CMYK OK/.test(line)) inks.push(/[1-9]/.test(line));
  }
  return { simple, composite, letters, inks };
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

export interface MissingScript {
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
