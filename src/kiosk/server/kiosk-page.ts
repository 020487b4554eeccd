/**
 * The files of the kiosk page, a hash that identifies the build, and the files that depend on the configuration:
 * look, colours and logo. They do not change while the agent runs.
 */
import { createHash } from 'node:crypto';
import { accentOf } from '../../config/brand/brand.ts';
import type { Config } from '../../config/schema/config.ts';
import type { PageFile } from '../../listener/page-files.ts';
import { htmlFile, readPageFiles } from '../../listener/page-files.ts';
import { accentAddress, lookAddress } from '../look.ts';
import type { Look } from '../look.ts';

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

export type LookConfig = Pick<Config['kiosk'], 'brand' | 'languages' | 'howToSend' | 'bigButtons'>;

const extensions = { 'image/svg+xml': 'svg', 'image/png': 'png' } as const;

/** The files by path. */
export function filesOf({
  brand,
  languages,
  howToSend,
  bigButtons,
}: LookConfig): ReadonlyMap<string, PageFile> {
  const { name, logo, colour, idle } = brand ?? {};
  const address = logo && `/logo.${extensions[logo.type]}`;
  const look: Look = {
    name,
    logo: address,
    idle,
    languages,
    howToSend,
    ...(bigButtons && { hasBigButtons: true }),
  };
  const files = new Map<string, PageFile>([
    [lookAddress, { type: 'application/json', body: JSON.stringify(look) }],
    [accentAddress, { type: 'text/css; charset=utf-8', body: colour === undefined ? '' : styleOf(colour) }],
  ]);
  if (logo && address) files.set(address, { type: logo.type, body: Buffer.from(logo.base64, 'base64') });
  return files;
}

/** The colours do not apply with high contrast, which a person has chosen. */
function styleOf(colour: string): string {
  const { light, dark } = accentOf(colour);
  return `:root:not([data-contrast="high"]) {
  --lead: light-dark(${light.lead}, ${dark.lead});
  --lead-tint: light-dark(${light.tint}, ${dark.tint});
}
`;
}
