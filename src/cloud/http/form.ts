/**
 * Parameters in the form in which they are sent: bodies of `application/x-www-form-urlencoded`, queries, and text as a
 * part of a path (RFC 3986). A body is built once as bytes, in the given order: the signed bytes are the sent bytes
 * (src/cloud/README.md 2).
 */
import type { Readable } from 'node:stream';

type FormValue = string | number | boolean;

/** A field without a value is left out. A list is a repeatable parameter, sent once for each of its values. */
export type FormField = readonly [name: string, value: FormValue | readonly FormValue[] | undefined];

export interface Body {
  readonly type: string;
  readonly bytes: Buffer;
}

/** For a file that is never in memory as a whole; sent once. */
export interface StreamedBody {
  readonly type: string;
  readonly length: number;
  readonly stream: Readable;
}

export function formBody(fields: readonly FormField[]): Body {
  const pairs = new URLSearchParams();
  for (const [name, value] of pairsOf(fields)) pairs.append(name, value);
  return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(pairs.toString()) };
}

export const jsonBody = (value: object): Body => ({
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
});

/** `?name=value&…`, or nothing if no field has a value. */
export function query(fields: readonly FormField[]): string {
  const pairs = pairsOf(fields).map(([name, value]) => `${pathSegment(name)}=${pathSegment(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

export const pairsOf = (fields: readonly FormField[]): readonly (readonly [string, string])[] =>
  fields.flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map((one) => [name, String(one)] as const),
  );

/** Everything but the unreserved characters of RFC 3986 section 2.3 is percent-encoded. */
export const pathSegment = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
