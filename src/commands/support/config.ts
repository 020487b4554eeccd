/**
 * The configuration for a support bundle. A correct file is used completely. From a file with mistakes it takes the
 * keys and the state directory, so that the other pieces can be found.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { unescape as decoded } from 'node:querystring';
import { parseDocument, stringify } from 'yaml';
import { loadConfig } from '../../config/load.ts';
import { ConfigInvalid } from '../../config/mistakes.ts';
import { outsideOf } from '../../config/outside.ts';
import { loadPart, statePart } from '../../config/part.ts';
import { keysOfSettings, redactedSettings, secretsOfSettings } from '../../config/redacted.ts';
import type { Config } from '../../config/schema/config.ts';
import { Secret } from '../../core/secret.ts';
import type { Io } from '../io.ts';

export interface KnownConfig {
  /** Absent where the file has mistakes. */
  readonly config?: Config;
  readonly mistakes: readonly string[];
  readonly stateDir: string;
  /** As YAML, for other people. */
  readonly text: string;
  /** Secrets to remove from all pieces. */
  readonly secrets: readonly string[];
}

export function knownConfig(file: string, env: Io['env']): KnownConfig {
  const settings = settingsOf(file);
  try {
    const config = loadConfig(file, env);
    return {
      config,
      mistakes: [],
      stateDir: config.stateDir,
      text: stringify(redactedSettings(settings)),
      secrets: [...secretsIn(config), ...secretsOfSettings(settings)],
    };
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return {
      mistakes: error.lines,
      stateDir: stateDirOf(file, env),
      text: stringify(keysOfSettings(settings ?? null)),
      secrets: secretsOfSettings(settings),
    };
  }
}

/** If the file does not name it or cannot be read, the usual place. */
function stateDirOf(file: string, env: Io['env']): string {
  try {
    return loadPart(file, env, statePart).part.stateDir;
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return outsideOf(dirname(resolve(file)), env).stateDirectory(undefined);
  }
}

/** As much of the file as can be read. */
function settingsOf(file: string): unknown {
  try {
    // Through JSON and back: an alias inside its own anchor would be endless.
    return JSON.parse(JSON.stringify(parseDocument(readFileSync(file, 'utf8')).toJS({ maxAliasCount: 100 })));
  } catch {
    // There is no file, or it has no readable content. `loadConfig` reports that.
    return undefined;
  }
}

function secretsIn(value: unknown): readonly string[] {
  if (value instanceof Secret) return [value.reveal(), ...passwordOf(value.reveal())];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(secretsIn);
}

/** The address of a proxy may have a password. */
function passwordOf(text: string): readonly string[] {
  const password = URL.canParse(text) ? new URL(text).password : '';
  return password === '' ? [] : [password, decoded(password)];
}
