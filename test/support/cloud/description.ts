/**
 * Holds requests and answers against the OpenAPI document. It knows nothing of who made them; what is not described
 * is a complaint. Schemas are compiled when they are first needed.
 */
import type { AnySchema, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Content, Operation, Schema } from './document.ts';
import { operationsOf, readDocument } from './document.ts';
import { pairsOf, partsOf, valuesOf } from './texts.ts';

export interface Request {
  readonly method: string;
  /** With the server's prefix, percent-encoded. */
  readonly path: string;
  /** The text after `?`. */
  readonly query: string;
  readonly contentType: string | undefined;
  readonly body: string;
  readonly bearer: 'none' | 'device' | 'user' | 'unknown';
}

export interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  /** `undefined`: not to be looked at. */
  readonly body: string | undefined;
}

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, strictRequired: false });
formats.default(ajv);
ajv.addKeyword('x-platen-beyond');

export const operations = operationsOf(readDocument());

export function findOperation({ method, path }: Pick<Request, 'method' | 'path'>): Operation | undefined {
  const fitting = operations.filter((one) => one.method === method && one.pattern.test(path));
  // The concrete path is matched before the templated one (OpenAPI 3.1.0, Paths Object).
  return fitting.sort((one, other) => parametersIn(one.path) - parametersIn(other.path))[0];
}

const parametersIn = (path: string): number => path.split('{').length;

export function complaintsAboutRequest(request: Request): readonly string[] {
  const operation = findOperation(request);
  if (operation === undefined) return [`${request.method} ${request.path}: not a described call`];
  const parts = Object.entries(operation.pattern.exec(request.path)?.groups ?? {});
  const decoded = parts.map(([name, part]) => [name, decodeURIComponent(part)] as const);
  const { inPath, inQuery, joined } = operation;
  const inUrl = pairsOf(request.query).flatMap(([name, text]) =>
    (joined.includes(name) ? text.split(',') : [text]).map((one) => [name, one] as const),
  );
  return [
    ...aboutBearer(operation, request),
    ...misfits('path', inPath, valuesOf(decoded, inPath)),
    ...misfits('query', inQuery, valuesOf(inUrl, inQuery)),
    ...aboutBody(operation, request),
  ].map((complaint) => `${nameOf(operation)}: ${complaint}`);
}

export function complaintsAboutAnswer(
  request: Pick<Request, 'method' | 'path'>,
  answer: Answer,
): readonly string[] {
  const operation = findOperation(request);
  if (operation === undefined) return [];
  return aboutAnswer(operation, answer).map(
    (complaint) => `${nameOf(operation)}: ${answer.status}: ${complaint}`,
  );
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** The kinds of bearer token that one of the operation's security requirements asks for. */
export const bearersOf = ({ security }: Operation): readonly Request['bearer'][] => [
  ...new Set(
    security.map((one) => {
      if ('deviceToken' in one) return 'device';
      return 'userToken' in one ? 'user' : 'none';
    }),
  ),
];

/** A token the service does not know may have been any. */
const aboutBearer = (operation: Operation, { bearer }: Request): readonly string[] =>
  bearer === 'unknown' || bearersOf(operation).includes(bearer) ? [] : [`bearer: ${bearer}`];

function aboutBody(operation: Operation, { contentType, body }: Request): readonly string[] {
  const content = operation.requestBody?.content;
  if (content === undefined) return body === '' ? [] : ['body: where none is described'];
  const [type, schema] = described(content, contentType);
  if (!(type in content)) return [`body: content type ${contentType ?? 'missing'}`];
  // A file may hold anything.
  if (schema === undefined) return [];
  switch (type) {
    case 'application/x-www-form-urlencoded':
      return misfits('body', schema, valuesOf(pairsOf(body), schema));
    case 'multipart/form-data': {
      const parts = partsOf(body, contentType ?? '');
      return parts === undefined ? ['body: no form-data'] : misfits('body', schema, valuesOf(parts, schema));
    }
    default:
      return aboutJson(schema, body);
  }
}

function aboutAnswer({ method, responses }: Operation, { status, type, body }: Answer): readonly string[] {
  const response = responses[status];
  if (response === undefined) return ['not a described status'];
  // HTTP itself takes the body off (RFC 9110 section 9.3.2).
  if (method === 'HEAD') return [];
  if (response.content === undefined) return body === '' ? [] : ['body: where none is described'];
  const [named, schema] = described(response.content, type);
  if (!(named in response.content)) return [`content type ${type ?? 'missing'}`];
  return schema === undefined || body === undefined ? [] : aboutJson(schema, body);
}

function described(content: Content, contentType = ''): [type: string, schema: Schema | undefined] {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return [type, content[type]?.schema];
}

function aboutJson(schema: Schema, text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return ['body: not JSON'];
  }
  return misfits('body', schema, value);
}

const compiled = new Map<Schema, ValidateFunction>();

export function validatorOf(schema: Schema): ValidateFunction {
  const validate = compiled.get(schema) ?? ajv.compile(schema as AnySchema);
  compiled.set(schema, validate);
  return validate;
}

function misfits(place: string, schema: Schema, value: unknown): readonly string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  // Of a choice that failed, every branch complains; those that came furthest know best.
  const deepest = Math.max(...errors.map(depthOf));
  return [...new Set(errors.filter((one) => depthOf(one) === deepest).map((one) => sentence(place, one)))];
}

const depthOf = ({ instancePath }: ErrorObject): number => instancePath.split('/').length;

function sentence(place: string, { instancePath, message = 'does not fit', params }: ErrorObject): string {
  const [name = ''] = ['additionalProperty', 'unevaluatedProperty'].flatMap((key) => params[key] ?? []);
  return `${place}${instancePath}: ${message}${name === '' ? '' : ` (${name})`}`;
}
