/** The files of the kiosk page, and a hash that identifies the build. */
import { createHash } from 'node:crypto';
import type { PageFile } from '../../listener/page-files.ts';
import { accentAddress } from '../look.ts';
import { htmlFile, readPageFiles } from '../../listener/page-files.ts';

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Print terminal</title>
<link rel="stylesheet" href="/kiosk.css">
<link rel="stylesheet" href="${accentAddress}">
<script type="module" src="/kiosk.js"></script>
</head>
<body>
<noscript><p>This page needs JavaScript.</p></noscript>
</body>
</html>
`;

/** The same HTML for every terminal. The page reads the terminal's id from its own address. */
export const page = htmlFile(html);

/** A short hash that changes when the page or one of its files changes. */
export function buildOf(files: ReadonlyMap<string, PageFile>): string {
  const hash = createHash('sha256').update(page.body);
  for (const [path, { body }] of files) hash.update(`${path} ${body.length}\n`).update(body);
  return hash.digest('base64url').slice(0, 12);
}

/** The files by path. Rejects if the page has not been built. */
export async function readStaticFiles(): Promise<ReadonlyMap<string, PageFile>> {
  return new Map([...(await readPageFiles('page'))].map(([name, file]) => [`/${name}`, file]));
}
