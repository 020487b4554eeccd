/**
 * Whether this machine has the letters of a script: what it has not, it draws as a box, all of it as the same one. Nobody
 * is offered boxes to read.
 */
import type { LanguageCode } from '../../domain/language.ts';

const size = 24;

/** Two of each, which look like nothing else. */
const samples: { readonly [Code in LanguageCode]?: string } = { ja: 'あ漢', ar: 'عم' };

/** Which no font has: the last code point but two of all (Unicode, 23.7). */
const boxed = '\u{10FFFD}';

const drawn = (letter: string): string => {
  const pen = new OffscreenCanvas(2 * size, 2 * size).getContext('2d');
  if (!pen) return letter;
  pen.font = `${size}px system-ui, sans-serif`;
  pen.textBaseline = 'top';
  pen.fillText(letter, size / 2, size / 2);
  return pen.getImageData(0, 0, 2 * size, 2 * size).data.join();
};

const known = new Map<LanguageCode, boolean>();

/** Letters that every machine has are not looked at. */
export function canDraw(code: LanguageCode): boolean {
  const sample = samples[code];
  if (sample === undefined) return true;
  const found = known.get(code) ?? new Set([boxed, ...sample].map(drawn)).size === [...sample].length + 1;
  known.set(code, found);
  return found;
}
