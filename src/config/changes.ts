/**
 * Compares two configurations and says how each changed key takes effect while the agent runs. A key without an entry
 * here does not compile. Terminals are compared one by one in `station/stations.ts`.
 */
import { isSameValue } from './same-value.ts';
import type { Config } from './schema/config.ts';

/**
 * `at once`: used from its next use on. `when idle`: used by each terminal as soon as no person is at it. `restart`: it
 * belongs to the whole process, or a change would end every session.
 */
export type InForce = 'at once' | 'when idle' | 'restart';

type Settings = Omit<Config, 'terminals'>;
type Entries<Section> =
  | InForce
  | (Section extends object ? { readonly [Key in keyof Required<Section>]: InForce } : never);

export const inForce: { readonly [Section in keyof Settings]: Entries<Settings[Section]> } = {
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

export interface ConfigChanges {
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
