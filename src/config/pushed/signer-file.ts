/**
 * Reads the public key of a signer of a fleet's configuration. Only root may choose the signers: a user who can write
 * the file, or a folder above it, could redirect every printer (D9).
 */
import { createPublicKey } from 'node:crypto';
import { closeSync, fstatSync, readSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { ownersInWords, permissionDenied } from '../file-access.ts';
import { openFile } from '../open-file.ts';
import type { SignerKey } from './signature.ts';
import { fingerprintOf, pemOf } from './signature.ts';

const longest = 4096;
const othersMayWrite = 0o022;
const sticky = 0o1000;

/** Throws an `Error` that says what is wrong with the file. */
export function readSigner(path: string): SignerKey {
  try {
    const real = realpathSync(path);
    if (real !== path) throw new Refused(`is a link or is behind one. Write ${real}`);
    const text = rootsText(path);
    if (text.includes('PRIVATE KEY')) {
      throw new Refused(
        `${path} contains a private key, which must not be on a gateway. Write the path of its .pub file`,
      );
    }
    return { file: path, ...publicKeyIn(text, path) };
  } catch (cause) {
    if (cause instanceof Refused) throw cause;
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    const why = code === 'EACCES' ? `. ${permissionDenied(path)}` : '';
    throw new Error(`cannot read ${path} (${code})${why}`, { cause });
  }
}

class Refused extends Error {}

function rootsText(path: string): string {
  const file = openFile(path);
  try {
    const folders = waysUp(dirname(path));
    // In a sticky folder, other users cannot remove or replace a file of root.
    if (!isRoots(fstatSync(file)) || !folders.every((folder) => isRoots(statSync(folder), sticky))) {
      const loose = [path, ...folders].find((one) => !isRoots(statSync(one), one === path ? 0 : sticky));
      throw new Refused(
        `only root may choose the signers, but ${ownersInWords(loose ?? path)}. ` +
          `Run as root: chown root ${loose ?? path}; chmod go-w ${loose ?? path}`,
      );
    }
    const octets = Buffer.alloc(longest + 1);
    const length = readSync(file, octets);
    if (length > longest) throw new Refused(`${path} is larger than a public key`);
    return octets.toString('latin1', 0, length);
  } finally {
    closeSync(file);
  }
}

const isRoots = ({ uid, mode }: Stats, unless = 0): boolean =>
  uid === 0 && ((mode & othersMayWrite) === 0 || (mode & unless) !== 0);

const waysUp = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...waysUp(dirname(folder))];

function publicKeyIn(text: string, path: string): Pick<SignerKey, 'fingerprint' | 'pem'> {
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`a key of the kind ${key.asymmetricKeyType}`);
    return { fingerprint: fingerprintOf(key), pem: pemOf(key) };
  } catch (cause) {
    throw new Refused(`${path} contains no public Ed25519 key. platen fleet keygen writes one`, { cause });
  }
}
