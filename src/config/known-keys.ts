/** The keys that may stand at a place of a file, for whoever mistyped one; asked of its JSON Schema. */
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

/** Of the configuration, whose schema is made when the first mistake asks for it. */
export const knownKeys = (path: KeyPath): readonly string[] =>
  (ofConfiguration ??= knownKeysIn(configJsonSchema()))(path);

/** Of alternatives, those of all. */
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

/** The JSON Schema of the configuration, generated from the one schema; `config/platen.schema.json` is its text. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema(outsideOf('.', {})), { io: 'input' });
  return `${JSON.stringify({ title: 'Platen configuration', ...schema }, undefined, 2)}\n`;
}
