/**
 * `config/platen-cloud.openapi.yaml` (OpenAPI 3.1.0) as the checks want it: its operations, each with its whole path,
 * and every `$ref` replaced by what it names. Judges nothing.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const documentFile = fileURLToPath(
  new URL('../../../config/platen-cloud.openapi.yaml', import.meta.url),
);

/** The keywords that are looked at; Ajv reads the others. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentMediaType?: string;
  /** What the specification does not have: all of it, or these keywords. */
  readonly 'x-platen-beyond'?: true | readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  /** false: a list is one value with commas. */
  readonly explode?: boolean;
  readonly schema: Schema;
}

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Response {
  readonly description: string;
  readonly content?: Content;
  readonly 'x-platen-beyond'?: true;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly 'x-platen-used-by': readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Operation extends Described {
  readonly method: string;
  /** With the server's prefix; `{name}` stands for one segment, or the part of it up to what follows. */
  readonly path: string;
  /** Of such a path; its groups are the parts. */
  readonly pattern: RegExp;
  /** Of its parameters in the path and in the query, as one object each that holds no others. */
  readonly inPath: Schema;
  readonly inQuery: Schema;
  /** The names of those in the query that hold several values in one. */
  readonly joined: readonly string[];
}

interface PathItem extends Partial<Record<Lowercase<Method>, Described>> {
  readonly servers?: readonly Server[];
  readonly parameters?: readonly Parameter[];
}

interface Server {
  readonly url: string;
}

interface Document {
  readonly openapi: string;
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

export function readDocument(): Document {
  const text = readFileSync(documentFile, 'utf8');
  return withoutReferences(parse(text, { maxAliasCount: 0 })) as Document;
}

export const operationsOf = ({ paths, servers }: Document): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const described = item[method.toLowerCase() as Lowercase<Method>];
      if (described === undefined) return [];
      const parameters = [...(item.parameters ?? []), ...(described.parameters ?? [])];
      const whole = prefixOf(item.servers ?? servers) + path;
      return {
        ...described,
        method,
        path: whole,
        pattern: patternOf(whole),
        inPath: schemaOf(parameters.filter((one) => one.in === 'path')),
        inQuery: schemaOf(parameters.filter((one) => one.in === 'query')),
        joined: parameters.filter((one) => one.explode === false).map((one) => one.name),
      };
    }),
  );

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

const schemaOf = (parameters: readonly Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
  required: parameters.filter((one) => one.required === true).map((one) => one.name),
  additionalProperties: false,
});

/** What stands in a server's URL after the variable that is its base. */
const prefixOf = ([server]: readonly Server[]): string => server?.url.replace(/^\{\w+\}/, '') ?? '';

function withoutReferences(root: unknown): unknown {
  const resolved = new Map<string, unknown>();
  const resolve = (reference: string): unknown => {
    if (!resolved.has(reference)) resolved.set(reference, walk(targetOf(root, reference)));
    return resolved.get(reference);
  };
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Record<string, unknown>;
    const walked = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, walk(inner)]));
    if (typeof $ref !== 'string') return walked;
    // Beside a reference, the keywords of a schema hold as well.
    return Object.keys(rest).length === 0 ? resolve($ref) : { allOf: [resolve($ref)], ...walked };
  };
  return walk(root);
}

function targetOf(root: unknown, reference: string): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  const target = steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], root);
  if (target === undefined) throw new Error(`${reference} names nothing`);
  return target;
}
