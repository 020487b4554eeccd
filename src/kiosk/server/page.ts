/**
 * The files of the kiosk page, kept in memory from the agent's start on (INVARIANTS.md T05). Scripts and style are what
 * `npm run build:page` made of `page/`; the HTML holds no code or style of its own, as the content security policy
 * wants it (T06).
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { extname, join } from 'node:path';

export interface PageFile {
  readonly type: string;
  readonly body: string;
}

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Print terminal</title>
<link rel="stylesheet" href="/kiosk.css">
<script type="module" src="/kiosk.js"></script>
</head>
<body>
<noscript><p>This page needs JavaScript.</p></noscript>
</body>
</html>
`;

/** The same for every terminal: which one it shows, it reads off its own address. */
export const page: PageFile = { type: 'text/html; charset=utf-8', body: html };

const types = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
]);

/** Short, and another one whenever the page or one of its files is. */
export function buildOf(files: ReadonlyMap<string, PageFile>): string {
  const hash = createHash('sha256').update(page.body);
  for (const { body } of files.values()) hash.update(body);
  return hash.digest('base64url').slice(0, 12);
}

/** By path. Rejects where the page has not been built. */
export async function readStaticFiles(): Promise<ReadonlyMap<string, PageFile>> {
  // The same folder from src/kiosk, from dist/main.js and from dist/assets.
  const folder = join(findPackageJSON(import.meta.url) ?? '', '..', 'dist', 'page');
  const files = await Promise.all(
    (await readdir(folder)).toSorted().map(async (name) => {
      const type = types.get(extname(name));
      if (type === undefined) return [];
      const body = await readFile(join(folder, name), 'utf8');
      return [[`/${name}`, { type, body }] as const];
    }),
  );
  return new Map(files.flat());
}
