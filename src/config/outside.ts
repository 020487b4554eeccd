/**
 * Reads data that a configuration names but does not contain: secrets from files, the environment or systemd, CA files,
 * the logo, the state directory, a uid. Failures are plain `Error`s whose message says what is missing. A message never
 * contains a secret.
 */
import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errnoSaid } from '../core/errno.ts';
import { Secret } from '../core/secret.ts';
import { openFile, permissionDenied } from './file-access.ts';
import { logoIn, mostOfLogo } from './brand/logo.ts';
import { readSigner } from './pushed/signature.ts';
import type { ConversionRoom, Outside, SecretSource } from './schema/values.ts';
import { conversionRooms, unread } from './schema/values.ts';

/** Only a container image sets this variable, for all of its containers. */
const roomOfImage = 'PLATEN_CONVERSION_ROOM';

/** For commands that only talk to the agent or read its state files. They need no secret, so none is read. */
export const withoutSecrets = (outside: Outside): Outside => ({
  ...outside,
  secret: () => unread,
  proxy: () => new Secret('http://unread.invalid'),
  engineUrl: () => new Secret('postgresql://unread@unread.invalid/unread'),
  key: () => new Secret(Buffer.alloc(32).toString('base64')),
  logo: () => ({ type: 'image/png', base64: '' }),
});

/** Paths are relative to the folder of the configuration file. */
export function outsideOf(folder: string, env: Readonly<Record<string, string | undefined>>): Outside {
  const read = (source: SecretSource): Buffer => {
    if (typeof source === 'string') return Buffer.from(source);
    if ('file' in source) return readOutside(resolve(folder, source.file));
    if ('credential' in source) {
      return readCredential(source.credential, env['CREDENTIALS_DIRECTORY']);
    }
    const value = env[source.env];
    if (!value) throw new Error(`the environment variable ${source.env} is not set`);
    return Buffer.from(value);
  };
  const secret = (source: SecretSource): Secret => {
    const text = read(source).toString('utf8').trim();
    if (text === '') throw new Error('is empty');
    return new Secret(text);
  };
  return {
    secret,
    proxy: (source) => {
      const address = secret(source);
      const url = URL.canParse(address.reveal()) ? new URL(address.reveal()) : undefined;
      if (!url || !/^https?:$/.test(url.protocol)) {
        throw new Error('must be an http:// or https:// address, for example http://proxy.example:3128');
      }
      if (!canBeDecoded(url.username + url.password)) {
        throw new Error('contains a % in its user name or password. Write it as %25');
      }
      return address;
    },
    engineUrl: secret,
    signer: (file) => readSigner(resolve(folder, file)),
    key: (source) => new Secret(keyOf(read(source)).toString('base64')),
    certificates: (file) => {
      const path = resolve(folder, file);
      const pem = readOutside(path).toString('utf8');
      if (!pem.includes('-----BEGIN CERTIFICATE-----'))
        throw new Error(`${path} contains no PEM certificate`);
      return pem;
    },
    logo: (file) => logoIn(readOutside(resolve(folder, file), mostOfLogo)),
    user: (named) => (typeof named === 'number' ? named : uidOf(named)),
    stateDirectory: (named) =>
      named === undefined
        ? resolve(env['STATE_DIRECTORY']?.split(':', 1)[0] ?? 'state')
        : resolve(folder, named),
    conversionRoom: (named) => named ?? roomIn(env[roomOfImage]),
  };
}

function roomIn(said = 'namespaces'): ConversionRoom {
  const room = conversionRooms.find((one) => one === said);
  if (room === undefined) throw new Error(`must be one of ${conversionRooms.join(', ')} in $${roomOfImage}`);
  return room;
}

function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function keyOf(raw: Buffer): Buffer {
  const text = raw.toString('latin1').trim();
  if (raw.length === 32) return raw;
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  throw new Error('must be 32 bytes, raw, as base64 or as 64 hexadecimal digits');
}

function uidOf(name: string): number {
  const [, , uid] =
    readOutside('/etc/passwd')
      .toString('utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(([known]) => known === name) ?? [];
  if (uid === undefined)
    throw new Error(
      `/etc/passwd has no user ${name}. If the user comes from another directory, write the uid`,
    );
  return Number(uid);
}

/**
 * The credentials of the unit, for its user. The folder exists while the unit runs (systemd.exec(5), "Credentials").
 */
const unitsCredentials = '/run/credentials/platen.service';

function readCredential(name: string, directory: string | undefined): Buffer {
  if (directory) return readOutside(resolve(directory, name));
  try {
    return readOutside(resolve(unitsCredentials, name));
  } catch (cause) {
    throw new Error(
      `systemd gives the credential ${name} to the unit only while the unit runs. If it does not run: systemd-run --pipe --wait -p User=platen -p LoadCredentialEncrypted=${name} platen …`,
      { cause },
    );
  }
}

class TooLarge extends Error {}

function readOutside(path: string, most = Number.POSITIVE_INFINITY): Buffer {
  try {
    const descriptor = openFile(path);
    try {
      if (fstatSync(descriptor).size > most) throw new TooLarge(`is larger than ${most / 1024} KiB`);
      return readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    if (cause instanceof TooLarge) throw cause;
    const code = errnoSaid(cause);
    const why = code === 'EACCES' ? `. ${permissionDenied(path)}` : '';
    throw new Error(`cannot read ${path} (${code})${why}`, { cause });
  }
}
