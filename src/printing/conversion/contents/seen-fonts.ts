/**
 * What Ghostscript tells of the fonts it takes in place of others, asked in the room where it will draw the pages: its
 * messages of 10.00 (Debian 12) to 10.07, which are the same.
 */
import { Readable } from 'node:stream';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { Recipe } from '../conversion-commands.ts';
import type { Sandbox } from '../sandbox.ts';
import { linesOf } from './pdf-objects.ts';
import type { SeenFonts } from './foreign-fonts.ts';

/**
 * Prints the names of all letters that it has where a font is missing, in one line each: its own, and the others that
 * Adobe's list has for the same characters.
 */
const letters = [
  '/f/Helvetica findfont/CharStrings get def/u 2000 dict def f{pop ==}forall',
  '/each{dup type/integertype eq{1 array astore}if}bind def',
  'AdobeGlyphList{exch f exch known{each{u exch true put}forall}{pop}ifelse}forall',
  'AdobeGlyphList{each{u exch known{dup ==}if}forall pop}forall',
  'u{pop 16 8 string cvrs(uni0000)dup length string copy dup 7 3 index length sub 4 -1 roll putinterval cvn ==}forall',
].join(' ');

/** The pages are gone through, and nothing is drawn. */
export const fontsSeen: Recipe = {
  program: 'ghostscript',
  arguments: ({ document }) => [
    ...['-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=nullpage'],
    ...['-c', letters, '-f', document],
  ],
  words: ['fonts'],
};

export async function seenFonts(output: AsyncIterable<Buffer>): Promise<SeenFonts> {
  const seen = { simple: new Set<string>(), composite: new Set<string>(), letters: new Set<string>() };
  for await (const line of linesOf(output)) {
    const letter = /^\/(\S+)$/.exec(line)?.[1];
    const [, kind, name] =
      /^Loading (font|CIDFont) (.*?) (?:\(or substitute\)|substitute) from /.exec(line) ?? [];
    if (letter !== undefined) seen.letters.add(letter);
    else if (name !== undefined) seen[kind === 'font' ? 'simple' : 'composite'].add(name);
  }
  return seen;
}

/** A document of four fonts that it does not bring along, as those of East Asia often do not. */
const scripts: readonly (readonly [script: string, ordering: string, cmap: string])[] = [
  ['Japanese', 'Japan1', 'UniJIS-UCS2-H'],
  ['simplified Chinese', 'GB1', 'UniGB-UCS2-H'],
  ['traditional Chinese', 'CNS1', 'UniCNS-UCS2-H'],
  ['Korean', 'Korea1', 'UniKS-UCS2-H'],
];

const fontOf = (ordering: string, cmap: string): string =>
  `/${ordering}<</Type/Font/Subtype/Type0/BaseFont/${ordering}-${cmap}/Encoding/${cmap}/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/${ordering}/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 0>>/FontDescriptor 5 0 R>>]>>`;

const specimen = (): Buffer => {
  const fonts = scripts.map(([, ordering, cmap]) => fontOf(ordering, cmap)).join('');
  const text = scripts.map(([, ordering]) => `/${ordering} 9 Tf<4E00>Tj `).join('');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Resources<</Font<<${fonts}>>>>/Contents 4 0 R>>`,
    `<</Length ${text.length + 6}>>stream\nBT ${text}ET\nendstream`,
    '<</Type/FontDescriptor/FontName/None/Flags 4/FontBBox[0 0 999 999]/ItalicAngle 0/Ascent 999/Descent 0/StemV 80>>',
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<</Root 1 0 R/Size 6>>\nstartxref\n0\n%%EOF\n`);
};

/** Scripts for which Ghostscript has no letters in the place of a font that is missing. */
export async function scriptsMissing(sandbox: Sandbox, call: CallOptions): Promise<readonly string[]> {
  const bytes = specimen();
  const document = { length: bytes.length, read: () => Readable.from([bytes], { objectMode: false }) };
  const { composite } = await seenFonts(sandbox.run({ recipe: fontsSeen, document }, call));
  return scripts.filter(([, ordering]) => !composite.has(ordering)).map(([script]) => script);
}
