/**
 * What a support bundle knows of the configuration: all of it where the file is right; of a file with mistakes its
 * keys, and where the agent would keep its state, so that the rest can be looked for.
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
  /** As YAML, for others to see. */
  readonly text: string;
  /** To be looked for in all that is shown. */
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

/** Where the file does not say it, or cannot be read, the usual place. */
function stateDirOf(file: string, env: Io['env']): string {
  try {
    return loadPart(file, env, statePart).part.stateDir;
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return outsideOf(dirname(resolve(file)), env).stateDirectory(undefined);
  }
}

/** As far as the file can be read. */
function settingsOf(file: string): unknown {
  try {
    // Into JSON and back: an alias within its own anchor would have no end.
    return JSON.parse(JSON.stringify(parseDocument(readFileSync(file, 'utf8')).toJS({ maxAliasCount: 100 })));
  } catch {
    // Not there, or nothing that can be made sense of: `loadConfig` says so.
    return undefined;
  }
}

function secretsIn(value: unknown): readonly string[] {
  if (value instanceof Secret) return [value.reveal(), ...passwordOf(value.reveal())];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(secretsIn);
}

/** A proxy's address may carry one. */
function passwordOf(text: string): readonly string[] {
  const password = URL.canParse(text) ? new URL(text).password : '';
  return password === '' ? [] : [password, decoded(password)];
}
