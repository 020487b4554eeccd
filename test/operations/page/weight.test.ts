import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readAdministratorsPage } from '../../../src/operations/ui/administrators-page.ts';

it('weighs 40 KB at most when it is loaded, as gzip: page, style and script', async () => {
  const files = await readAdministratorsPage();
  expect([...files.keys()].map((path) => path.replace(/-[\w-]+\./, '-HASH.')).sort()).toEqual([
    '/ui/',
    '/ui/ui-HASH.css',
    '/ui/ui-HASH.js',
  ]);
  const weights = [...files.values()].map(({ body }) => gzipSync(body, { level: 9 }).length);
  expect(Math.min(...weights)).toBeGreaterThan(100);
  expect(weights.reduce((sum, weight) => sum + weight)).toBeLessThanOrEqual(40 * 1024);
});

it('names the licence of what is bundled', async () => {
  expect(await readFile('dist/ui/.vite/license.md', 'utf8')).toMatch(/preact[^]*MIT/i);
});
