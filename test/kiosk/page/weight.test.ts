import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { page, readStaticFiles } from '../../../src/kiosk/server/kiosk-page.ts';

const weightOf = (body: string | Buffer): number => gzipSync(body, { level: 9 }).length;

it('weighs 58 KB at most when it is loaded, as gzip: page, style, script and the heaviest language', async () => {
  const files = await readStaticFiles();
  const words = [...files].filter(([path]) => /^\/\w\w-/.test(path)).map(([, { body }]) => weightOf(body));
  expect(words.length).toBe(5);
  const shell = [page, files.get('/kiosk.css'), files.get('/kiosk.js')].map((file) => file?.body ?? '');
  expect(shell).not.toContain('');
  const weight = shell.reduce((sum, body) => sum + weightOf(body), Math.max(...words));
  expect(weight).toBeLessThanOrEqual(58 * 1024);
});

it('names the licence of what is bundled', async () => {
  expect(await readFile('dist/page/.vite/license.md', 'utf8')).toMatch(/preact[^]*MIT/i);
});
