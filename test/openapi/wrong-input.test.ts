/** Whatever breaks a rule of a field that the OpenAPI document has is refused by the embedded cloud, and noticed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { adminCard, arrive, registration } from '../support/cloud/hand-client.ts';
import { bearersOf, complaintsAboutAnswer, operations, validatorOf } from '../support/cloud/description.ts';
import type { Operation, Schema } from '../support/cloud/document.ts';
import type { Wrong, Writing } from './wrong-input.ts';
import { rightValue, wrongFields } from './wrong-input.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Asked {
  readonly query: Fields;
  readonly body: Fields;
}

let cloud: SimulatedCloud;
let tokens: { device: string; user: string };
let uuid: string;

beforeAll(async () => {
  cloud = await startCloud({ listShape: 'paged' });
  tokens = await arrive(cloud, adminCard);
  cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.09, colorNormalPage: 0.2, colorLargePage: 0.35 });
  uuid = cloud.addDocument({ owner: 'admin', name: 'Own.pdf' }).info.uuid;
});

afterAll(() => cloud[Symbol.asyncDispose]());

/** What only a test can know of a request that has nothing wrong in it. */
const ownValues = (operationId: string): Fields => {
  if (operationId === 'uploadDocument') return { username: 'admin', title: 'Scan.bin' };
  if (operationId === 'findLocations') return { locationtype: [1], locationdata: ['127.0.0.1'] };
  if (operationId === 'checkBalance') return { uuid, userName: 'admin', providerId: 3 };
  const { client_secret, public_key, key_type } = registration(cloud);
  const isToken = operationId.startsWith('requestToken');
  return isToken
    ? { client_secret, client_id: 'nobody', device_code: 'none' }
    : { client_secret, public_key, key_type };
};

const own = (operationId: string, { properties = {} }: Schema): Fields =>
  Object.fromEntries(Object.entries(ownValues(operationId)).filter(([name]) => name in properties));

const contentOf = ({ requestBody }: Operation) => Object.entries(requestBody?.content ?? {})[0] ?? [];

/** Each of a choice of forms for itself. */
function bodiesOf(operation: Operation): readonly Schema[] {
  const [, { schema } = {}] = contentOf(operation);
  const isChoice = schema?.oneOf && schema.properties === undefined;
  return isChoice ? schema.oneOf : [schema ?? {}];
}

const text = (fields: Fields): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, wordOf(one)]),
    ),
  );

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function parts(fields: Fields): FormData {
  const data = new FormData();
  for (const [name, value] of text(fields)) {
    if (name === 'data') data.append(name, new File(['bytes'], 'scan.bin'));
    else data.append(name, value);
  }
  return data;
}

const written: Readonly<Record<string, (fields: Fields) => string | FormData>> = {
  'application/json': (fields) => JSON.stringify(fields),
  'application/x-www-form-urlencoded': (fields) => String(text(fields)),
  'multipart/form-data': parts,
  'application/octet-stream': () => 'bytes',
};

async function ask(
  operation: Operation,
  { query, body }: Asked,
  path = pathOf(operation),
): Promise<Response> {
  const [type = ''] = contentOf(operation);
  const kinds = bearersOf(operation);
  const bearer = kinds.includes('user') ? tokens.user : kinds.includes('device') ? tokens.device : undefined;
  const sent = written[type]?.(body);
  return fetch(
    `${cloud.baseUrl}${path}${Object.keys(query).length > 0 ? `?${text(query).toString()}` : ''}`,
    {
      method: operation.method,
      redirect: 'manual',
      headers: {
        ...(path.startsWith('/api/') ? { 'x-api-key': cloud.apiKey } : {}),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(typeof sent === 'string' ? { 'content-type': type } : {}),
      },
      ...(sent === undefined ? {} : { body: sent }),
    },
  );
}

const pathOf = ({ path }: Operation): string => path.replaceAll(/\{\w+\}/g, '4711');

const rightOf = (operation: Operation, body: Schema): Asked => ({
  query: { ...Object(rightValue(operation.inQuery)), ...own(operation.operationId, operation.inQuery) },
  body: { ...Object(rightValue(body)), ...own(operation.operationId, body) },
});

function* wrongsOf(operation: Operation, body: Schema): Generator<{ wrong: Wrong; asked: Asked }> {
  const right = rightOf(operation, body);
  const writing: Writing = contentOf(operation)[0] === 'application/json' ? 'json' : 'text';
  for (const wrong of wrongFields(operation.inQuery, right.query, 'text')) {
    yield { wrong, asked: { ...right, query: wrong.fields } };
  }
  for (const wrong of wrongFields(body, right.body, writing)) {
    yield { wrong, asked: { ...right, body: wrong.fields } };
  }
}

/** What is wrong with the answer to what is wrong. */
async function complaintsAbout(operation: Operation, { wrong, asked }: { wrong: Wrong; asked: Asked }) {
  const before = cloud.deviations.length;
  const answer = await ask(operation, asked);
  const type = answer.headers.get('content-type') ?? undefined;
  const body = await answer.text();
  const noticed = cloud.deviations.slice(before).join();
  const complaints = [
    ...complaintsAboutAnswer(
      { method: operation.method, path: pathOf(operation) },
      { status: answer.status, type, body },
    ),
    ...(answer.status === 400 ? [] : [`answered ${answer.status}`]),
    ...(noticed.includes(wrong.field) && noticed !== '' ? [] : [`noticed as “${noticed}”`]),
  ];
  return complaints.map((complaint) => `${wrong.field} ${wrong.what}: ${complaint}`);
}

describe('each rule of each field', () => {
  let made = 0;

  it.each(operations)('of $method $path is kept', async (operation) => {
    for (const body of bodiesOf(operation)) {
      const right = rightOf(operation, body);
      expect(validatorOf(operation.inQuery)(right.query)).toBe(true);
      expect(validatorOf(body)(right.body)).toBe(true);
      const before = cloud.deviations.length;
      await ask(operation, right);
      const noticed = cloud.deviations.slice(before).filter((one) => !/deprecated|no certificate/.test(one));
      expect(noticed).toEqual([]);
      const cases = [...wrongsOf(operation, body)];
      made += cases.length;
      const complaints = [];
      for (const one of cases) complaints.push(...(await complaintsAbout(operation, one)));
      expect(complaints).toEqual([]);
    }
  });

  it('was broken well over a thousand times', () => {
    expect(made).toBeGreaterThan(1700);
  });

  const numbered = operations.filter((one) =>
    Object.values(one.inPath.properties ?? {}).some(({ type }) => type === 'integer'),
  );

  it.each(numbered)('of the path of $method $path is kept', async (operation) => {
    const path = operation.path.replaceAll(/\{\w+\}/g, 'here');
    const [body = {}] = bodiesOf(operation);
    const answer = await ask(operation, rightOf(operation, body), path);
    const type = answer.headers.get('content-type') ?? undefined;
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const { method } = operation;
    expect(
      complaintsAboutAnswer({ method, path }, { status: answer.status, type, body: await answer.text() }),
    ).toEqual([]);
  });
});
