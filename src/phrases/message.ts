/** The texts of a language, and how values are put into them. */
import type { en } from './en.ts';
import type { Message, Plural } from './sentence.ts';

/** All texts of a screen. A catalogue that lacks one of them does not compile. */
export type Messages = {
  readonly [Key in keyof typeof en]: (typeof en)[Key] extends string ? string : Plural;
};
export type MessageKey = keyof Messages;
/** The keys of texts without plural forms. */
export type SentenceKey = { [Key in MessageKey]: Messages[Key] extends string ? Key : never }[MessageKey];

export type Params = Readonly<Record<string, string | number>>;

/** The number format and the plural rules of a locale. They are made once, because that takes long. */
export interface Numerals {
  readonly number: Intl.NumberFormat;
  readonly plural: Intl.PluralRules;
}

export const numeralsOf = (locale: string): Numerals => ({
  number: new Intl.NumberFormat(locale),
  plural: new Intl.PluralRules(locale),
});

/** Puts the values into a message. The value `n` chooses the plural form. */
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
