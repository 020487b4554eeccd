/**
 * Reads the parameters of a call strictly: unknown, misspelt, doubled, missing or wrong parameters are deviations.
 * Forms: spec, General rules 3. The same rules apply to the query.
 */
import { z } from 'zod';
import { mistakesOf } from '../../config/mistakes.ts';
import { isoInstant, parseInstant } from '../../core/clock.ts';
import { didYouMean } from '../../core/text/near-word.ts';
import type { Answer, Call } from './call.ts';
import { Deviation, errorAnswer } from './call.ts';

interface Reading<T> {
  readonly schema: z.ZodType<T>;
  /** The section of the spec for the deviation's sentence. */
  readonly section: string;
  /** Parameters that may come more than once. They become lists. */
  readonly repeatable?: readonly string[];
  /** A missing body counts as an empty form. */
  readonly mayBeEmpty?: true;
  /** The answer to a call that breaks the rules. */
  readonly refusal?: Answer;
}

const badRequest = errorAnswer(400);

export function readForm<T>(call: Call, reading: Reading<T>): T {
  const isEmpty = call.body.length === 0 && call.headers['content-type'] === undefined;
  if (!reading.mayBeEmpty || !isEmpty) requireContentType(call, 'application/x-www-form-urlencoded', reading);
  requireNoQuery(call, reading);
  return check(readPairs(call.body.toString('latin1'), formEncoded, reading), reading);
}

/** For calls with their parameters in the URL. */
export function readQuery<T>(call: Call, reading: Reading<T>): T {
  requireNoBody(call, reading);
  return check(readPairs(call.query, queryEncoded, reading), reading);
}

export function readJson<T>(call: Call, reading: Reading<T>): T {
  requireContentType(call, 'application/json', reading);
  requireNoQuery(call, reading);
  try {
    return check(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(call.body)), reading);
  } catch (error) {
    if (error instanceof Deviation) throw error;
    throw deviation('the body is not JSON in UTF-8', reading);
  }
}

/** For calls whose body is a plain file. */
export function readBytes(call: Call, section: string): Buffer {
  const reading = { schema: z.unknown(), section };
  requireContentType(call, 'application/octet-stream', reading);
  requireNoQuery(call, reading);
  return call.body;
}

/** For uploads: text parts and one file, `data` (spec, `PUT /documents`). */
export async function readMultipart<T>(call: Call, reading: Reading<T>): Promise<{ fields: T; data: File }> {
  requireContentType(call, 'multipart/form-data', reading);
  requireNoQuery(call, reading);
  const type = call.headers['content-type'] ?? '';
  const parts = await new Response(new Uint8Array(call.body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw deviation('the body is no multipart/form-data', reading);
    });
  const data = parts.get('data');
  if (!(data instanceof File)) throw deviation('the file part data is missing', reading);
  parts.delete('data');
  const given: Record<string, unknown> = {};
  for (const [name, value] of parts) {
    if (Object.hasOwn(given, name)) throw deviation(`the part ${name} comes twice`, reading);
    given[name] = value;
  }
  return { fields: check(given, reading), data };
}

export function requireNoParameters(call: Call, section: string): void {
  readQuery(call, { schema: nothing, section });
}

// Made once, because a schema per call would be compiled each time.
const nothing = z.strictObject({});

const deviation = (what: string, reading: Reading<unknown>): Deviation =>
  new Deviation(what, reading.section, reading.refusal ?? badRequest);

function requireContentType(call: Call, wanted: string, reading: Reading<unknown>): void {
  const [given = ''] = (call.headers['content-type'] ?? '').split(';');
  if (given.trim().toLowerCase() !== wanted) {
    throw deviation(`the content type is ${given || 'missing'}, not ${wanted}`, reading);
  }
}

function requireNoQuery(call: Call, reading: Reading<unknown>): void {
  if (call.query !== '')
    throw deviation(`parameters in the URL that belong in the body: ${call.query}`, reading);
}

function requireNoBody(call: Call, reading: Reading<unknown>): void {
  if (call.body.length > 0) throw deviation('a body where none belongs', reading);
}

