/** How the layers of a fleet's configuration stand before each other (F15). */
import { describe, expect, it } from 'vitest';
import { keyPath } from '../../../src/config/mistakes.ts';
import { merged, wayIn } from '../../../src/config/pushed/layers.ts';

describe('F15: a stronger layer', () => {
  const cases: readonly (readonly [what: string, lower: object, upper: object, result: object])[] = [
    ['adds to maps, deeply', { a: { b: 1, c: 2 } }, { a: { c: 3 }, d: 4 }, { a: { b: 1, c: 3 }, d: 4 }],
    ['replaces texts and lists', { a: [1, 2], b: 'x' }, { a: [3], b: 'y' }, { a: [3], b: 'y' }],
    [
      'knows things by their id, and adds new ones behind',
      { terminals: [{ id: 'a', place: 'x' }, { id: 'b' }] },
      { terminals: [{ id: 'c' }, { id: 'a', place: 'y' }] },
      { terminals: [{ id: 'a', place: 'y' }, { id: 'b' }, { id: 'c' }] },
    ],
    [
      'takes nothing away by an empty list',
      { terminals: [{ id: 'a' }] },
      { terminals: [] },
      { terminals: [{ id: 'a' }] },
    ],
    ['takes a key away by null', { a: { b: 1, c: 2 } }, { a: { b: null }, d: null }, { a: { c: 2 } }],
    ['takes a list away by null', { terminals: [{ id: 'a' }] }, { terminals: null }, {}],
    ['leaves no null behind where there was nothing', {}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    [
      'replaces where a secret lies as a whole',
      { key: { file: 'a' } },
      { key: { credential: 'b' } },
      { key: { credential: 'b' } },
    ],
    ['replaces what was of another kind', { a: { b: 1 } }, { a: 2 }, { a: 2 }],
  ];
  it.each(cases)('%s', (_what, lower, upper, result) => {
    expect(merged(lower, upper)).toEqual(result);
  });

  it('with an id twice is no list of things by their id: the mistake is seen in what results', () => {
    const twice = { terminals: [{ id: 'a' }, { id: 'a' }] };
    expect(merged({ terminals: [{ id: 'b' }] }, twice)).toEqual(twice);
  });

  it('cannot reach the prototype of anything', () => {
    const evil = JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":2}}}') as object;
    const result = merged({ a: {} }, evil) as { polluted?: number; a: { polluted?: number } };
    expect(result.polluted).toBeUndefined();
    expect(result.a.polluted).toBeUndefined();
    expect({}).not.toHaveProperty('polluted');
  });

  it('tells which weaker keys say something else', () => {
    const reported: string[] = [];
    const lower = { log: { level: 'warn' }, same: 1, terminals: [{ id: 'a', place: 'x' }], gone: 1 };
    const upper = {
      log: { level: 'info' },
      same: 1,
      terminals: [{ id: 'a', place: 'y' }],
      gone: null,
      more: 1,
    };
    merged(lower, upper, (path) => reported.push(keyPath(path)));
    expect(reported).toEqual(['log.level', 'terminals.a.place', 'gone']);
  });
});

it('finds the way in a layer that counts its list otherwise', () => {
  const layer = { terminals: [{ id: 'b', printer: { uri: 'x' } }] };
  const whole = { terminals: [{ id: 'a' }, { id: 'b', printer: { uri: 'x' } }] };
  expect(wayIn(layer, whole, ['terminals', 1, 'printer', 'uri'])).toEqual(['terminals', 0, 'printer', 'uri']);
  expect(wayIn(layer, whole, ['terminals', 0, 'printer'])).toEqual(['terminals']);
  expect(wayIn(layer, whole, ['terminals', 1, 'place'])).toEqual(['terminals', 0]);
});
