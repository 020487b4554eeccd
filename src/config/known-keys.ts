/** The keys that may stand at a place of a file, for whoever mistyped one; asked of its JSON Schema. */
import { configJsonSchema } from './json-schema.ts';
import type { KeyPath } from './mistakes.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Of the configuration. */
export const knownKeys = (path: KeyPath): readonly string[] => knownKeysIn(configJsonSchema())(path);

/** Of alternatives, those of all. */
export const knownKeysIn =
  (schema: string) =>
  (path: KeyPath): readonly string[] => {
    const root = JSON.parse(schema) as Schema;
    const there = path.reduce<readonly Schema[]>((schemas, part) => schemas.flatMap(below(part)), [root]);
    return there.flatMap(alternatives).flatMap(({ properties = {} }) => Object.keys(properties));
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
