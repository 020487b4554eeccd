/**
 * Lists every key of a file that a JSON Schema describes, with its values, default and meaning, in words for people.
 */
import { z } from 'zod';

/** The part of JSON Schema that zod writes for such a file. */
interface Schema {
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly type?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
}

const schemaShape: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    description: z.string().optional(),
    default: z.unknown().optional(),
    type: z.string().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    required: z.array(z.string()).optional(),
    properties: z.record(z.string(), schemaShape).optional(),
    items: schemaShape.optional(),
    anyOf: z.array(schemaShape).optional(),
    oneOf: z.array(schemaShape).optional(),
  }),
);

export interface Key {
  /** `terminals[].printer.uri` */
  readonly path: string;
  /** Such as `5 to 600`. */
  readonly values: string;
  /** Each word that is allowed as a value. */
  readonly words: readonly string[];
  readonly default: string | undefined;
  /** Required if the object around it is there. */
  readonly isRequired: boolean;
  readonly meaning: string | undefined;
}

export const keysOf = (schema: unknown): readonly Key[] => [
  // Alternatives may have keys in common.
  ...new Map(
    keysBelow(schemaShape.parse(schema), '').map((key) => [`${key.path} ${key.values} ${key.meaning}`, key]),
  ).values(),
];

function keysBelow(schema: Schema, path: string, isRequired = false): readonly Key[] {
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, child]) =>
      keysBelow(child, path === '' ? name : `${path}.${name}`, schema.required?.includes(name)),
    );
  }
  const own: Key = {
    path,
    values: valuesOf(schema),
    words: wordsOf(schema),
    default: schema.default === undefined ? undefined : inYaml(schema.default),
    isRequired: isRequired && schema.default === undefined,
    meaning: schema.description,
  };
  if (isSecret(schema)) return [own];
  if (schema.items) {
    const within = keysBelow(schema.items, `${path}[]`);
    return [own, ...within.filter((key) => key.path !== `${path}[]`)];
  }
  return [
    own,
    ...alternativesOf(schema).flatMap((child) => (child.properties ? keysBelow(child, path) : [])),
  ];
}

const alternativesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

const isSecret = (schema: Schema): boolean =>
  alternativesOf(schema).some(({ properties }) => properties?.['credential'] !== undefined);

const wordsOf = (schema: Schema): readonly string[] => [
  ...(schema.enum ?? []).map(String),
  ...[...alternativesOf(schema), ...(schema.items ? [schema.items] : [])].flatMap(wordsOf),
];

function valuesOf(schema: Schema): string {
  if (isSecret(schema)) return 'a secret';
  if (schema.const !== undefined) return inYaml(schema.const);
  if (schema.enum) return someOf(schema.enum);
  if (schema.items) return `a list of ${valuesOf(schema.items)}`;
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map(valuesOf))].join(', ');
  switch (schema.type) {
    case 'boolean':
      return 'true, false';
    case 'object':
      return 'keys as below';
    case 'integer':
    case 'number':
      return rangeOf(schema);
    default:
      return 'text';
  }
}

/** If there are many values, the reader needs to see their kind, not each value. */
const mostShown = 12;

function someOf(values: readonly unknown[]): string {
  if (values.length <= mostShown) return values.map(inYaml).join(', ');
  return [...values.slice(0, 3).map(inYaml), '…'].join(', ');
}

function rangeOf({ type, minimum, exclusiveMinimum, maximum }: Schema): string {
  const what = type === 'integer' ? 'a whole number' : 'a number';
  const from = minimum ?? (exclusiveMinimum === undefined ? undefined : `above ${exclusiveMinimum}`);
  const bounds = [
    from === undefined ? [] : [`from ${from}`],
    isBound(maximum) ? [`to ${maximum}`] : [],
  ].flat();
  return [what, ...bounds].join(' ').replace('from above', 'above');
}

/** JavaScript's greatest safe integer is not a bound of ours. */
const isBound = (maximum: number | undefined): maximum is number =>
  maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;

const inYaml = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
