/**
 * Secrets that only this machine can read. systemd-creds(1) seals them, with the TPM if there is one, and systemd gives
 * them to the unit at each start (LoadCredentialEncrypted=). This needs root and the unit; otherwise secrets are in
 * files.
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

/** The names in the unit and in the configuration. */
export type SealedName = 'api-key' | 'sealing-key';

/** What can unseal it: a key on this machine's disk, its TPM, both, or something unknown. */
export type SealedWith = 'host' | 'TPM' | 'host and TPM' | 'nothing' | undefined;

export interface Vault {
  readonly sealsWith: SealedWith;
  /** There is a TPM, but it is not used. */
  readonly hasIdleTpm: boolean;
  /** `undefined`: no secret, or a secret of another machine. */
  held(name: SealedName): Promise<Secret | undefined>;
  /** Permanently. Rejects `CommandFailed`. */
  seal(name: SealedName, secret: Secret): Promise<void>;
}

/**
 * A sealing key for a gateway that has none yet; the configuration then names it. A gateway that has made its own key
 * keeps it, because with another key it would have to register again.
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

/** `undefined` if secrets stay in files. */
export async function openVault(
  world: Pick<ServiceDeps, 'file' | 'run' | 'reader' | 'io' | 'systemd'> & { readonly tpm?: string },
): Promise<Vault | undefined> {
  const { run, reader } = world;
  const options = { signal: world.io.stop };
  if (!reader || !(await hasUnit(world))) return undefined;
  const sealed = async (name: string, secret: Secret) =>
    run(program, ['encrypt', `--name=${name}`, '-', '-'], { ...options, input: secret.reveal() });
  // An old systemd or a container may lack the program, or it may not work there.
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

/**
 * From the 16 octets at the beginning of each sealed credential (systemd, src/shared/creds-util.h,
 * CRED_AES256_GCM_BY_…).
 */
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
