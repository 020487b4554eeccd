/**
 * Reads the configuration file and checks it as a whole: either everything is right, or `ConfigInvalid` tells all
 * mistakes with file, line and key path.
 */
import { closeSync, readSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { permissionDenied } from './file-access.ts';
import { knownKeys } from './known-keys.ts';
import type { KeyPath, Mistake } from './mistakes.ts';
import { ConfigInvalid, lineOf, mistakesOf, mostTold } from './mistakes.ts';
import { openFile } from './open-file.ts';
import type { Outside } from './schema/values.ts';
import { outsideOf, withoutSecrets } from './outside.ts';
import type { Layer } from './pushed/manifest.ts';
import { wayIn } from './pushed/merge.ts';
import type { PushedChoice } from './pushed/over-local.ts';
import { overLocal } from './pushed/over-local.ts';
import { withoutNetwork, withoutWindows } from './printer-support.ts';
import { sharedDevices } from './alike-readers.ts';
import { withDoubtfulPrinters } from './printers/several.ts';
import type { Config } from './schema/config.ts';
import { configSchema } from './schema/config.ts';
import { readersOfOtherSystems } from './reader-support.ts';
import { parsedYaml } from './yaml-text.ts';

/** `pushed`: which of the fleet's configuration is read under it, where the file names signers. */
export function loadConfig(file: string, env: Environment = process.env, pushed: PushedChoice = {}): Config {
  return checked(readConfigText(file), { file, outside: outsideOf(dirname(resolve(file)), env), pushed });
}

/** The same but for the secrets, which are not looked for: for what speaks with the agent and its books alone. */
export function loadConfigWithoutSecrets(file: string, env: Environment): Config {
  const outside = withoutSecrets(outsideOf(dirname(resolve(file)), env));
  return checked(readConfigText(file), { file, outside, pushed: {} });
}

/** The same of a text that is not written yet: `file` is where it is to stand. */
export function checkConfig(text: string, { file, env }: { file: string; env: Environment }): Config {
  // Before it stands on a gateway, nothing of a fleet's is read under it.
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
  const told = foremost(mistakes).map((mistake): Mistake => {
    const from = layers.length === 0 ? undefined : originOf(mistake.path, settings, layers);
    if (from && from.what !== '') return { ...mistake, file: `${from.what} of the fleet's configuration` };
    const line = lineOf(document, counter, from?.path ?? mistake.path);
    return line === undefined ? mistake : { ...mistake, line };
  });
  // In the order of the file; what is missing altogether has no line.
  throw new ConfigInvalid(
    file,
    told.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    { untold: mistakes.length - told.length },
  );
}

/** A line is looked for from the top of the file, each time. */
const foremost = (mistakes: readonly Mistake[]) => mistakes.slice(0, 10 * mostTold);

/** The layer that says most of it, the strongest of several, and the path there. */
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

/** Either the configuration, or all that keeps the settings from being one; `isElsewhere`: of another machine. */
export function examined(
  settings: unknown,
  schema: ReturnType<typeof configSchema>,
  { isElsewhere = false } = {},
): { readonly config?: Config; readonly mistakes: readonly Mistake[] } {
  const found = schema.safeParse(settings, { reportInput: true });
  const mistakes = [
    ...(found.success
      ? [
          ...withoutNetwork(found.data),
          ...withDoubtfulPrinters(found.data),
          ...sharedDevices(found.data),
          ...(isElsewhere ? [] : [...withoutWindows(found.data), ...readersOfOtherSystems(found.data)]),
        ]
      : found.error.issues.flatMap((issue, index) =>
          mistakesOf(issue, index < mostTold ? knownKeys : undefined),
        )),
    ...doubledIds(settings),
  ];
  return found.success && mistakes.length === 0 ? { config: found.data, mistakes } : { mistakes };
}

/** A thousand terminals have room in it, and a running agent reads it without a pause that anybody feels. */
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
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    const message =
      code === 'EACCES'
        ? permissionDenied(file)
        : `cannot be read (${code}). Give the path of the file with -c FILE`;
    throw new ConfigInvalid(file, [{ path: [], message }], { cause });
  }
  if (length > longestText) throw new ConfigInvalid(file, [{ path: [], message: 'is larger than 1 MiB' }]);
  return octets.toString('utf8', 0, length);
}

/** Looked for in the file as it stands, so that it is told beside other mistakes. */
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
