/**
 * The files of a page, as `npm run build:page` made them. They are in memory from the agent's start on (INVARIANTS.md
 * T05). The HTML contains no code or style of its own, because the content security policy forbids it (T06).
 */
import { readdir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { extname, join } from 'node:path';

export interface PageFile {
  readonly type: string;
  readonly body: string | Buffer;
}

export const htmlFile = (body: string): PageFile => ({ type: 'text/html; charset=utf-8', body });

const types = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
]);

/** `page` names the folder in `dist`. Rejects if the page has not been built. */
export async function readPageFiles(page: 'page' | 'ui'): Promise<ReadonlyMap<string, PageFile>> {
  // The same folder from src/listener, from dist/main.js and from dist/assets.
  const folder = join(findPackageJSON(import.meta.url) ?? '', '..', 'dist', page);
  const files = await Promise.all(
    (await readdir(folder)).toSorted().map(async (name) => {
      const type = types.get(extname(name));
      if (type === undefined) return [];
      const body = await readFile(join(folder, name));
      return [[name, { type, body }] as const];
    }),
  );
  return new Map(files.flat());
}
