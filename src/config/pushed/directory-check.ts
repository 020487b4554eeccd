/**
 * Checks the directory of a fleet's configuration as a whole before any of it is signed (F15), and makes a version
 * from it. It checks each file alone and the merged settings of each gateway. All mistakes are reported at once, with
 * file, line and key path.
 */
import type { Document, LineCounter } from 'yaml';
import { examined, originOf } from '../load.ts';
import type { KeyPath, Mistake } from '../mistakes.ts';
import { ConfigInvalid, lineOf } from '../mistakes.ts';
import { outsideOf, withoutSecrets } from '../outside.ts';
import { configSchema } from '../schema/config.ts';
import type { Outside } from '../schema/values.ts';
import { parsedYaml } from '../yaml-text.ts';
import { isMap, merged, mistakesOfLayer } from './layers.ts';
import type { Settings } from './layers.ts';
import type { Layer, Manifest } from './manifest.ts';
import { canonical, hashOf, partName } from './manifest.ts';

export interface DirectoryText {
  readonly kind: 'base' | 'site' | 'gateway';
  /** The name of the site or the gateway; empty for the base. */
  readonly name: string;
  /** The path of the file in the directory. */
  readonly what: string;
  readonly text: string;
}

interface Parsed extends Omit<DirectoryText, 'text'>, Layer {
  readonly document: Document;
  readonly counter: LineCounter;
  /** Only for a gateway whose file names a site. */
  readonly site: string | undefined;
}

/** A member on the fleet's roll. */
export interface OnRoll {
  readonly name: string;
  readonly site: string;
}

export interface CheckedGateway extends OnRoll {
  readonly settings: Settings;
  readonly isOnRoll: boolean;
}

export interface CheckedDirectory {
  readonly base: Settings | undefined;
  readonly sites: ReadonlyMap<string, Settings>;
  readonly gateways: ReadonlyMap<string, { readonly settings: Settings; readonly site: string | undefined }>;
  /** Every gateway of the directory or the roll, with its merged settings. */
  readonly all: readonly CheckedGateway[];
}

/** Throws one `ConfigInvalid` with the mistakes of all files. */
export function checkDirectory(texts: readonly DirectoryText[], roll: readonly OnRoll[]): CheckedDirectory {
  const lines: string[] = [];
  const parsed = texts.flatMap((text) => parsedOrReported(text, lines));
  // Stop here, because a mistake in one file would be repeated for every gateway.
  if (lines.length > 0) throw together(lines, texts);
  const find = (kind: DirectoryText['kind'], name: string) =>
    parsed.find((one) => one.kind === kind && one.name === name);
  const layersOf = (site: string, gateway?: string): readonly Parsed[] =>
    [
      find('base', ''),
      find('site', site),
      gateway === undefined ? undefined : find('gateway', gateway),
    ].filter((one) => one !== undefined);
  const all = placesOf(parsed, roll).map((place) => {
    const layers = layersOf(place.site, place.name);
    const settings = wholeOf(layers);
    lines.push(...mistakesIn(settings, layers, { isWhole: true }));
    return { ...place, settings };
  });
  for (const site of ['', ...parsed.flatMap(({ kind, name }) => (kind === 'site' ? [name] : []))]) {
    const layers = layersOf(site);
    lines.push(...mistakesIn(wholeOf(layers), layers, { isWhole: false }));
  }
  if (lines.length > 0) throw together(lines, texts);
  const ofKind = (kind: DirectoryText['kind']) => parsed.filter((one) => one.kind === kind);
  return {
    base: find('base', '')?.settings,
    sites: new Map(ofKind('site').map(({ name, settings }) => [name, settings])),
    gateways: new Map(ofKind('gateway').map(({ name, settings, site }) => [name, { settings, site }])),
    all,
  };
}

function parsedOrReported({ text, ...file }: DirectoryText, lines: string[]): readonly Parsed[] {
  try {
    const { document, counter, data = {} } = parsedYaml(file.what, text);
    const { site, settings, mistakes } = file.kind === 'gateway' ? withoutSite(data) : plain(data);
    const one = { ...file, document, counter, site, settings: settings as Settings };
    const wrong = [...mistakes, ...mistakesOfLayer(settings)];
    lines.push(...linesOf(one, wrong));
    return wrong.length === 0 ? [one] : [];
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    lines.push(...error.lines);
    return [];
  }
}

