/** Every key of the configuration says what it is: to an editor, in the manual page, and in the administrators' table; and the annotated examples load. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { configJsonSchema } from '../../src/config/known-keys.ts';
import { loadConfig } from '../../src/config/load.ts';
import { keysOf } from '../../src/core/text/schema-keys.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

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

/** The annotated examples are configurations, and stay so. */
const example = (name: string) => fileURLToPath(new URL(`../../config/${name}`, import.meta.url));

it.each(['gateway.yaml', 'kiosk.yaml'])('%s loads once its secret is there', (name) => {
  using directory = temporaryDirectory();
  const file = join(directory.path, name);
  copyFileSync(example(name), file);
  expect(() => loadConfig(file, {})).toThrow(/cloud\.apiKey: cannot read/);
  writeFileSync(join(directory.path, 'api-key'), 'sample-key');
  const { cloud, terminals } = loadConfig(file, {});
  expect(cloud.apiKey.reveal()).toBe('sample-key');
  expect(terminals.length).toBeGreaterThan(0);
});
