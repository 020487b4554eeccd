/**
 * The MAC address of a reader, spelled as the service wants it. The spelling is not published (src/cloud/README.md 12,
 * row 43): upper or lower case, with colons, dashes or nothing between the bytes.
 */

export const macSpellings = [
  'upper-colon',
  'upper-dash',
  'upper-none',
  'lower-colon',
  'lower-dash',
  'lower-none',
] as const;
export type MacSpelling = (typeof macSpellings)[number];

/** Takes the address in any of the usual spellings; `undefined` if it is no MAC address. */
export function spellMac(mac: string, spelling: MacSpelling): string | undefined {
  const digits = mac.replace(/[:.\s-]/g, '');
  if (!/^[0-9a-f]{12}$/i.test(digits)) return undefined;
  const [letters, separator] = spelling.split('-');
  const cased = letters === 'upper' ? digits.toUpperCase() : digits.toLowerCase();
  return cased.replace(/..(?=.)/g, `$&${separator === 'colon' ? ':' : separator === 'dash' ? '-' : ''}`);
}
