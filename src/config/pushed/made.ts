/** Makes a version from a checked directory: its manifest and its parts. */
import { canonical, hashOf } from './canonical.ts';
import type { CheckedDirectory } from './directory-check.ts';
import type { Manifest } from './manifest.ts';

export interface MadeVersion {
  readonly manifest: Manifest;
  /** By hash. */
  readonly parts: Readonly<Record<string, string>>;
}

export function madeOf(
  { base, sites, gateways }: CheckedDirectory,
  { fleet, version, madeAt }: Pick<Manifest, 'fleet' | 'version' | 'madeAt'>,
): MadeVersion {
  const parts = new Map<string, string>();
  const part = (settings: unknown): string => {
    const text = canonical(settings);
    const hash = hashOf(text);
    parts.set(hash, text);
    return hash;
  };
  return {
    manifest: {
      format: 1,
      fleet,
      version,
      madeAt,
      base: base === undefined ? null : part(base),
      sites: Object.fromEntries([...sites].map(([name, settings]) => [name, part(settings)])),
      gateways: Object.fromEntries(
        [...gateways].map(([name, { settings, site }]) => [
          name,
          { part: part(settings), site: site ?? null },
        ]),
      ),
    },
    parts: Object.fromEntries(parts),
  };
}

/** Whether two versions have the same content. Time and version number do not count. */
export const isSameContent = (one: Manifest, other: Manifest): boolean => contentOf(one) === contentOf(other);

const contentOf = ({ base, sites, gateways }: Manifest): string => canonical({ base, sites, gateways });
