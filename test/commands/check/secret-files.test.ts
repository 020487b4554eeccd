import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { secretPlaces } from '../../../src/commands/check/permissions.ts';

it.each<[string, readonly string[], boolean]>([
  [
    'cloud: { apiKey: { file: key }, fallbacks: [{ apiKey: { file: /other/key } }] }',
    ['HERE/key', '/other/key'],
    false,
  ],
  ['cloud: { apiKey: in-the-clear }', [], true],
  ['cloud: { apiKey: { env: KEY }, proxyUrl: { credential: proxy } }', [], false],
  ['terminals: [{ login: { password: auto } }]', [], false],
  ['terminals: [{ printer: { credentials: { username: p, password: { file: pw } } } }]', ['HERE/pw'], false],
  ['fleet: { engine: { url: { file: url } }, key: { file: key } }', ['HERE/url', 'HERE/key'], false],
  ['cloud: { apiKey: &key { file: key } }\ndevice: { sealingKey: *key }', ['HERE/key'], false],
])('the secrets of %s lie in %j, and in the file itself: %j', async (yaml, files, isInConfig) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-secrets-'));
  const file = join(folder, 'platen.yaml');
  await writeFile(file, yaml);
  expect(secretPlaces(file)).toEqual({
    files: files.map((path) => path.replace('HERE', folder)),
    isInConfig,
  });
  await rm(folder, { recursive: true });
});
