/**
 * A code as a person reads it from a screen or a printer's panel: the short id of a release, or the reference of an
 * outage. Brackets, dashes, blanks and capitals are ignored.
 */

/** The characters that can be part of a release id. */
export const idIn = (code: string): string => code.replace(/[^0-9a-z]/gi, '').toLowerCase();

/**
 * The six characters of an outage's reference, in Crockford's base 32. Letters that look like digits count as those
 * (https://www.crockford.com/base32.html). `undefined` if the code is no reference.
 */
export function referenceIn(code: string): string | undefined {
  const plain = idIn(code).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return /^[0-9A-HJKMNP-TV-Z]{6}$/.test(plain) ? plain : undefined;
}
