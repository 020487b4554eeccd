/**
 * Lists the keys that are allowed at a place of a file, to suggest one for a mistyped key. The list comes from the JSON
 * Schema.
 */
import { z } from 'zod';
import type { KeyPath } from './mistakes.ts';
import { outsideOf } from './outside.ts';
import { configSchema } from './schema/config.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

let ofConfiguration: ReturnType<typeof knownKeysIn> | undefined;

/** For the configuration file. Its schema is built when the first mistake needs it. */
export const knownKeys = (path: KeyPath): readonly string[] =>
  (ofConfiguration ??= knownKeysIn(configJsonSchema()))(path);

/** If a value has alternatives, the keys of all alternatives count. */
export const knownKeysIn = (schema: string) => {
  const root = JSON.parse(schema) as Schema;
  return (path: KeyPath): readonly string[] => {
    const there = path.reduce<readonly Schema[]>((schemas, part) => schemas.flatMap(below(part)), [root]);
    return there.flatMap(alternatives).flatMap(({ properties = {} }) => Object.keys(properties));
  };
};

const alternatives = (schema: Schema): readonly Schema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(alternatives),
];

const below = (part: string | number) => (schema: Schema) =>
  alternatives(schema).flatMap(({ properties = {}, items }) => {
    const child = typeof part === 'number' ? items : properties[part];
    return child === undefined ? [] : [child];
  });

/** Generates the JSON Schema of the configuration. `config/platen.schema.json` holds this text. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema(outsideOf('.', {})), { io: 'input' });
  return `${JSON.stringify({ title: 'Platen configuration', ...schema }, undefined, 2)}\n`;
}
