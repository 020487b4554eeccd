/**
 * Made of a schema: a value that is right, and every value that breaks one rule of one field: missing, always or in a
 * certain case, of another type, too short or long, out of range, not among the choices, of another form, said twice, or
 * not known at all.
 */
import type { Schema } from '../support/cloud/document.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Wrong {
  /** The last name on the way to it. */
  readonly field: string;
  readonly what: string;
  readonly fields: Fields;
}

/** Forms and queries write everything as text, and may say a name twice. */
export type Writing = 'json' | 'text';

/** With whatever its `allOf` adds. */
export function whole(schema: Schema): Schema {
  const { allOf = [], ...own } = schema;
  return allOf.map(whole).reduce<Schema>(
    (sum, part) => ({
      ...part,
      ...sum,
      properties: { ...part.properties, ...sum.properties },
      required: [...(part.required ?? []), ...(sum.required ?? [])],
    }),
    own,
  );
}

const typesOf = ({ type = [] }: Schema): readonly string[] => [type].flat();

/** The values of a choice; absent where it is none. */
const choicesOf = ({ const: only, enum: some, oneOf }: Schema): readonly unknown[] | undefined => {
  if (only !== undefined) return [only];
  if (some !== undefined) return some;
  const constants = (oneOf ?? []).map((one) => one.const);
  return constants.length > 0 && constants.every((one) => one !== undefined) ? constants : undefined;
};

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00+00:00',
  uri: 'https://client.example/signed-in',
};

export function rightValue(given: Schema): unknown {
  const schema = whole(given);
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  const [choice] = choicesOf(schema) ?? [];
  if (choice !== undefined) return choice;
  switch (typesOf(schema)[0]) {
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'array':
      return [rightValue(schema.items ?? {})];
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, rightValue(schema.properties?.[name] ?? {})]),
      );
    default:
      return formats[schema.format ?? ''] ?? 'x';
  }
}

/** A field that is right where there is none yet is put in, so that what is inside of it can be broken. */
export function* wrongFields(given: Schema, right: Fields, writing: Writing): Generator<Wrong> {
  const schema = whole(given);
  for (const [field, property] of Object.entries(schema.properties ?? {})) {
    const put = (what: string, value: unknown): Wrong => ({
      field,
      what,
      fields: { ...right, [field]: value },
    });
    if (schema.required?.includes(field)) yield put('missing', undefined);
    const wanted = whole(property);
    if (wanted.contentMediaType === 'application/octet-stream') continue;
    const value = right[field] ?? rightValue(wanted);
    if (writing === 'text' && !typesOf(wanted).includes('array')) yield put('said twice', [value, value]);
    for (const [what, bad] of wrongValues(wanted, writing)) yield put(what, bad);
    for (const inner of wrongInside(wanted, value, writing)) {
      yield { ...inner.wrong, fields: { ...right, [field]: inner.value } };
    }
  }
  yield* missingInCase(schema, right);
  if (schema.additionalProperties === false) {
    yield { field: 'unheardOf', what: 'unknown', fields: { ...right, unheardOf: 'x' } };
  }
}

/** What is required only where another field has a certain value. */
function* missingInCase({ if: when, then, properties }: Schema, right: Fields): Generator<Wrong> {
  const required = then?.required ?? [];
  const both = [...Object.keys(when?.properties ?? {}), ...required];
  const inCase: Fields = Object(
    rightValue({ type: 'object', required: both, properties: { ...properties, ...when?.properties } }),
  );
  for (const field of required) {
    yield { field, what: 'missing in this case', fields: { ...right, ...inCase, [field]: undefined } };
  }
}

function* wrongInside(
  schema: Schema,
  value: unknown,
  writing: Writing,
): Generator<{ wrong: Wrong; value: unknown }> {
  if (typesOf(schema).includes('object')) {
    for (const wrong of wrongFields(schema, Object(value), writing)) yield { wrong, value: wrong.fields };
  }
  if (!typesOf(schema).includes('array')) return;
  const items = whole(schema.items ?? {});
  for (const [what, bad] of wrongValues(items, writing)) {
    yield { wrong: { field: '', what: `${what}, in a list`, fields: {} }, value: [bad] };
  }
  for (const inner of wrongInside(items, rightValue(items), writing))
    yield { ...inner, value: [inner.value] };
}

function* wrongValues(schema: Schema, writing: Writing): Generator<readonly [what: string, value: unknown]> {
  const types = typesOf(schema);
  const isNumber = types.includes('integer') || types.includes('number');
  const [type] = types;
  if (type === undefined && choicesOf(schema) === undefined) return;
  if (writing === 'json') {
    if (!types.includes('null')) yield ['null', null];
    yield ['of another type', isNumber || type === 'boolean' ? 'text' : 4711.5];
  } else if (isNumber || type === 'boolean') {
    yield ['of another type', 'perhaps'];
  }
  if (writing === 'json' && type === 'integer') yield ['no whole number', 1.5];
  if (choicesOf(schema)) yield ['none of the choices', isNumber ? 4711 : 'another'];
  if (schema.minLength === 1) yield ['empty', ''];
  if (schema.maxLength !== undefined) yield ['too long', 'x'.repeat(schema.maxLength + 1)];
  if (schema.minimum !== undefined) yield ['too low', schema.minimum - 1];
  if (schema.maximum !== undefined) yield ['too high', schema.maximum + 1];
  if (schema.pattern !== undefined) yield ['of another form', '¿'];
  if (schema.format === 'date-time') yield ['no time', 'yesterday'];
  if (schema.format === 'uri') yield ['no address', 'nowhere'];
}
