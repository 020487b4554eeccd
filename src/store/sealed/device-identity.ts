/**
 * The device's client id and Ed25519 seed (src/cloud/README.md 1): made once, kept for life, in a file apart from the
 * tokens. Lost tokens do no harm, but another identity would need a new approval, so none is ever made silently.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import { Secret } from '../../core/secret.ts';
import type { DeviceIdentity } from '../../domain/device.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { SealedFiles } from './sealed-files.ts';

const fileName = 'identity';
/** RFC 8032 section 5.1.5. */
const seedBytes = 32;
const shape = z.object({ clientId: z.string().min(1), seed: z.base64() });

export const hasIdentity = (directory: string): boolean => existsSync(join(directory, fileName));

export interface IdentityDeps {
  readonly directory: string;
  readonly files: SealedFiles;
  /** From the configuration; if absent, a UUID is made. */
  readonly clientId: string | undefined;
  readonly chance: Chance;
  /** Other facts of an enrolled device exist, so a missing identity was lost. */
  readonly enrolledBefore: boolean;
}

/** Throws `state-unusable` if the stored identity cannot be read or is not the configured one. */
export function openIdentity(deps: IdentityDeps): DeviceIdentity {
  const stored = deps.files.read(fileName, shape);
  if (stored.kind === 'absent' && !deps.enrolledBefore) return makeIdentity(deps);
  const path = join(deps.directory, fileName);
  if (stored.kind !== 'value') throw new Problem('state-unusable', `${path}: ${whyUnusable[stored.kind]}`);
  const { clientId, seed } = stored.value;
  if (deps.clientId !== undefined && deps.clientId !== clientId) {
    throw new Problem(
      'state-unusable',
      `${path}: belongs to the client id ${clientId}, the configuration says ${deps.clientId}; ` +
        'correct device.clientId, or give the new device its own stateDir',
    );
  }
  return { clientId, seed: new Secret(seed) };
}

const wayBack = 'restore it from a backup, or empty the directory and have the device approved again';
const whyUnusable = {
  absent: `is missing; ${wayBack}`,
  damaged: `is damaged; ${wayBack}`,
  'other-key': 'was sealed with another key; set device.sealingKey, or the file sealing-key, as it was',
} as const;

function makeIdentity({ files, clientId, chance }: IdentityDeps): DeviceIdentity {
  const made = { clientId: clientId ?? chance.uuid(), seed: chance.bytes(seedBytes).toString('base64') };
  files.write(fileName, made);
  return { clientId: made.clientId, seed: new Secret(made.seed) };
}
