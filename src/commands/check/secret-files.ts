/** Where the secrets of a configuration file lie: in files of their own, or in the file itself. No value is kept. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';

export interface SecretPlaces {
  /** Absolute paths, without the configuration itself. */
  readonly files: readonly string[];
  /** The configuration holds a secret in the clear. */
  readonly isInConfig: boolean;
}

/** Of a file that was loaded without mistakes. */
export function secretPlaces(configFile: string): SecretPlaces {
  const sources = secretSources(parse(readFileSync(configFile, 'utf8')), '');
  const named = sources.flatMap((source) => (isNamed(source) ? [source.file] : []));
  return {
    files: [...new Set(named)].map((file) => resolve(dirname(configFile), file)),
    isInConfig: sources.some((source) => typeof source === 'string'),
  };
}

/** What stands at the keys of secrets (config/schema/config.ts), however deep; `login.password` is none of them. */
function secretSources(value: unknown, path: string): readonly unknown[] {
  if (/(?:apiKey|proxyUrl|sealingKey|credentials\.password|fleet\.engine\.url|fleet\.key)$/.test(path))
    return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => secretSources(inside, `${path}.${key}`));
}

const isNamed = (source: unknown): source is { file: string } =>
  typeof source === 'object' && source !== null && 'file' in source && typeof source.file === 'string';
