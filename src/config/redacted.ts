/**
 * A configuration as others may see it. The schema knows which keys hold what is not for them (`neverShown`); what it
 * does not know is not shown either. A file with mistakes shows its keys alone: nobody can tell what stands where.
 */
import { z } from 'zod';
import type { KeyPath } from './mistakes.ts';
import { outsideOf } from './outside.ts';
import { configSchema } from './schema/config.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** The settings of a file without mistakes. Where a secret is, in a file or elsewhere, stays. */
export const redactedSettings = (settings: unknown): unknown => redacted(settings, [wholeSchema()]);

/** The settings of any file: its keys, and what kind of value each has. */
export const keysOfSettings = (settings: unknown): unknown =>
  mapped(settings, {
    scalar: (value) => `[${value === null ? 'nothing' : `a ${typeof value}`}]`,
    entry: (key, value) => [plainKey.test(key) ? key : '[no key]', keysOfSettings(value)],
    item: keysOfSettings,
  });

/** A line that was meant to be a value makes a key too, in a file that is not well formed. */
const plainKey = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

/** What stands where a secret belongs, or at a key that the schema does not know. */
export function secretsOfSettings(settings: unknown): readonly string[] {
  const found: string[] = [];
  collect(settings, [wholeSchema()], found);
  return found;
}

/** Each value that stands where a secret may be written or named. */
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

/** What is never shown may be a mere text as well. */
const isSecretSource = (schema: Schema): boolean =>
  schema.writeOnly === true &&
  alternatives(schema).some(({ properties = {} }) => places.some((place) => place in properties));

/** Made once: a fleet has a thousand parts to be looked through. */
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

/** `{ file: PATH }`, `{ env: NAME }`, `{ credential: NAME }` */
const isPlace = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).every((key) => places.includes(key));
const places = ['file', 'env', 'credential'];

const under = (schemas: readonly Schema[], key: string): Schema[] =>
  schemas.flatMap((schema) => childOf(schema.properties?.[key])).flatMap(alternatives);
const itemsOf = (schemas: readonly Schema[]): Schema[] =>
  schemas.flatMap(({ items }) => (Array.isArray(items) ? [] : childOf(items))).flatMap(alternatives);
const childOf = (schema: Schema | boolean | undefined): Schema[] =>
  typeof schema === 'object' ? [schema] : [];

/** The schema, and all that a union of it offers. */
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
