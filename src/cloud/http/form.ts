/**
 * Parameters as they go out: bodies of `application/x-www-form-urlencoded`, queries, and text as a part of a path
 * (RFC 3986). A body is built once as bytes, in the order given: what is signed is what is sent (src/cloud/README.md 2).
 */
import type { Readable } from 'node:stream';

type FormValue = string | number | boolean;

/** A field whose value is not known is left out; a list is a repeatable parameter and comes once for each of its values. */
export type FormField = readonly [name: string, value: FormValue | readonly FormValue[] | undefined];

export interface Body {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Of a file that is never in memory as a whole; sent once. */
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

/** `?name=value&…`, or nothing where no field is known. */
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
