/** The description and the embedded cloud are held against what was copied from the specification, word by word. */
import { describe, expect, it } from 'vitest';
import { apiRoutes } from '../../src/simulator/cloud/routes.ts';
import { operations } from '../support/cloud/description.ts';
import type { Operation, Schema } from '../support/cloud/document.ts';
import { readDocument } from '../support/cloud/document.ts';
import type { SpecifiedCall, SpecifiedField } from '../support/cloud/specification.ts';
import { specifiedCalls, specifiedStructures } from '../support/cloud/specification.ts';
import { whole } from './wrong-input.ts';

const nameOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replace('/api/v1', '').replaceAll(/\{\w+\}|<\w+>/g, '{}')}`;

const operationOf = ({ call }: SpecifiedCall): Operation | undefined =>
  operations.find((one) => nameOf(one) === call);

function bodyOf({ requestBody }: Operation): Schema {
  const [{ schema = {} } = {}] = Object.values(requestBody?.content ?? {});
  return whole(schema);
}

/** Every field with what is required, out of query and body. */
function fieldsOf(operation: Operation): { properties: Record<string, Schema>; required: string[] } {
  const parts = [operation.inQuery, bodyOf(operation)];
  return {
    properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** What a description has otherwise than the specification, in sentences. */
function differences(
  specified: readonly SpecifiedField[],
  { properties = {}, required = [] }: Pick<Schema, 'properties' | 'required'>,
): readonly string[] {
  const names = specified.map(({ name }) => name);
  const foreign = Object.keys(properties).filter((name) => !names.includes(name) && name !== 'pagetoken');
  return [
    ...foreign.map((name) => `${name} is not in the specification`),
    ...specified.flatMap((field) => {
      const { name, isOptional, fallback, lowest, highest, longest } = field;
      const property = properties[name];
      if (!property) return [`${name} is missing`];
      const { default: given, minimum, maximum, maxLength } = whole(property);
      return [
        ...otherTypes(field, whole(property)),
        ...unmarkedLimits(field, whole(property)),
        ...(required.includes(name) === isOptional
          ? [`${name} is ${isOptional ? 'optional' : 'required'}`]
          : []),
        ...(fallback !== undefined && String(given) !== fallback
          ? [`${name} is ${fallback} by default`]
          : []),
        ...(lowest !== undefined && minimum !== lowest ? [`${name} is ${lowest} at least`] : []),
        ...(highest !== undefined && maximum !== highest ? [`${name} is ${highest} at most`] : []),
        ...(longest !== undefined && maxLength !== longest
          ? [`${name} has ${longest} characters at most`]
          : []),
      ];
    }),
  ];
}

const typeOf: Readonly<Record<string, string>> = { int: 'integer', long: 'integer', decimal: 'number' };

/** A list and a map are looked into. */
function otherTypes({ name, type, mayBeNull }: SpecifiedField, schema: Schema): readonly string[] {
  if (type === undefined) return [];
  const found = typesIn(schema);
  const kept = found.filter((one) => one !== 'null');
  const nulls = found.includes('null') === mayBeNull ? [] : [`${name} may ${mayBeNull ? '' : 'not '}be null`];
  const [outer = '', inner] = /[[{]/.test(type)
    ? [type.endsWith('{}') ? 'object' : 'array', type.slice(0, -2)]
    : [type];
  const wanted = typeOf[outer] ?? outer;
  if (kept.join(' or ') !== wanted) return [...nulls, `${name} is a ${wanted}, not a ${kept.join(' or ')}`];
  if (inner === undefined) return nulls;
  const within = outer === 'array' ? schema.items : schema.additionalProperties || undefined;
  return [...nulls, ...otherTypes({ ...fieldOf(name), type: inner, mayBeNull: false }, whole(within ?? {}))];
}

const fieldOf = (name: string): SpecifiedField => ({
  name,
  isOptional: false,
  mayBeNull: undefined,
  type: undefined,
  fallback: undefined,
  lowest: undefined,
  highest: undefined,
  longest: undefined,
});

/** Of alternatives that of each; a constant has that of its value. */
function typesIn(schema: Schema): readonly string[] {
  const { type, oneOf = [], const: only, enum: some = only === undefined ? [] : [only] } = schema;
  if (type !== undefined) return [type].flat();
  const ofValues = some.map((value) => (Number.isInteger(value) ? 'integer' : typeof value));
  return [...new Set([...ofValues, ...oneOf.flatMap((one) => typesIn(whole(one)))])];
}

/** A limit that the specification has not is settled here, and says so. */
function unmarkedLimits(field: SpecifiedField, schema: Schema): readonly string[] {
  const marks = schema['x-platen-beyond'] ?? [];
  const limits = [
    { keyword: 'minimum', isSpecified: field.lowest !== undefined, isThere: (schema.minimum ?? 0) > 0 },
    { keyword: 'maximum', isSpecified: field.highest !== undefined, isThere: schema.maximum !== undefined },
    {
      keyword: 'maxLength',
      isSpecified: field.longest !== undefined,
      isThere: schema.maxLength !== undefined,
    },
  ];
  return limits.flatMap(({ keyword, isSpecified, isThere }) => {
    const isMarked = marks === true || marks.includes(keyword);
    if (isMarked === (isThere && !isSpecified)) return [];
    return [`${keyword} of ${field.name} is ${isMarked ? 'marked as beyond' : 'beyond'} the specification`];
  });
}

/** 200 is the answer of every call; 403 is, by Authentication 1, that to every call without a key. */
const alwaysThere = ['200', '204', '403'];

function unmarkedResponses({ responses }: Operation, lines: readonly SpecifiedCall[]): readonly string[] {
  const specified = [...alwaysThere, ...lines.flatMap(({ statuses }) => statuses)];
  return Object.entries(responses).flatMap(([status, response]) => {
    const isMarked = response['x-platen-beyond'] === true;
    if (isMarked !== specified.includes(status)) return [];
    return [`${status} is ${isMarked ? 'marked as beyond' : 'beyond'} the specification`];
  });
}

/** Its lines: a call that makes a thing and changes it has two, and what one of them may leave out is optional. */
function linesOf(call: string): readonly SpecifiedCall[] {
  return specifiedCalls.filter((one) => one.call === call);
}

function fieldsIn(lines: readonly SpecifiedCall[]): readonly SpecifiedField[] {
  const isInAll = ({ name }: SpecifiedField) =>
    lines.every(({ fields }) => fields.some((one) => one.name === name && !one.isOptional));
  const all = new Map(lines.flatMap(({ fields }) => fields).map((one) => [one.name, one]));
  return [...all.values()].map((one) => ({ ...one, isOptional: !isInAll(one) }));
}

const { schemas } = readDocument().components;
const different = [...new Set(specifiedCalls.map(({ call }) => call))].map((call) => ({ call }));

describe('of the specification', () => {
  it('there are 98 calls, one of them in two forms', () => {
    expect(specifiedCalls).toHaveLength(99);
  });

  it.each(different)('$call has its parameters, statuses and permissions', ({ call }) => {
    const lines = linesOf(call);
    const [line] = lines;
    const operation = line && operationOf(line);
    const route = apiRoutes.find((one) => nameOf(one) === call);
    if (!line || !operation || !route) throw new Error(`${call} is not there`);
    expect(differences(fieldsIn(lines), fieldsOf(operation))).toEqual([]);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([...line.statuses]));
    expect(unmarkedResponses(operation, lines)).toEqual([]);
    expect([...route.permissions].toSorted()).toEqual(line.permissions.toSorted());
    expect(route.advanced).toBe(line.isFree ? 'free' : 'needed');
    const reported = lines.flatMap((one) => [...one.permissions, ...one.furtherPermissions]);
    for (const permission of reported) expect(operation.description).toContain(permission);
  });

  it.each(Object.keys(specifiedStructures))('%s has its fields', (name) => {
    const schema = schemas[name];
    expect(schema && differences(specifiedStructures[name] ?? [], whole(schema))).toEqual([]);
  });
});
