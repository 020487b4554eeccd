/** Every key of the configuration says what it is: to an editor, in the manual page, and in the administrators' table. */
import { expect, it } from 'vitest';
import { configJsonSchema } from '../../src/config/known-keys.ts';
import { keysOf } from '../../src/core/text/schema-keys.ts';

const keys = keysOf(JSON.parse(configJsonSchema()));

it('every key of the configuration has a description, of readers and reports too', () => {
  expect(keys.length).toBeGreaterThan(100);
  expect(keys.filter(({ meaning = '' }) => meaning.trim() === '').map(({ path }) => path)).toEqual([]);
});

it('a description of a key whose name tells the unit tells it too', () => {
  const units = /(?:Seconds|Hours)$/;
  const silent = keys.filter(({ path, meaning = '' }) => {
    const [unit] = units.exec(path) ?? [];
    return unit !== undefined && !meaning.toLowerCase().includes(unit.toLowerCase());
  });
  expect(silent.map(({ path }) => path)).toEqual([]);
});

it('a description ends as a table wants it: without a full stop', () => {
  expect(keys.filter(({ meaning = '' }) => /[.\s]$/.test(meaning)).map(({ path }) => path)).toEqual([]);
});
