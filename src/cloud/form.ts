/**
 * Request bodies of `application/x-www-form-urlencoded`, and text as a part of a path (RFC 3986). A body is built
 * once as bytes, in the order given: what is signed is what is sent (api-supplement.md 2).
 */

/** A field whose value is not known is left out. */
export type FormField = readonly [name: string, value: string | number | boolean | undefined];

export interface Body {
  readonly type: string;
  readonly bytes: Buffer;
}

export function formBody(fields: readonly FormField[]): Body {
  const pairs = new URLSearchParams();
  for (const [name, value] of fields) if (value !== undefined) pairs.append(name, String(value));
  return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(pairs.toString()) };
}

export const jsonBody = (value: object): Body => ({
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
});

/** Everything but the unreserved characters of RFC 3986 section 2.3 is percent-encoded. */
export const pathSegment = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
