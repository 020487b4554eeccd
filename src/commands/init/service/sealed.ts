/**
 * Secrets that this machine alone can read: systemd-creds(1) seals them, with the TPM where there is one, and systemd gives
 * them to the unit at each start (LoadCredentialEncrypted=). Only where root sets the unit up; elsewhere they are files.
 */
import { existsSync, lstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { ConfigDraft } from '../../../config/config-edit.ts';
import { systemChance } from '../../../core/chance.ts';
import { printable } from '../../../core/text/printable.ts';
import { Secret } from '../../../core/secret.ts';
import { CommandFailed } from '../../failure.ts';
import { sealingKeyPath } from '../config.ts';
import { replaceFile } from '../file.ts';
import type { ServiceDeps } from './service.ts';
import { hasUnit } from './service.ts';

/** As the unit asks for them, and the configuration names them. */
export type SealedName = 'api-key' | 'sealing-key';

/** What opens it again: a key on this machine's disk, its TPM, both, or something that is not known here. */
export type SealedWith = 'host' | 'TPM' | 'host and TPM' | 'nothing' | undefined;

export interface Vault {
  readonly sealsWith: SealedWith;
  /** There is a TPM, and it is not used. */
  readonly hasIdleTpm: boolean;
  /** `undefined`: there is none, or one of another machine. */
  held(name: SealedName): Promise<Secret | undefined>;
  /** For good. Rejects `CommandFailed`. */
  seal(name: SealedName, secret: Secret): Promise<void>;
}

/**
 * Where the gateway has none yet, a key for its tokens, and the configuration names it. One that has made its own keeps
 * it: given another, it would register anew.
 */
export async function newSealingKey(
  draft: ConfigDraft,
  { file, vault }: { readonly file: string; readonly vault: Vault },
): Promise<Secret | undefined> {
  const { device = {}, stateDir = '/var/lib/platen' } = known.parse(draft.data());
  const own = join(resolve(dirname(file), stateDir), 'sealing-key');
  if ('sealingKey' in device || lstatSync(own, { throwIfNoEntry: false })) return undefined;
  draft.set({ path: sealingKeyPath, value: { credential: 'sealing-key' }, flow: true });
  const isThere = (await vault.held('sealing-key')) !== undefined;
  return isThere ? undefined : new Secret(systemChance.bytes(32).toString('base64'));
}

const known = z.looseObject({
  device: z.looseObject({}).optional(),
  stateDir: z.string().optional(),
});

const store = '/etc/credstore.encrypted';
const program = 'systemd-creds';

/** `undefined` where secrets stay in files. */
export async function openVault(
  world: Pick<ServiceDeps, 'file' | 'run' | 'reader' | 'io' | 'systemd'> & { readonly tpm?: string },
): Promise<Vault | undefined> {
  const { run, reader } = world;
  const options = { signal: world.io.stop };
  if (!reader || !(await hasUnit(world))) return undefined;
  const sealed = async (name: string, secret: Secret) =>
    run(program, ['encrypt', `--name=${name}`, '-', '-'], { ...options, input: secret.reveal() });
  // Of an old systemd, or in a container, there is none, or it does not work.
  const trial = await sealed('trial', new Secret('trial'));
  if (trial.code !== 0) return undefined;
  const sealsWith = sealOf(trial.stdout);
  return {
    sealsWith,
    hasIdleTpm: (sealsWith === 'host' || sealsWith === 'nothing') && existsSync(world.tpm ?? '/dev/tpmrm0'),
    async held(name) {
      const file = join(store, name);
      if (!existsSync(file)) return undefined;
      const { code, stdout } = await run(program, ['decrypt', `--name=${name}`, file, '-'], options);
      return code === 0 && stdout !== '' ? new Secret(stdout) : undefined;
    },
    async seal(name, secret) {
      const { code, stdout, stderr } = await sealed(name, secret);
      if (code !== 0)
        throw new CommandFailed(`${program} encrypt --name=${name}: ${printable(stderr.trim())}`);
      await mkdir(store, { recursive: true, mode: 0o700 });
      await replaceFile(join(store, name), stdout, { reader: undefined, chance: systemChance });
    },
  };
}

/** By the 16 octets that each sealed credential begins with (systemd, src/shared/creds-util.h, CRED_AES256_GCM_BY_…). */
const seals: Readonly<Record<string, SealedWith>> = {
  '5a1c6a86df9d4096b1d5a65e0862f19a': 'host',
  '0c7cc07b117645919c4b0bea08bc20fe': 'TPM',
  faf7eb9341e3412ca1a436f95a29362f: 'TPM',
  '93a894094874449090caf2fc93cab553': 'host and TPM',
  af4950a849134eb1a73846304ff30c05: 'host and TPM',
  '058469daf6f54324800549da0f8ea2fb': 'nothing',
};

export const sealOf = (credential: string): SealedWith =>
  seals[Buffer.from(credential.slice(0, 24), 'base64').subarray(0, 16).toString('hex')];
