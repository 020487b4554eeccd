/**
 * The JSON door: here the bytes of an answer become a checked value, once (INVARIANTS.md T23). At most 16 levels deep,
 * no `__proto__`; the schemas drop unknown fields. The transport limits sizes.
 */
import { z } from 'zod';
import { Problem } from '../../domain/problem/problem.ts';
import { isKnownError, meaningOf, sentenceOf } from './error-code.ts';

/** A complete answer with any status. */
export interface Answer {
  /** Method and path, for messages. */
  readonly call: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
};

/** After an answer that makes no sense the effect of the request is unknown. */
export const nonsense = (answer: Pick<Answer, 'call' | 'status'>, why: string, cause?: unknown): Problem =>
  new Problem('cloud-protocol', `${answer.call}: ${why}`, {
    status: answer.status,
    delivery: 'perhaps',
    ...(cause === undefined ? {} : { cause }),
  });

const deepest = 16;

function refusalOf(value: unknown, depth = 1): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > deepest) return `nests more than ${deepest} levels deep`;
  if (Array.isArray(value)) {
    for (const entry of value) {
      const refusal = refusalOf(entry, depth + 1);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }
  if (Object.hasOwn(value, '__proto__')) return 'holds a __proto__';
  // Not Object.values: it would copy each of the ten thousand objects of a long list.
  for (const name in value) {
    const refusal = refusalOf((value as Record<string, unknown>)[name], depth + 1);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

export interface DoorOptions {
  /** Fields whose numbers stay text as written: as a `number` money would be rounded. */
  readonly decimals?: readonly string[];
}

/** A reviver for JSON.parse; since ECMAScript 2026 it gets the source text of a number. */
const keepingTextOf =
  (names: readonly string[]) =>
  (name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && names.includes(name) ? context?.source : value;

/** Names the kind of an answer that is not JSON, from its first characters; never quotes them (I5). */
function looksLike(body: Buffer): string {
  if (body.length === 0) return 'empty';
  const beginning = body.subarray(0, 64).toString('latin1').trimStart().toLowerCase();
  if (/^<(?:!doctype html|html|head|body)/.test(beginning)) return 'a web page, not JSON';
  return beginning.startsWith('<') ? 'XML, not JSON' : 'not JSON';
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Rejects `cloud-protocol` when the body is not JSON in UTF-8, or not permitted. */
function parse(answer: Answer, { decimals = [] }: DoorOptions = {}): unknown {
  let value: unknown;
  try {
    const text = utf8.decode(answer.body);
    value = decimals.length === 0 ? JSON.parse(text) : JSON.parse(text, keepingTextOf(decimals));
  } catch {
    // The parser's error quotes the text, which may be a token: it goes no further (I5).
    throw nonsense(answer, `the answer is ${looksLike(answer.body)}`);
  }
  const refusal = refusalOf(value);
  if (refusal !== undefined) throw nonsense(answer, `the answer ${refusal}`);
  return value;
}

/** One entry of a list, from its own octets; checked like a whole answer. */
export const entryOf = ({ call, status }: Pick<Answer, 'call' | 'status'>, octets: Buffer): unknown =>
  parse({ call, status, headers: {}, body: octets });

/** The body as JSON, or `undefined` if it is not JSON: an error answer may add something to its status. */
export function peek(answer: Answer): unknown {
  try {
    return parse(answer);
  } catch {
    return undefined;
  }
}

/** The value by its schema; if it does not fit, `cloud-protocol` with the path of the field. */
function checked<T>(answer: Answer, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.map(String).join('.') || 'the answer';
  throw nonsense(answer, `${path}: ${issue?.message ?? 'does not fit'}`, result.error);
}

/** The `errorCode` if the value is an ErrorCodeInfo. */
export function errorCodeOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('errorCode' in value)) return undefined;
  return Number.isInteger(value.errorCode) ? (value.errorCode as number) : undefined;
}

/** The `error` of an answer, if it is a known word. */
export function errorWordOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined;
  return typeof value.error === 'string' && isKnownError(value.error) ? value.error : undefined;
}

function refuseErrorCode(answer: Answer, value: unknown): void {
  const errorCode = errorCodeOf(value);
  if (errorCode === undefined || errorCode === 0) return;
  const { code, name } = meaningOf(errorCode);
  throw new Problem(code, `${answer.call}: ${sentenceOf(errorCode)}`, {
    status: answer.status,
    reasons: [name],
  });
}

export function valueOf<T>(answer: Answer, schema: z.ZodType<T>, options: DoorOptions = {}): T {
  const value = parse(answer, options);
  refuseErrorCode(answer, value);
  return checked(answer, schema, value);
}

const errorCodeInfo = z.object({ errorCode: z.int() });

/**
 * For calls whose answer only confirms success: an empty body, as in the spec, or an ErrorCodeInfo. Any other body
 * comes from another source, such as a captive portal, and is no success.
 */
export function expectDone(answer: Answer): void {
  if (answer.body.length > 0) valueOf(answer, errorCodeInfo);
}

const errorCodeInfoId = z.object({ id: z.int() });

/** The id of the object that a call made or changed: ErrorCodeInfoId. */
export const idOf = (answer: Answer): number => valueOf(answer, errorCodeInfoId).id;

/** For calls with an ErrorCodeInfo as answer, or with an empty 204. */
export function expectErrorCodeZero(answer: Answer): void {
  if (answer.status !== 204) valueOf(answer, errorCodeInfo);
}
