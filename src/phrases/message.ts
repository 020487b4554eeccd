/** What the page says in a language, with what is put in. */
import type { en } from './en.ts';
import type { Message, Plural } from './sentence.ts';

/** All that the page says; a catalogue that lacks one of them is not built. */
export type Messages = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : Plural;
};
export type MessageKey = keyof Messages;
/** The keys of plain sentences. */
export type SentenceKey = { [Key in MessageKey]: Messages[Key] extends string ? Key : never }[MessageKey];

export type Params = Readonly<Record<string, string | number>>;

/** How a locale writes numbers, and which plural form they take; made once, because that takes its time. */
export interface Numerals {
  readonly number: Intl.NumberFormat;
  readonly plural: Intl.PluralRules;
}

export const numeralsOf = (locale: string): Numerals => ({
  number: new Intl.NumberFormat(locale),
  plural: new Intl.PluralRules(locale),
});

/** Fills a message in; the plural form goes by `n`. */
export function fill(message: Message, { number, plural }: Numerals, params: Params = {}): string {
  const template =
    typeof message === 'string'
      ? message
      : (message[plural.select(Number(params['n'] ?? 0))] ?? message.other);
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    return typeof value === 'number' ? number.format(value) : value;
  });
}
