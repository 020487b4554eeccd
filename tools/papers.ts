/** Puts the tables into the papers that are made from a source: the service's calls, the keys. `npm run papers`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { configJsonSchema } from '../src/config/json-schema.ts';

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
}

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

const methods = ['get', 'head', 'put', 'post', 'patch', 'delete'];
const row = (...cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** Of `config/platen-cloud.openapi.yaml`. */
export function callsTable(): string {
  const { paths } = parse(readFileSync('config/platen-cloud.openapi.yaml', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations[method];
      if (operation === undefined) return [];
      return [row(operation.tags.join(', '), `\`${method.toUpperCase()} ${path}\``, operation.summary)];
    }),
  );
  return [row('resource', 'call', 'what it is'), '|---|---|---|', ...rows].join('\n');
}

/** Of the JSON Schema of the configuration: a row for each key that holds a value. */
export function keysTable(): string {
  const schema = JSON.parse(configJsonSchema()) as Schema;
  return [row('key', 'value', 'unless said', 'what it is'), '|---|---|---|---|', ...keysOf(schema, '')].join(
    '\n',
  );
}

function keysOf({ properties = {}, required = [] }: Schema, before: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = `${before}${name}`;
    if (schema.properties) return keysOf(schema, `${key}.`);
    if (schema.items?.properties) return keysOf(schema.items, `${key}[].`);
    const unless =
      schema.default === undefined ? (required.includes(name) ? 'required' : '') : shown(schema.default);
    return [row(`\`${key}\``, valueOf(schema), unless, schema.description ?? '')];
  });
}

const shown = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

function valueOf(schema: Schema): string {
  const { enum: words, anyOf, type, minimum, maximum, items } = schema;
  if (words) return words.map(shown).join(' or ');
  if (schema.const !== undefined) return shown(schema.const);
  if (anyOf) return [...new Set(anyOf.map(valueOf))].join(' or ');
  if (type === 'array') return `list${items ? ` of ${valueOf(items)}` : ''}`;
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    return `${minimum} to ${maximum}`;
  }
  return type ?? 'any';
}

/** A paper with the table between its marks made anew. */
export function withTable(text: string, name: string, table: string): string {
  const marks = new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`);
  if (!marks.test(text)) throw new Error(`no place for the table "${name}"`);
  return text.replace(marks, () => `<!-- ${name} -->\n${table}\n<!-- /${name} -->`);
}

export const madePapers = [
  { path: 'src/cloud/README.md', name: 'calls', table: callsTable },
  { path: 'systemd/configure.md', name: 'keys', table: keysTable },
];

if (import.meta.main) {
  for (const { path, name, table } of madePapers) {
    writeFileSync(path, withTable(readFileSync(path, 'utf8'), name, table()));
  }
}
