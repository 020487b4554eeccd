/**
 * The key that seals tokens and the device's identity at rest (`core/sealing.ts`). Known limit (INVARIANTS.md T19): if
 * the key file is in the same directory, a thief of the whole disk has both.
 */
import type { KeyObject } from 'node:crypto';
import { createSecretKey } from 'node:crypto';
import { join } from 'node:path';
import type { Chance } from '../../core/chance.ts';
import type { Secret } from '../../core/secret.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { readUnlessBad, writeDurably } from '../files/durable-file.ts';

const keyBytes = 32;

/** `device.sealingKey`: 32 bytes as base64 or hex, or 32 characters of plain text. Throws `config-invalid`. */
export function configuredKey(configured: Secret): KeyObject {
  const text = configured.reveal();
  const bytes = Buffer.from(text.trim(), encodingOf(text.trim()));
  if (bytes.length !== keyBytes) {
    throw new Problem('config-invalid', 'device.sealingKey: is not 32 bytes; give them as base64 or hex');
  }
  return createSecretKey(bytes);
}

function encodingOf(text: string): BufferEncoding {
  if (/^[0-9a-f]{64}$/i.test(text)) return 'hex';
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? 'base64' : 'utf8';
}

/** The key in `sealing-key`; `undefined` if there is no such file. Throws `state-unusable` if it is damaged. */
export function storedKey(directory: string): KeyObject | undefined {
  const stored = keyIn(directory);
  if (stored !== 'damaged') return stored;
  throw new Problem('state-unusable', `${keyPath(directory)}: is damaged; restore it from a backup`);
}

function keyIn(directory: string): KeyObject | 'damaged' | undefined {
  const stored = readUnlessBad(keyPath(directory));
  if (!stored) return undefined;
  const bytes = Buffer.from(stored.toString('ascii'), 'base64');
  return bytes.length === keyBytes ? createSecretKey(bytes) : 'damaged';
}

/**
 * The stored key. A new key is made if the directory holds nothing sealed yet, and if the stored one is damaged: what it
 * sealed cannot be opened any more, and `onLost` sets that aside. A key that is missing was taken away by somebody, who
 * has it: throws `state-unusable`.
 */
export function keyFromFile(options: {
  directory: string;
  sealedBefore: () => boolean;
  /** With the path of the damaged key. */
  onLost: (path: string) => void;
  chance: Chance;
}): KeyObject {
  const stored = keyIn(options.directory);
  const path = keyPath(options.directory);
  if (stored === 'damaged') options.onLost(path);
  else if (stored) return stored;
  if (options.sealedBefore()) {
    throw new Problem(
      'state-unusable',
      `${path}: is missing, and the device's identity is sealed; restore the file, or set device.sealingKey as before`,
    );
  }
  const made = options.chance.bytes(keyBytes);
  writeDurably(path, Buffer.from(`${made.toString('base64')}\n`));
  return createSecretKey(made);
}

const keyPath = (directory: string): string => join(directory, 'sealing-key');
