/** How the page looks at one place, as the administrator has said it: the answer to `GET /look.json`, for both ends. */
import type { LanguageCode } from '../domain/language.ts';

/** A sentence in some of the languages of the page. */
export type Texts = { readonly [Code in LanguageCode]?: string | undefined };

export interface Look {
  /** Whose it is. */
  readonly name?: string | undefined;
  /** The address of the picture. */
  readonly logo?: string | undefined;
  /** In the place of what the idle screen says below its call. */
  readonly idle?: Texts | undefined;
  /** Which, in what order, the first of them first; without it all, and first that of the browser. */
  readonly languages?: readonly LanguageCode[] | undefined;
  /** What people read where nothing waits. */
  readonly howToSend?: Texts | undefined;
  /** Who has a few documents prints all of them by a button as large as half the screen. */
  readonly hasBigButtons?: true | undefined;
}

export const lookAddress = '/look.json';
/** Colours of the administrator's; empty where there are none. */
export const accentAddress = '/accent.css';
