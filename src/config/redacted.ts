/**
 * A configuration without its secrets, for other people. Keys marked `neverShown` are replaced, and so are keys that
 * the schema does not know. A file with mistakes shows only its keys, because its values may be in the wrong place.
 */
import { z } from 'zod';
import type { KeyPath } from './mistakes.ts';
import { outsideOf } from './outside.ts';
import { configSchema } from './schema/config.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** For a file without mistakes. A reference to a secret, for example to a file, stays visible. */
export const redactedSettings = (settings: unknown): unknown => redacted(settings, [wholeSchema()]);

/** For any file: its keys, and the type of each value. */
export const keysOfSettings = (settings: unknown): unknown =>
  mapped(settings, {
    scalar: (value) => `[${value === null ? 'nothing' : `a ${typeof value}`}]`,
    entry: (key, value) => [plainKey.test(key) ? key : '[no key]', keysOfSettings(value)],
    item: keysOfSettings,
  });

/** In a malformed file, a line that was meant as a value can become a key. */
const plainKey = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

/** Values at the keys of secrets, and at keys that the schema does not know. */
export function secretsOfSettings(settings: unknown): readonly string[] {
  const found: string[] = [];
  collect(settings, [wholeSchema()], found);
  return found;
}

/** Each value at a key where a secret may be written or referenced. */
export function placesOfSecrets(
  settings: unknown,
): readonly { readonly path: KeyPath; readonly value: unknown }[] {
  const found: { path: KeyPath; value: unknown }[] = [];
  const visit = (value: unknown, schemas: readonly Schema[], path: KeyPath): void => {
    if (schemas.some(isSecretSource)) found.push({ path, value });
    else if (Array.isArray(value)) {
      value.forEach((one: unknown, index) => visit(one, itemsOf(schemas), [...path, index]));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) visit(one, under(schemas, key), [...path, key]);
    }
  };
  visit(settings, [wholeSchema()], []);
  return found;
}

/** A key that is never shown is not always a secret: some hold plain text. */
const isSecretSource = (schema: Schema): boolean =>
  schema.writeOnly === true &&
  alternatives(schema).some(({ properties = {} }) => places.some((place) => place in properties));

/** Built once, because a fleet may have a thousand parts to check. */
let schemaOfAll: Schema | undefined;

const wholeSchema = (): Schema =>
  (schemaOfAll ??= z.toJSONSchema(configSchema(outsideOf('.', {})), { io: 'input' }));

function redacted(value: unknown, schemas: readonly Schema[]): unknown {
  if (schemas.length === 0 || isSecret(value, schemas)) return '[secret]';
  return mapped(value, {
    scalar: (one) => (schemas.some(mayBeScalar) ? one : '[secret]'),
    entry: (key, one) => [key, redacted(one, under(schemas, key))],
    item: (one) => redacted(one, itemsOf(schemas)),
  });
}

function collect(value: unknown, schemas: readonly Schema[], found: string[]): void {
  mapped(value, {
    scalar: (one) => {
      if (schemas.length === 0 || isSecret(one, schemas)) found.push(String(one));
    },
    entry: (key, one) => [key, collect(one, isSecret(value, schemas) ? [] : under(schemas, key), found)],
    item: (one) => collect(one, itemsOf(schemas), found),
  });
}

const isSecret = (value: unknown, schemas: readonly Schema[]): boolean =>
  schemas.some(({ writeOnly }) => writeOnly === true) && !isPlace(value);

const mayBeScalar = ({ type }: Schema): boolean => type !== 'object' && type !== 'array';

/** A reference: `{ file: PATH }`, `{ env: NAME }`, `{ credential: NAME }`. */
const isPlace = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).every((key) => places.includes(key));
const places = ['file', 'env', 'credential'];

const under = (schemas: readonly Schema[], key: string): Schema[] =>
  schemas.flatMap((schema) => childOf(schema.properties?.[key])).flatMap(alternatives);
const itemsOf = (schemas: readonly Schema[]): Schema[] =>
  schemas.flatMap(({ items }) => (Array.isArray(items) ? [] : childOf(items))).flatMap(alternatives);
const childOf = (schema: Schema | boolean | undefined): Schema[] =>
  typeof schema === 'object' ? [schema] : [];

/** The schema itself and all alternatives in it. */
const alternatives = (schema: Schema): Schema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    .flatMap(childOf)
    .flatMap(alternatives),
];

function mapped(
  value: unknown,
  by: {
    scalar(value: unknown): unknown;
    entry(key: string, value: unknown): readonly [string, unknown];
    item(value: unknown): unknown;
  },
): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => by.item(one));
  if (typeof value !== 'object' || value === null) return by.scalar(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => by.entry(key, one)));
}
