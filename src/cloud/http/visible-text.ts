/** Text from outside as it may stand on a screen (reliability.md B.4, 3 List). */

// C0, DEL, C1; soft hyphen; Arabic letter mark; zero-width and directional marks; line and paragraph separators,
// directional embeddings, overrides and isolates; byte order mark.
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const longest = 255;

/** Well-formed, without invisible characters, at most 255 characters. */
export const visibleText = (text: string): string =>
  Array.from(text.toWellFormed().replace(invisible, '')).slice(0, longest).join('').trim();
