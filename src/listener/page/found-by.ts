/** The letters by which people search: `Muller` finds `Müller`, `ＰＤＦ` is `pdf`. */

/**
 * Only the letters: without case, without marks above and below them, and without width (Unicode NFKD). `locale`
 * decides about case.
 */
export const foundBy = (text: string, locale?: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLocaleLowerCase(locale)
    // In Turkish a capital I is ı, and İ is i.
    .replaceAll('ı', 'i');
