/**
 * Reads the body of a `/simulator` call: a form, JSON, or a form with a file. Texts of a form are converted to the
 * expected types.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import { complaintsOf } from '../parameters.ts';
import { readings } from '../settings.ts';

export interface ControlCall {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The body has a content type that is not accepted. */
export class WrongType extends Error {}

const form = 'application/x-www-form-urlencoded';

/** For calls with a few simple parameters. Throws `WrongType`. */
export function formIn(call: ControlCall): URLSearchParams {
  if (![form, ''].includes(typeOf(call))) throw new WrongType(`the parameters are a form (${form})`);
  return new URLSearchParams(call.body.toString('utf8'));
}

/** For calls that take an entry of a seed's list. Throws `WrongType`, or `RangeError` with the mistake. */
export async function entryIn<Entry>(
  call: ControlCall,
  schema: z.ZodType<Entry> & { readonly shape: Readonly<Record<string, z.ZodType>> },
): Promise<{ readonly entry: Entry; readonly file: File | undefined }> {
  const { given, file } = await givenIn(call, schema.shape);
  const found = schema.safeParse(given, { reportInput: true });
  if (!found.success) throw new RangeError(complaintsOf(found.error, schema));
  return { entry: found.data, file };
}

/** For calls that change the named values. Missing values stay unchanged. */
export async function changesIn<Entry extends object>(
  call: ControlCall,
  schema: z.ZodType<Entry> & { readonly shape: Readonly<Record<string, z.ZodType>> },
): Promise<Partial<Entry>> {
  const { given, file } = await givenIn(call, schema.shape);
  if (file) throw new RangeError('no file belongs to this order');
  const found = schema.safeParse(given, { reportInput: true });
  if (!found.success) throw new RangeError(complaintsOf(found.error, schema));
  // The schema adds defaults for missing values, so they are filtered out.
  const isGiven = ([name]: readonly [string, unknown]) => Object.hasOwn(Object(given), name);
  return Object.fromEntries(Object.entries(found.data).filter(isGiven)) as Partial<Entry>;
}

async function givenIn(call: ControlCall, shape: Readonly<Record<string, z.ZodType>>) {
  switch (typeOf(call)) {
    case '':
    case form:
      return { given: fromTexts([...formIn(call)], shape), file: undefined };
    case 'application/json':
      return { given: jsonIn(call), file: undefined };
    case 'multipart/form-data':
      return await partsIn(call, shape);
    default:
      throw new WrongType(`send a form, application/json or multipart/form-data, not ${typeOf(call)}`);
  }
}

const typeOf = ({ headers }: ControlCall): string =>
  (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();

function jsonIn({ body }: ControlCall): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new RangeError('the body is not JSON in UTF-8', { cause });
  }
}

async function partsIn(call: ControlCall, shape: Readonly<Record<string, z.ZodType>>) {
  const headers = { 'content-type': call.headers['content-type'] ?? '' };
  const parts = await new Response(new Uint8Array(call.body), { headers })
    .formData()
    .catch((cause: unknown) => {
      throw new RangeError('the body is no multipart/form-data', { cause });
    });
  const texts: [string, string][] = [];
  let file: File | undefined;
  for (const [name, value] of parts) {
    if (typeof value === 'string') texts.push([name, value]);
    else if (name === 'data' && file === undefined) file = value;
    else throw new RangeError('one file comes, as the part data');
  }
  return { given: fromTexts(texts, shape), file };
}

/** A name that comes several times becomes a list. */
function fromTexts(
  pairs: readonly (readonly [string, string])[],
  shape: Readonly<Record<string, z.ZodType>>,
): Readonly<Record<string, unknown>> {
  const texts = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...texts].map(([name, values]) => {
      const all = values.map(([, value]) => value);
      const [text = ''] = all;
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, all.length > 1 ? all : meant(text, schema)];
    }),
  );
}

/** The first reading that fits, otherwise one of the right type, so that its mistake is reported. */
function meant(text: string, schema: z.ZodType | undefined): unknown {
  const results = readings(text).map((reading) => ({ reading, error: schema?.safeParse(reading).error }));
  const isOfAnotherType = ({ issues }: z.ZodError) => issues.some(({ code }) => code === 'invalid_type');
  const found =
    results.find(({ error }) => error === undefined) ??
    results.find(({ error }) => error && !isOfAnotherType(error));
  return found ? found.reading : text;
}
