/**
 * Compares two configurations and says how each changed key takes effect while the agent runs. A key without an entry
 * here does not compile. Terminals are compared one by one in `station/stations.ts`.
 */
import { Secret } from '../core/secret.ts';
import type { Config } from './schema/config.ts';

/**
 * `at once`: used from its next use on. `when idle`: used by each terminal as soon as no person is at it. `restart`: it
 * belongs to the whole process, or a change would end every session.
 */
type InForce = 'at once' | 'when idle' | 'restart';

type Settings = Omit<Config, 'terminals'>;
type Entries<Section> =
  | InForce
  | (Section extends object ? { readonly [Key in keyof Required<Section>]: InForce } : never);

const inForce: { readonly [Section in keyof Settings]: Entries<Settings[Section]> } = {
  cloud: {
    baseUrl: 'restart',
    authUrl: 'restart',
    apiKey: 'at once',
    caFile: 'restart',
    proxyUrl: 'restart',
    fallbacks: 'restart',
    limits: 'at once',
  },
  device: 'restart',
  stateDir: 'restart',
  printerNetwork: 'when idle',
  fleet: { engine: 'at once', key: 'restart', previousKey: 'restart', site: 'restart', signers: 'restart' },
  guests: 'at once',
  kiosk: {
    listen: 'restart',
    user: 'restart',
    support: 'at once',
    askAbovePages: 'at once',
    account: 'at once',
    currency: 'at once',
    brand: 'restart',
    languages: 'restart',
    howToSend: 'restart',
    bigButtons: 'restart',
  },
  operations: 'restart',
  notify: 'at once',
  balance: 'restart',
  conversion: 'restart',
  history: 'at once',
  status: { intervalSeconds: 'at once', report: 'restart' },
  log: 'at once',
};

/** Keys such as `cloud.apiKey`, or `device` if the whole section has one rule. */
export const keysInForce: ReadonlyMap<string, InForce> = new Map(
  Object.entries(inForce).flatMap(([section, entries]): [string, InForce][] =>
    typeof entries === 'string'
      ? [[section, entries]]
      : Object.entries(entries).map(([key, way]) => [`${section}.${key}`, way]),
  ),
);

const valueAt = (config: Config, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config);

const changedAmong = (before: Config, after: Config, ...ways: readonly InForce[]): readonly string[] =>
  [...keysInForce]
    .filter(([key, way]) => ways.includes(isWhole(key, before, after) ? 'restart' : way))
    .filter(([key]) => !isSameValue(valueAt(before, key), valueAt(after, key)))
    .map(([key]) => key);

/** If a section is added or removed, all of its keys change at the next start. */
const isWhole = (path: string, ...configs: readonly Config[]): boolean => {
  const [section = '', key] = path.split('.');
  return key !== undefined && configs.some((config) => valueAt(config, section) === undefined);
};

interface ConfigChanges {
  /** The configuration in force now: the new one, but keys that need a restart keep their old values. */
  readonly config: Config;
  /** Keys that are in force now, or as soon as their terminals are idle. */
  readonly changed: readonly string[];
  /** Keys that take effect only after a restart. */
  readonly restart: readonly string[];
}

/** `running` is the configuration in force. */
export function changesBetween(running: Config, wanted: Config): ConfigChanges {
  const restart = changedAmong(running, wanted, 'restart');
  const sections: Record<string, unknown> = { ...wanted };
  for (const [path] of [...keysInForce].filter(([, way]) => way === 'restart')) {
    const [section = '', key] = path.split('.');
    sections[section] =
      key === undefined || isWhole(path, running, wanted)
        ? valueAt(running, section)
        : { ...(sections[section] as object), [key]: valueAt(running, path) };
  }
  return {
    config: sections as Config,
    changed: changedAmong(running, wanted, 'at once', 'when idle'),
    restart,
  };
}

/**
 * Whether two values of a checked configuration are equal. Secrets are compared by content, which a general
 * comparison cannot see. Functions count as equal, because the text that they come from is compared beside them, as
 * in a card-number rule.
 */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one instanceof Secret) return other instanceof Secret && one.equals(other);
  if (typeof one === 'function') return typeof other === 'function';
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => isSameValue(one[key], other[key]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
