/** The guide in a package: no link leads to what is not in it. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { tidyGuide } from '../../tools/package-guide.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-guide-'));
  for (const part of ['systemd', 'config']) await cp(part, join(folder, part), { recursive: true });
  tidyGuide(folder);
  return () => rm(folder, { recursive: true });
});

it('leads to pages, files and headings that are there', async () => {
  const pages = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.md'));
  const dead: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(folder, page), 'utf8');
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)\s#]+)[^)\s]*\)/g)) {
      if (!existsSync(join(folder, dirname(page), link))) dead.push(`${page}: ${link}`);
    }
  }
  expect(dead).toEqual([]);
  expect(pages.length).toBeGreaterThan(20);
});

it('keeps the words of what it does not hold, and everything else as it was', async () => {
  const own = await mkdtemp(join(tmpdir(), 'platen-guide-'));
  onTestFinished(() => rm(own, { recursive: true }));
  await mkdir(join(own, 'node_modules'));
  await writeFile(join(own, 'node_modules/theirs.md'), '[gone](gone.md)');
  await writeFile(join(own, 'there.md'), '');
  await writeFile(
    join(own, 'page.md'),
    'See [the *house*](../src/README.md), [it](there.md#part), [here](#part), [out](https://a.example/x.md) at last.',
  );
  tidyGuide(own);
  expect(await readFile(join(own, 'page.md'), 'utf8')).toBe(
    'See the *house*, [it](there.md#part), [here](#part), [out](https://a.example/x.md) at last.',
  );
  expect(await readFile(join(own, 'node_modules/theirs.md'), 'utf8')).toBe('[gone](gone.md)');
});
