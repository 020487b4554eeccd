/** What people search by: `Muller` finds `Müller`, `ＰＤＦ` is `pdf`. */

/** The letters alone: without case, marks above and below them, and width (Unicode NFKD). `locale` decides about case. */
export const foundBy = (text: string, locale?: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLocaleLowerCase(locale)
    // In Turkish a capital I is ı, and İ is i.
    .replaceAll('ı', 'i');
