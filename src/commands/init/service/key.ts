/**
 * The API key in `platen init`: where it comes from and where it is stored. It is sealed if this machine can seal
 * (sealed.ts), otherwise it is in a file beside the configuration. It is never shown.
 */
import { rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { systemChance } from '../../../core/chance.ts';
import { Secret } from '../../../core/secret.ts';
import { CommandFailed } from '../../failure.ts';
import type { Io } from '../../io.ts';
import { readPassword } from '../../terminal-text/password.ts';
import type { Answers } from '../answers.ts';
import type { Present } from '../config.ts';
import { keyFileOf, usualKeyFile } from '../config.ts';
import type { Reader } from '../file.ts';
import { replaceFile, textOf } from '../file.ts';
import type { Vault } from './sealed.ts';

export interface KeyPlace {
  readonly kind: 'file' | 'sealed';
  /** The path of the file. For a sealed key: the file that had the key before, if any. */
  readonly path: string;
  /** The present key; empty: none. */
  readonly now: string;
}

/** `undefined`: the configuration takes the key from a source that init does not write. */
export async function keyPlace(
  file: string,
  { apiKey }: Present,
  { reader, vault }: Reader & { readonly vault: Vault | undefined },
): Promise<KeyPlace | undefined> {
  if (vault && isSealed(apiKey)) {
    const now = (await vault.held('api-key'))?.reveal() ?? '';
    return { kind: 'sealed', path: resolve(dirname(file), usualKeyFile), now };
  }
  const named = apiKey === undefined ? usualKeyFile : keyFileOf(apiKey);
  if (named === undefined) return undefined;
  const path = resolve(dirname(file), named);
  // Init leaves a file in another folder alone. A user who may write the configuration must not choose a file for root
  // to overwrite.
  if (dirname(path) !== dirname(file)) return undefined;
  return { kind: 'file', path, now: ((await textOf(path, { reader })) ?? '').trim() };
}

/** The default place. */
export const beside = (file: string): KeyPlace => ({
  kind: 'file',
  path: resolve(dirname(file), usualKeyFile),
  now: '',
});

/** The configuration only names the sealed key, and no command can read it by that name. */
export const sealedKey = (place: KeyPlace | undefined): Secret | undefined =>
  place?.kind === 'sealed' && place.now !== '' ? new Secret(place.now) : undefined;

const isSealed = (apiKey: unknown): boolean =>
  z.strictObject({ credential: z.literal('api-key') }).safeParse(apiKey).success;

export const hasKey = ({ apiKey }: Present, place: KeyPlace | undefined): boolean =>
  place ? place.now !== '' : apiKey !== undefined;

export async function keyFrom({ apiKeyFile }: Answers, io: Io): Promise<Secret | undefined> {
  if (apiKeyFile === undefined) return undefined;
  if (apiKeyFile === '-' && process.stdin.isTTY) {
    throw new CommandFailed(
      'standard input is a terminal. Leave out --api-key-file, and Platen asks for the key',
    );
  }
  const line = await readPassword({
    file: apiKeyFile === '-' ? undefined : apiKeyFile,
    standardInput: process.stdin,
    signal: io.stop,
    what: 'API key',
  });
  // Trimmed, as the agent does it.
  const key = line.reveal().trim();
  if (key === '') throw new CommandFailed(`${apiKeyFile}: its first line contains no API key`);
  return new Secret(key);
}

/**
 * Called before the configuration is written, so that the configuration never names a missing key. An empty key is not
 * stored.
 */
export async function keepKey(
  { kind, path, now }: KeyPlace,
  { key, reader, vault }: Reader & { readonly key: Secret | undefined; readonly vault: Vault | undefined },
): Promise<void> {
  if (kind === 'sealed') {
    if (key) await vault?.seal('api-key', key);
    return;
  }
  const held = key?.reveal() ?? now;
  if (held !== '') await replaceFile(path, `${held}\n`, { reader, chance: systemChance });
}

/** Called after the configuration is written: a sealed key must not stay in a file. */
export async function forgetOldKey({ kind, path }: KeyPlace): Promise<void> {
  if (kind === 'sealed') await rm(path, { force: true });
}