// The characters that encodeURIComponent and the form encoding of WHATWG leave unchanged, and complete escapes.
const formEncoded = /^(?:[A-Za-z0-9\-._~*!'()+=&]|%[0-9A-Fa-f]{2})*$/;
/** The characters that a query may contain (RFC 3986 section 3.4). */
const queryEncoded = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;

function readPairs(
  text: string,
  encoded: RegExp,
  reading: Reading<unknown>,
): Record<string, string | string[]> {
  if (!encoded.test(text)) throw deviation('parameters that are not URL-encoded', reading);
  const pairs = new Map<string, string | string[]>();
  for (const pair of text === '' ? [] : text.split('&')) {
    const end = pair.indexOf('=');
    const name = decoded(end < 0 ? pair : pair.slice(0, end), reading);
    const value = decoded(end < 0 ? '' : pair.slice(end + 1), reading);
    const before = pairs.get(name);
    if (reading.repeatable?.includes(name)) pairs.set(name, [...(before ?? []), value]);
    else if (before === undefined) pairs.set(name, value);
    else throw deviation(`the parameter ${name} comes twice`, reading);
  }
  return Object.fromEntries(pairs);
}

function decoded(text: string, reading: Reading<unknown>): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw deviation('a parameter that is not UTF-8', reading);
  }
}

export function check<T>(given: unknown, reading: Reading<T>): T {
  const result = reading.schema.safeParse(given, { reportInput: true });
  if (result.success) return result.data;
  throw deviation(complaintsOf(result.error, reading.schema), reading);
}

/** All mistakes in one sentence. */
export const complaintsOf = ({ issues }: z.ZodError, schema: z.ZodType): string =>
  issues.flatMap((issue) => complaintsAbout(issue, namesIn(schema))).join('; ');

/** The most values that a sentence can list. For example, there are more time zones. */
const longestList = 30;

function complaintsAbout(issue: z.core.$ZodIssue, known: readonly string[]): readonly string[] {
  if (issue.code === 'unrecognized_keys') {
    const near = (key: string) => (issue.path.length === 0 ? didYouMean(key, known) : '');
    return issue.keys.map((key) => `${[...issue.path, key].join(': ')} is not known here${near(key)}`);
  }
  if (issue.code === 'invalid_value' && issue.values.length > longestList) {
    const near = didYouMean(String(issue.input), issue.values.map(String));
    return [`${issue.path.join(': ')} is none of the ${issue.values.length} values there are${near}`];
  }
  return mistakesOf(issue).map(({ path, message }) => {
    const what = path.join(': ');
    if (!/^(?:is|must) /.test(message)) return [...path, message].join(': ');
    return `${what || 'the body'} ${message}`;
  });
}

const namesIn = (schema: z.ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

// ---------------------------------------------------------------- values as forms and queries write them

export const formInteger = (lowest: number, highest: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, 'expected a whole number')
    .transform(Number)
    .refine((number) => number >= lowest && number <= highest, `expected ${lowest} to ${highest}`);

/** An id, or another number that the spec calls int. */
export const formId = formInteger(0, 2 ** 31 - 1);

/**
 * A "list of int" that the spec does not call repeatable. A value with commas is accepted, and also several values,
 * because the spec leaves this open.
 */
export const formIntegers = (lowest: number, highest: number) =>
  z
    .array(z.string())
    .transform((values) => values.flatMap((value) => value.split(',')))
    .pipe(z.array(formInteger(lowest, highest)));

export const formBoolean = z.enum(['true', 'false']).transform((text) => text === 'true');

/** One or several values of a repeatable name. */
export const formTexts = z.array(z.string().min(1));

export const formText = z.string().min(1);

/**
 * `YYYY-MM-DDTHH:mm:ss+HH:mm` (spec, POST /documents/history): with an offset, without fraction and `Z`. The day may
 * not exist: see `isRealTime`.
 */
export const formDateTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/, 'expected YYYY-MM-DDTHH:mm:ss+HH:mm');

/** JavaScript reads 30 February as 2 March, and 24:00 as the next day. */
export function isRealTime(text: string): boolean {
  if (parseInstant(text) === undefined || /[T ]24/.test(text)) return false;
  const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  return isoInstant(parseInstant(`${day}T00:00Z`) ?? 0).startsWith(day);
}

/** An ISO 8601 instant (spec, GET /documents/history), as milliseconds since 1970. */
export const formInstant = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/,
    'expected an ISO 8601 instant',
  )
  .refine(isRealTime, 'no such day or time')
  .transform((text) => parseInstant(text) ?? Number.NaN);

/** ISO 8601, the form of times in the spec. */
export const isoTime = z.string().refine(isRealTime, 'expected ISO 8601');
