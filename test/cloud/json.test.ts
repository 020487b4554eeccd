/** The JSON door (INVARIANTS.md T23): what comes in is a checked value or `cloud-protocol`, never anything else. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Answer } from '../../src/cloud/http/json.ts';
import { expectDone, expectErrorCodeZero, peek, valueOf } from '../../src/cloud/http/json.ts';
import { isProblem } from '../../src/domain/problem/problem.ts';

const answer = (body: string | Buffer): Answer => ({
  call: 'GET /x',
  status: 200,
  headers: {},
  body: Buffer.from(body),
});
const schema = z.object({ items: z.array(z.object({ id: z.int() })) });

describe('the JSON door', () => {
  it('drops unknown fields', () => {
    expect(valueOf(answer('{"items":[{"id":1,"more":2}],"more":3}'), schema)).toEqual({ items: [{ id: 1 }] });
  });

  it.each(['0.30000000000000001', '1e400', '-0', '12345678901234567890.5'])(
    'gives the decimal %s as it was written, where money is expected, and other numbers as numbers',
    (written) => {
      const body = `{"cost":${written},"more":[{"cost":${written}}],"pages":3,"name":"4"}`;
      const price = z.object({ cost: z.string(), pages: z.int(), name: z.string() });
      expect(valueOf(answer(body), price, { decimals: ['cost'] })).toEqual({
        cost: written,
        pages: 3,
        name: '4',
      });
    },
  );

  it.each([
    ['nothing', '', 'GET /x: the answer is empty'],
    ['a page', '<html>canary</html>', 'GET /x: the answer is a web page, not JSON'],
    ['XML', '<?xml version="1.0"?><items/>', 'GET /x: the answer is XML, not JSON'],
    ['half a value', '{"items":[{"id":1', 'GET /x: the answer is not JSON'],
    ['bytes behind the value', '{"items":[]}}', 'GET /x: the answer is not JSON'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'GET /x: the answer is not JSON'],
    ['another prototype', '{"items":[{"__proto__":{"id":1}}]}', 'GET /x: the answer holds a __proto__'],
    ['17 levels', '['.repeat(17) + ']'.repeat(17), 'GET /x: the answer nests more than 16 levels deep'],
    [
      'a misfit',
      '{"items":[{"id":1},{"id":"canary"}]}',
      'GET /x: items.1.id: Invalid input: expected number, received string',
    ],
  ])('refuses %s as cloud-protocol, saying where and not what (I5)', (_, body, message) => {
    expect(() => valueOf(answer(body), schema)).toThrow(
      expect.objectContaining({ code: 'cloud-protocol', delivery: 'perhaps', message }),
    );
  });

  it('is not brought down by a hundred thousand brackets', () => {
    expect(() => valueOf(answer('['.repeat(100_000)), schema)).toThrow('not JSON');
    expect(() => valueOf(answer('['.repeat(60_000) + ']'.repeat(60_000)), schema)).toThrow(
      /levels deep|not JSON/,
    );
  });

  it.each([
    [1042, 'printer-not-ready', 'output-not-ready'],
    [1002, 'cloud-rejected', 'delete-document-error'],
    [1000, 'cloud-feature-off', 'not-implemented'],
    [4711, 'cloud-rejected', 'unlisted-error'],
  ])('turns errorCode %i in a 200 into %s and calls it %s', (errorCode, code, name) => {
    const message = expect.stringContaining(`GET /x: error ${errorCode} (${name}): The `) as string;
    const refused = expect.objectContaining({ code, message, status: 200, reasons: [name] });
    expect(() => expectDone(answer(JSON.stringify({ errorCode })))).toThrow(refused);
    expect(() => valueOf(answer(JSON.stringify({ errorCode })), schema)).toThrow(refused);
  });

  it('takes errorCode 0 for done', () => {
    expect(() => expectDone(answer('{"errorCode":0}'))).not.toThrow();
    expect(() => expectErrorCodeZero(answer('{"errorCode":0}'))).not.toThrow();
    expect(() => expectErrorCodeZero(answer('{}'))).toThrow('errorCode');
  });

  it('takes an empty body for done, and a page of a captive portal not', () => {
    expect(() => expectDone(answer(''))).not.toThrow();
    expect(() => expectDone(answer('<html>Please log in</html>'))).toThrow('not JSON');
  });

  it.each([
    '{}',
    '[]',
    'null',
    '0',
    'true',
    '""',
    '{"errorCode":null}',
    '{"errorCode":"0"}',
    '{"errorCode":0.5}',
  ])(
    'takes %s with status 200 for an answer that makes no sense, after which anything may have happened (I2)',
    (body) => {
      const nonsense = expect.objectContaining({ code: 'cloud-protocol', delivery: 'perhaps' });
      expect(() => expectDone(answer(body))).toThrow(nonsense);
      expect(() => expectErrorCodeZero(answer(body))).toThrow(nonsense);
    },
  );

  it('gives a value or cloud-protocol for any bytes (G7)', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc.json({ maxDepth: 20 }).map((text) => Buffer.from(text)),
      fc.tuple(fc.json(), fc.nat(60), fc.string()).map(([text, at, noise]) => {
        return Buffer.from(text.slice(0, at) + noise + text.slice(at));
      }),
      fc.anything({ maxDepth: 3 }).map((value) => Buffer.from(JSON.stringify({ items: [value] }) ?? '')),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        try {
          valueOf(answer(body), schema);
        } catch (error) {
          if (!isProblem(error, 'cloud-protocol', 'cloud-rejected')) throw error;
        }
        peek(answer(body));
      }),
      { numRuns: 1000 },
    );
    expect(Object.prototype).not.toHaveProperty('id');
  });
});
