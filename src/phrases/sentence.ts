/** A sentence of the page: `{n}` and the like stand for what is put in; a plural has a form for each rule of its language. */
export type Plural = { readonly [Rule in Intl.LDMLPluralRule]?: string } & { readonly other: string };
export type Message = string | Plural;
