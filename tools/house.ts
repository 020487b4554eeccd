/**
 * `npm run check:house`: how the house is cut. Nothing of it is a limit: a file with one importer may have its reason, and
 * a long one too. `--files` names the files with one importer, by the folder in which most of them lie.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../src', import.meta.url));

const texts = new Map(
  globSync('**/*.{ts,tsx}', { cwd: src, exclude: ['**/*.d.ts'] }).map((path) => [
    path,
    readFileSync(join(src, path), 'utf8'),
  ]),
);

const importers = new Map<string, Set<string>>([...texts.keys()].map((path) => [path, new Set()]));
for (const [path, text] of texts) {
  for (const [, name = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g))
    importers.get(relative(src, join(src, dirname(path), name)))?.add(path);
}

const sizes = [...texts.values()].map((text) => text.trimEnd().split('\n').length).toSorted((a, b) => a - b);
const alone = [...importers].flatMap(([path, by]) => (by.size === 1 ? [[path, ...by] as const] : []));
const within = alone.filter(([path, by = '']) => dirname(path) === dirname(by));
const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
const lines = sizes.reduce((sum, size) => sum + size, 0);

process.stdout.write(
  `src: ${sizes.length} files, ${lines} lines, median ${median}, longest ${sizes.at(-1)}; ` +
    `${alone.length} have one importer, ${within.length} of them in its own folder\n`,
);

if (process.argv.includes('--files')) {
  const byFolder = Map.groupBy(within, ([path]) => dirname(path));
  for (const [folder, files] of [...byFolder].toSorted(([, a], [, b]) => b.length - a.length))
    for (const [path, by = ''] of files) process.stdout.write(`${folder}: ${path} <- ${by}\n`);
}
