/**
 * The private key of a person who signs the configuration of a fleet. It is read while the command still runs as the
 * caller.
 */
import type { KeyObject } from 'node:crypto';
import { createPrivateKey } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandFailed } from '../failure.ts';
import { unreadable } from '../unreadable.ts';
import { serviceFolderOn } from '../new-file.ts';

const others = 0o077;

/** Throws `CommandFailed` with the fault of the key. */
export function readSigningKey(path: string): KeyObject {
  refuseServiceFolder(path);
  const text = textOf(path);
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw new CommandFailed(noKey(path), { cause });
  }
  throw new CommandFailed(noKey(path));
}

/** If the service's user can write in the folder, this user could lead root to any place. */
export function refuseServiceFolder(path: string): void {
  const folder = serviceFolderOn(resolve(path));
  if (folder === undefined) return;
  throw new CommandFailed(
    `${path}: is in a folder of Platen (${folder}), where root reads no files. Move the file`,
  );
}

function textOf(path: string): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = fstatSync(file);
      if (!found.isFile()) throw new CommandFailed(`${path}: is not a file`);
      if ((found.mode & others) !== 0) {
        throw new CommandFailed(`${path}: other users can read it. Run: chmod 600 ${path}`);
      }
      return readFileSync(file, 'latin1');
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause;
    throw unreadable(path, cause);
  }
}

const noKey = (path: string): string =>
  `${path}: contains no private Ed25519 key without a password. platen fleet keygen writes one`;
