/**
 * The layers of a fleet's configuration (F15): base, site, gateway and, before all, the gateway's own file. The
 * settings of one layer stand before those of a weaker one:
 *
 * - Maps are put together, key by key; deeply.
 * - Lists of things that have an `id` (terminals) are put together by it: known ones in their place, new ones behind.
 * - Everything else is replaced: a text, a number, a list, and where a secret lies.
 * - `null` takes a key away.
 */
import { isSameValue } from '../changes.ts';
import type { KeyPath, Mistake } from '../mistakes.ts';
import { placesOfSecrets } from '../redacted.ts';

export type Settings = Readonly<Record<string, unknown>>;

/** Calls `onReplaced` for a key whose weaker value is different. */
export function merged(
  lower: unknown,
  upper: unknown,
  onReplaced: (path: KeyPath) => void = () => {},
  path: KeyPath = [],
): unknown {
  if (isMap(upper) && (lower === undefined || isMap(lower)) && !isReference(lower) && !isReference(upper)) {
    return mergedMaps(lower ?? {}, upper, onReplaced, path);
  }
  if (haveIds(lower) && haveIds(upper)) return mergedById(lower, upper, onReplaced, path);
  if (lower !== undefined && !isSameValue(lower, upper)) onReplaced(path);
  return upper;
}

function mergedMaps(
  lower: Settings,
  upper: Settings,
  onReplaced: (path: KeyPath) => void,
  path: KeyPath,
): Settings {
  const result = new Map(Object.entries(lower));
  for (const [key, value] of Object.entries(upper)) {
    const below = [...path, key];
    if (value === null) {
      if (result.delete(key)) onReplaced(below);
    } else result.set(key, merged(result.get(key), value, onReplaced, below));
  }
  return Object.fromEntries(result);
}

function mergedById(
  lower: readonly Identified[],
  upper: readonly Identified[],
  onReplaced: (path: KeyPath) => void,
  path: KeyPath,
): readonly unknown[] {
  const result = new Map<string, unknown>(lower.map((one) => [one.id, one]));
  for (const one of upper) {
    result.set(one.id, merged(result.get(one.id), one, onReplaced, [...path, one.id]));
  }
  return [...result.values()];
}

interface Identified extends Settings {
  readonly id: string;
}

export const isMap = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An empty list also matches, so it removes no items. A list with a double id does not match. */
const haveIds = (value: unknown): value is readonly Identified[] =>
  Array.isArray(value) &&
  value.every((one) => isMap(one) && typeof one['id'] === 'string') &&
  new Set(value.map(({ id }: Identified) => id)).size === value.length;

/** A reference to a secret such as `{ file: … }`. Two references must not be merged into one map. */
const isReference = (value: unknown): boolean =>
  isMap(value) &&
  Object.keys(value).length === 1 &&
  ['file', 'credential', 'env'].some((key) => typeof value[key] === 'string');

/**
 * The part of a merged path that exists in one layer. Indexes are translated, because a list with ids may have another
 * order in the layer.
 */
export function wayIn(layer: unknown, whole: unknown, path: KeyPath): KeyPath {
  const [part, ...rest] = path;
  if (part === undefined) return [];
  const here = typeof part === 'number' ? placeInList(layer, whole, part) : part;
  const within = here === undefined ? undefined : childOf(layer, here);
  if (here === undefined || within === undefined) return [];
  return [here, ...wayIn(within, childOf(whole, part), rest)];
}

function placeInList(layer: unknown, whole: unknown, index: number): number | undefined {
  if (!haveIds(whole) || !haveIds(layer)) return index;
  const found = layer.findIndex(({ id }) => id === whole[index]?.id);
  return found < 0 ? undefined : found;
}

const childOf = (value: unknown, part: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    ? (value as Record<string | number, unknown>)[part]
    : undefined;

const ownKeys: readonly KeyPath[] = [
  ['fleet'],
  ['stateDir'],
  ['device', 'clientId'],
  ['device', 'sealingKey'],
];

/**
 * What a layer may not contain (F15). Keys that connect a gateway to the fleet, and keys of its identity, stay in its
 * own file. Secrets stay on the gateway; the layer only names their file or credential.
 */
export function mistakesOfLayer(settings: unknown): readonly Mistake[] {
  if (!isMap(settings)) return [{ path: [], message: 'must contain keys of platen.yaml with their values' }];
  return [
    ...ownKeys
      .filter((path) => isThere(settings, path))
      .map((path) => ({ path, message: "may stand only in each gateway's own file" })),
    ...placesOfSecrets(settings)
      .filter(({ value }) => !isLocal(value))
      .map(({ path }) => ({
        path,
        message:
          "is a secret and must stay on the gateway. Write { credential: NAME }, or { file: NAME } for a file beside the gateway's own file",
      })),
  ];
}

const isThere = (settings: unknown, [key = '', ...rest]: KeyPath): boolean =>
  isMap(settings) &&
  Object.hasOwn(settings, key) &&
  (rest.length === 0 || isThere(settings[String(key)], rest));

/** The file is in the folder of the gateway's own file or below it, so a layer cannot name another program's files. */
const localFile = /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\\\0]+$/;

/** `null` removes the key. */
const isLocal = (value: unknown): boolean => {
  if (value === null) return true;
  if (!isMap(value)) return false;
  const { file, credential } = value;
  return typeof credential === 'string' || (typeof file === 'string' && localFile.test(file));
};
