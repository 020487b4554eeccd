/** The manual page platen.yaml(5): every key with its values, default and meaning, from the JSON Schema. */
import { z } from 'zod';
import type { Page } from './package-roff.ts';
import { bold, item, literal, page, paragraph, section, text } from './package-roff.ts';

/** What of JSON Schema zod writes for a configuration. */
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
  /** As in `5 to 600`. */
  readonly values: string;
  readonly default: string | undefined;
  /** Where what it stands in is there. */
  readonly isRequired: boolean;
  readonly meaning: string | undefined;
}

export function configPage(
  options: Pick<Page, 'version' | 'epoch'> & { readonly schema: unknown; readonly example: string },
): string {
  const keys = keysOf(options.schema);
  return page(
    { name: 'platen.yaml', section: 5, ...options },
    section('NAME', text('platen.yaml - configuration of the print-release terminal agent')),
    section(
      'DESCRIPTION',
      text(
        'The configuration is one YAML 1.2 file. Platen checks the whole file before it starts. If a key is unknown or wrong, Platen does not start, and prints the line and the path of the key.',
      ),
      paragraph(
        text(
          'You can write a secret into the file itself, or write { file: PATH } with a path relative to this file, { env: NAME }, or { credential: NAME } for LoadCredential= of systemd.exec(5).',
        ),
      ),
    ),
    section('EXAMPLE', text('The file of the package. You fill in three answers:'), literal(options.example)),
    section(
      'KEYS',
      text('[] means each entry of a list. A required key must be present if its section is present.'),
      ...keys.map(explain),
    ),
    section('SEE ALSO', `${bold('platen')}(8), ${bold('systemd.exec')}(5)`),
  );
}

const explain = ({ path, values, default: usual, isRequired, meaning }: Key): string =>
  item(
    bold(path),
    text(
      [
        values,
        ...(isRequired ? ['required'] : []),
        ...(usual === undefined ? [] : [`default ${usual}`]),
      ].join('; '),
    ),
    ...(meaning === undefined ? [] : ['.br', text(`${meaning}.`)]),
  );

export const keysOf = (schema: unknown): readonly Key[] => [
  // Of alternatives some have keys in common.
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

/** Of many a reader wants to know what kind they are, not each. */
const mostTold = 12;

function someOf(values: readonly unknown[]): string {
  if (values.length <= mostTold) return values.map(inYaml).join(', ');
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

/** JavaScript's greatest whole number is no bound of ours. */
const isBound = (maximum: number | undefined): maximum is number =>
  maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;

const inYaml = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
