import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { page, readStaticFiles } from '../../../src/kiosk/page.ts';

it('weighs 40 KB at most, compressed, with all its languages', async () => {
  const bodies = [page, ...(await readStaticFiles()).values()].map(({ body }) => body);
  const weight = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  expect(weight).toBeLessThanOrEqual(40 * 1024);
});

it('names the licence of what is bundled', async () => {
  expect(await readFile('dist/page/.vite/license.md', 'utf8')).toMatch(/preact[^]*MIT/i);
});