interface SiteTaken {
  readonly site: string | undefined;
  readonly settings: unknown;
  readonly mistakes: readonly Mistake[];
}

const plain = (settings: unknown): SiteTaken => ({ site: undefined, settings, mistakes: [] });

/**
 * `site: vienna` in a gateway's file is not a key of platen.yaml. It selects the file in `sites` on which this file is
 * laid.
 */
function withoutSite(data: unknown): SiteTaken {
  if (!isMap(data) || !Object.hasOwn(data, 'site')) return plain(data);
  const { site, ...settings } = data;
  if (typeof site === 'string' && partName.test(site)) return { site, settings, mistakes: [] };
  return { ...plain(settings), mistakes: [{ path: ['site'], message: 'must be the name of a site' }] };
}

/** The gateways of the directory, and the members on the roll without a file there. */
function placesOf(
  parsed: readonly Parsed[],
  roll: readonly OnRoll[],
): readonly (OnRoll & { isOnRoll: boolean })[] {
  const named = parsed
    .filter(({ kind }) => kind === 'gateway')
    .map(({ name, site }) => {
      const member = roll.find((one) => one.name === name);
      return { name, site: site ?? member?.site ?? '', isOnRoll: member !== undefined };
    });
  const others = roll.filter(({ name }) => !named.some((one) => one.name === name));
  return [...named, ...others.map((one) => ({ ...one, isOnRoll: true }))];
}

const wholeOf = (layers: readonly Layer[]): Settings =>
  layers.reduce<unknown>((below, { settings }) => merged(below, settings), {}) as Settings;

/** Every gateway's own file has these keys, because without them the gateway could not be in the fleet. */
const ownFile = {
  cloud: { baseUrl: 'https://own.invalid', authUrl: 'https://own.invalid', apiKey: 'own' },
};

/** The check must not read files or users of the machine on which it runs. */
const elsewhere: Outside = {
  ...withoutSecrets(outsideOf('/', {})),
  certificates: () => '',
  user: () => 0,
  stateDirectory: () => '/',
  conversionRoom: (named) => named ?? 'namespaces',
};

/** Built once, because a fleet may have a thousand gateways. */
const schemaElsewhere = configSchema(elsewhere);

/** With `isWhole`, a missing key is a mistake. */
function mistakesIn(
  settings: Settings,
  layers: readonly Parsed[],
  { isWhole }: { readonly isWhole: boolean },
): readonly string[] {
  const { mistakes } = examined(merged(ownFile, settings), schemaElsewhere, { isElsewhere: true });
  return mistakes
    .filter(({ message }) => isWhole || message !== 'is missing')
    .flatMap((mistake) => {
      const from = originOf(mistake.path, settings, layers) as (Parsed & { path: KeyPath }) | undefined;
      if (!from) return [];
      const line = lineOf(from.document, from.counter, from.path);
      return linesOf(from, [line === undefined ? mistake : { ...mistake, line }]);
    });
}

function linesOf(
  { what, document, counter }: Pick<Parsed, 'what' | 'document' | 'counter'>,
  mistakes: readonly Mistake[],
): readonly string[] {
  const placed = mistakes.map((mistake) => {
    const line = mistake.line ?? lineOf(document, counter, mistake.path);
    return line === undefined ? mistake : { ...mistake, line };
  });
  return new ConfigInvalid(what, placed).lines;
}

/** In the order of the files and of their lines. */
function together(lines: readonly string[], texts: readonly DirectoryText[]): ConfigInvalid {
  const placeOf = (line: string): number =>
    texts.findIndex(({ what }) => line.startsWith(`${what}:`)) * 1_000_000 +
    Number(/:(\d+):/.exec(line)?.[1] ?? 0);
  return new ConfigInvalid(
    '',
    [...new Set(lines)].toSorted((one, other) => placeOf(one) - placeOf(other)),
  );
}

export interface MadeVersion {
  readonly manifest: Manifest;
  /** By hash. */
  readonly parts: Readonly<Record<string, string>>;
}

/** The version from a checked directory: its manifest and its parts. */
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
