/** How the page looks at this place, for every part of it. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Look, Texts } from '../look.ts';
import { lookAddress } from '../look.ts';
import type { Language } from '../../phrases/language.ts';
import { english, languageFor, languages } from '../../phrases/language.ts';
import type { LanguageCode } from '../../domain/language.ts';

const usual: Look = {};

/** As the agent has it at this moment: another one is another page. */
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

/** Those that can be read here. */
export const languagesOf = ({ languages: codes }: Look): readonly Language[] =>
  (codes?.flatMap((code) => languages.filter((one) => one.code === code)) ?? languages).filter(({ code }) =>
    canDraw(code),
  );

/** Of nobody. */
export function ownLanguageOf(look: Look): Language {
  const [first] = languagesOf(look);
  const wanted = languageFor(navigator.languages);
  if (look.languages && first) return first;
  return canDraw(wanted.code) ? wanted : english;
}

/** What the administrator says in this language, where they do. */
export const saidIn = (texts: Texts | undefined, { code }: Language): string | undefined => texts?.[code];

/**
 * Whether this machine has the letters of a script: what it has not, it draws as a box, all of it as the same one. Nobody
 * is offered boxes to read.
 */
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
function canDraw(code: LanguageCode): boolean {
  const sample = samples[code];
  if (sample === undefined) return true;
  const found = known.get(code) ?? new Set([boxed, ...sample].map(drawn)).size === [...sample].length + 1;
  known.set(code, found);
  return found;
}
