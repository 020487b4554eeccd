/**
 * Makes the page files that depend on the configuration: look, colours and logo. They do not change while the agent
 * runs.
 */
import type { Config } from '../../config/schema/config.ts';
import { accentOf } from '../../config/brand/accent.ts';
import type { PageFile } from '../../listener/page-files.ts';
import type { Look } from '../look.ts';
import { accentAddress, lookAddress } from '../look.ts';

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
