/**
 * Parameters as they travel, as text, made into the values that their schemas speak of: queries, forms
 * (application/x-www-form-urlencoded) and the parts of multipart/form-data (RFC 7578). What does not fit stays text,
 * for the schema to complain of.
 */
import type { Schema } from './document.ts';

export type Pair = readonly [name: string, text: string];

export const pairsOf = (encoded: string): readonly Pair[] => [...new URLSearchParams(encoded)];

/** One value for each name; a name that comes more often is a list, whether it may be one or not. */
export function valuesOf(pairs: readonly Pair[], schema: Schema): Readonly<Record<string, unknown>> {
  const texts = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    Array.from(texts, ([name, given]) => {
      const property = propertyOf(schema, name);
      const list = given.map(([, text]) => valueOf(text, property?.items ?? property));
      return [name, list.length > 1 || typesOf(property).includes('array') ? list : list[0]];
    }),
  );
}

function propertyOf(schema: Schema, name: string): Schema | undefined {
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? [])];
  return (
    schema.properties?.[name] ?? parts.map((part) => propertyOf(part, name)).find((one) => one !== undefined)
  );
}

const typesOf = (schema: Schema | undefined): readonly string[] => [
  ...[schema?.type ?? []].flat(),
  ...(schema?.allOf ?? []).flatMap(typesOf),
];

function valueOf(text: string, schema: Schema | undefined): unknown {
  const types = typesOf(schema);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = types.includes('integer') || types.includes('number');
  return isNumber && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The parts by name. `undefined`: it is no multipart/form-data, or a file has no name. */
export function partsOf(body: string, contentType: string): readonly Pair[] | undefined {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;]+))/.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const [preamble, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`);
  if (preamble !== '' || parts.pop()?.startsWith('--') !== true) return undefined;
  const pairs = parts.flatMap((part): Pair[] => {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end);
    const [, name] = /; name="([^"]+)"/.exec(head) ?? [];
    const isFile = /^content-type: *application\/octet-stream$/im.test(head);
    if (end < 0 || name === undefined || isFile !== /; filename\*?=/.test(head)) return [];
    return [[name, part.slice(end + 4)]];
  });
  return pairs.length === parts.length ? pairs : undefined;
}
