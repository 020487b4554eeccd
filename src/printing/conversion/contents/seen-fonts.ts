/**
 * What Ghostscript tells of the fonts it takes in place of others, asked in the room where it will draw the pages: its
 * messages of 10.00 (Debian 12) to 10.07, which are the same.
 */
import type { Recipe } from '../conversion-commands.ts';
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
