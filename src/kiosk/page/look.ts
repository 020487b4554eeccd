/** How the page looks at this place, for every part of it. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Look, Texts } from '../look.ts';
import { canDraw } from './glyphs.ts';
import { lookAddress } from '../look.ts';
import type { Language } from '../../phrases/language.ts';
import { english, languageFor, languages } from '../../phrases/language.ts';

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
