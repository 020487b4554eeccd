/** The annotated examples are configurations, and stay so. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

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
