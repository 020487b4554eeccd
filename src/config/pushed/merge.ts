/**
 * How the settings of one layer stand before those of a weaker one (F15):
 *
 * - Maps are put together, key by key; deeply.
 * - Lists of things that have an `id` (terminals) are put together by it: known ones in their place, new ones behind.
 * - Everything else is replaced: a text, a number, a list, and where a secret lies.
 * - `null` takes a key away.
 *
 * The layers are base, site, gateway and, before all, the gateway's own file.
 */
import { isSameValue } from '../same-value.ts';
import type { KeyPath } from '../mistakes.ts';

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
