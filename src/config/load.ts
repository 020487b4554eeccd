/**
 * Reads the configuration file and checks it as a whole. It gives a valid configuration, or throws `ConfigInvalid` with
 * all mistakes: file, line and key path.
 */
import { closeSync, readSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errnoSaid } from '../core/errno.ts';
import { openFile, permissionDenied } from './file-access.ts';
import { knownKeys } from './known-keys.ts';
import type { KeyPath, Mistake } from './mistakes.ts';
import { ConfigInvalid, lineOf, mistakesOf, mostShown } from './mistakes.ts';
import type { Outside } from './schema/values.ts';
import { outsideOf, withoutSecrets } from './outside.ts';
import type { Layer } from './pushed/manifest.ts';
import { wayIn } from './pushed/layers.ts';
import type { PushedChoice } from './pushed/over-local.ts';
import { overLocal } from './pushed/over-local.ts';
import { withDoubtfulPrinters, withoutNetwork, withoutWindows } from './printers.ts';
import { readersOfOtherSystems, sharedDevices } from './doubtful-readers.ts';
import type { Config } from './schema/config.ts';
import { configSchema } from './schema/config.ts';
import { parsedYaml } from './yaml-text.ts';

/** `pushed` selects the version of the fleet's configuration, if the file names signers. */
export function loadConfig(file: string, env: Environment = process.env, pushed: PushedChoice = {}): Config {
  return checked(readConfigText(file), { file, outside: outsideOf(dirname(resolve(file)), env), pushed });
}

/** The same without reading secrets, for commands that only talk to the agent or read its state files. */
export function loadConfigWithoutSecrets(file: string, env: Environment): Config {
  const outside = withoutSecrets(outsideOf(dirname(resolve(file)), env));
  return checked(readConfigText(file), { file, outside, pushed: {} });
}

/** Checks a text before it is written. `file` is its later path. */
export function checkConfig(text: string, { file, env }: { file: string; env: Environment }): Config {
  // The file is not yet in use on a gateway, so no configuration of a fleet applies.
  return checked(text, { file, outside: outsideOf(dirname(resolve(file)), env), pushed: { tried: null } });
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface Reading {
  readonly file: string;
  readonly outside: Outside;
  readonly pushed: PushedChoice;
}

function checked(text: string, { file, outside, pushed }: Reading): Config {
  const { document, counter, data: local = {} } = parsedYaml(file, text);
  const { settings, layers } = overLocal(local, outside, pushed);
  const { config, mistakes } = examined(settings, configSchema(outside));
  if (config) return config;
  const shown = foremost(mistakes).map((mistake): Mistake => {
    const from = layers.length === 0 ? undefined : originOf(mistake.path, settings, layers);
    if (from && from.what !== '') return { ...mistake, file: `${from.what} of the fleet's configuration` };
    const line = lineOf(document, counter, from?.path ?? mistake.path);
    return line === undefined ? mistake : { ...mistake, line };
  });
  // In the order of the file. A missing key has no line and comes first.
  throw new ConfigInvalid(
    file,
    shown.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    { leftOut: mistakes.length - shown.length },
  );
}

/** Each line number is searched from the top of the file, so the number of mistakes with a line is limited. */
const foremost = (mistakes: readonly Mistake[]) => mistakes.slice(0, 10 * mostShown);

/**
 * The layer in which the path leads furthest, with the path there. If several lead equally far, the strongest layer
 * counts.
 */
export function originOf(
  path: KeyPath,
  whole: unknown,
  layers: readonly Layer[],
): (Layer & { readonly path: KeyPath }) | undefined {
  return layers
    .map((layer) => ({ ...layer, path: wayIn(layer.settings, whole, path) }))
    .reduce<(Layer & { readonly path: KeyPath }) | undefined>(
      (best, one) => (best && best.path.length > one.path.length ? best : one),
      undefined,
    );
}

/**
 * Gives the configuration, or all mistakes in the settings. With `isElsewhere`, the settings are for another machine.
 */
export function examined(
  settings: unknown,
  schema: ReturnType<typeof configSchema>,
  { isElsewhere = false } = {},
): { readonly config?: Config; readonly mistakes: readonly Mistake[] } {
  // Read once: it is not worth it to write code for this schema.
  const found = schema.safeParse(settings, { reportInput: true, jitless: true });
  const mistakes = [
    ...(found.success
      ? [
          ...withoutNetwork(found.data),
          ...withDoubtfulPrinters(found.data),
          ...sharedDevices(found.data),
          ...(isElsewhere ? [] : [...withoutWindows(found.data), ...readersOfOtherSystems(found.data)]),
        ]
      : found.error.issues.flatMap((issue, index) =>
          mistakesOf(issue, index < mostShown ? knownKeys : undefined),
        )),
    ...doubledIds(settings),
  ];
  return found.success && mistakes.length === 0 ? { config: found.data, mistakes } : { mistakes };
}

/** Enough for a thousand terminals, and small enough that reading it causes no noticeable pause. */
const longestText = 1024 * 1024;

export function readConfigText(file: string): string {
  const octets = Buffer.alloc(longestText + 1);
  let length = 0;
  try {
    const descriptor = openFile(file);
    try {
      for (let read = -1; read !== 0; length += read) read = readSync(descriptor, octets.subarray(length));
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    const code = errnoSaid(cause);
    const message =
      code === 'EACCES'
        ? permissionDenied(file)
        : `cannot be read (${code}). Give the path of the file with -c FILE`;
    throw new ConfigInvalid(file, [{ path: [], message }], { cause });
  }
  if (length > longestText) throw new ConfigInvalid(file, [{ path: [], message: 'is larger than 1 MiB' }]);
  return octets.toString('utf8', 0, length);
}

/** Checks the raw settings, so that double ids are reported together with other mistakes. */
function doubledIds(settings: unknown): Mistake[] {
  const terminals = (settings as { terminals?: unknown }).terminals;
  if (!Array.isArray(terminals)) return [];
  const ids = terminals.map((terminal) => (terminal as { id?: unknown } | null)?.id);
  return ids.flatMap((id, index) =>
    typeof id === 'string' && ids.indexOf(id) < index
      ? [{ path: ['terminals', index, 'id'], message: `"${id}" is already the id of an earlier terminal` }]
      : [],
  );
}
