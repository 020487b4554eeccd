/**
 * The look of the page as the administrator configured it. It is the answer to `GET /look.json`, for the server and the
 * page.
 */
import type { LanguageCode } from '../domain/language.ts';

/** A sentence in some of the page's languages. */
export type Texts = { readonly [Code in LanguageCode]?: string | undefined };

export interface Look {
  /** The name of the organisation. */
  readonly name?: string | undefined;
  /** The address of the logo. */
  readonly logo?: string | undefined;
  /** Replaces the text below the call on the idle screen. */
  readonly idle?: Texts | undefined;
  /**
   * The languages in their order, the first as default. Without it, all languages are offered and the browser's is the
   * default.
   */
  readonly languages?: readonly LanguageCode[] | undefined;
  /** The text for people who have no waiting documents. */
  readonly howToSend?: Texts | undefined;
  /** With few documents, the button that prints all takes half the screen. */
  readonly hasBigButtons?: true | undefined;
}

export const lookAddress = '/look.json';
/** The stylesheet with the administrator's colours; empty without such colours. */
export const accentAddress = '/accent.css';
