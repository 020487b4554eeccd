/**
 * A text of the page. `{n}` and other names in braces are replaced by values. A plural has a form for each rule of its
 * language.
 */
export type Plural = { readonly [Rule in Intl.LDMLPluralRule]?: string } & { readonly other: string };
export type Message = string | Plural;
