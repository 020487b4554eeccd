/** The look of the page at this place, for every part of it. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Look, Texts } from '../look.ts';
import { lookAddress } from '../look.ts';
import type { Language } from '../../phrases/language.ts';
import { english, languageFor, languages } from '../../phrases/language.ts';
import type { LanguageCode } from '../../domain/language.ts';

const usual: Look = {};

/** As the agent has it at this moment. After a change the agent serves another page. */
export async function readLook(): Promise<Look> {
  try {
    return (await (await fetch(lookAddress)).json()) as Look;
  } catch {
    return usual;
  }
}

const context = createContext(usual);

export const LookProvider = context.Provider;
export const useLook = (): Look => useContext(context);

/** The languages whose letters this machine can draw. */
export const languagesOf = ({ languages: codes }: Look): readonly Language[] =>
  (codes?.flatMap((code) => languages.filter((one) => one.code === code)) ?? languages).filter(({ code }) =>
    canDraw(code),
  );

/** The language if no person has chosen one. */
export function ownLanguageOf(look: Look): Language {
  const [first] = languagesOf(look);
  const wanted = languageFor(navigator.languages);
  if (look.languages && first) return first;
  return canDraw(wanted.code) ? wanted : english;
}

/** The administrator's text in this language, if there is one. */
export const saidIn = (texts: Texts | undefined, { code }: Language): string | undefined => texts?.[code];

/**
 * Can this machine draw the letters of a script? Letters without a font all look like the same box, and a language of
 * boxes is not offered.
 */
const size = 24;

/** Two letters of each script that do not look alike. */
const samples: { readonly [Code in LanguageCode]?: string } = { ja: 'あ漢', ar: 'عم' };

/** The last code point but two of all; no font has it (Unicode, 23.7). */
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

/** Scripts that every machine has are not tested. */
function canDraw(code: LanguageCode): boolean {
  const sample = samples[code];
  if (sample === undefined) return true;
  const found = known.get(code) ?? new Set([boxed, ...sample].map(drawn)).size === [...sample].length + 1;
  known.set(code, found);
  return found;
}
