/**
 * The directory that `platen fleet push` reads, as it comes from Git: `base.yaml`, `sites/SITE.yaml`,
 * `gateways/NAME.yaml`. The command reads it while it still runs as the caller. It follows no link in the directory.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoSaid } from '../../core/errno.ts';
import type { DirectoryText } from '../../config/pushed/directory-check.ts';
import { partName } from '../../config/pushed/manifest.ts';
import { ConfigInvalid } from '../../config/mistakes.ts';
import { CommandFailed } from '../failure.ts';
import { unreadable } from '../unreadable.ts';
import { refuseServiceFolder } from './signing-key.ts';

const longestFile = 1024 * 1024;
const mostFiles = 20_000;

/**
 * Throws `ConfigInvalid` if something in it does not belong there, and `CommandFailed` if there is no such directory.
 */
export function readDirectory(folder: string): readonly DirectoryText[] {
  refuseServiceFolder(join(folder, 'base.yaml'));
  const mistakes: string[] = [];
  const found = namesIn(folder).flatMap((name) => {
    if (name === 'base.yaml') return textIn(folder, { kind: 'base', name: '', what: name }, mistakes);
    if (name === 'sites') return textsIn(folder, 'site', name, mistakes);
    if (name === 'gateways') return textsIn(folder, 'gateway', name, mistakes);
    if (isPart(name) || lstatSync(join(folder, name)).isDirectory()) {
      mistakes.push(`${name}: does not belong here. Only base.yaml, sites and gateways do`);
    }
    return [];
  });
  if (mistakes.length > 0) throw new ConfigInvalid(folder, mistakes);
  if (found.length === 0) {
    throw new CommandFailed(`${folder}: contains no base.yaml, and no files in sites or gateways`);
  }
  return found;
}

/** Files of Git and editors, and notes for people, are ignored. */
const isHidden = (name: string): boolean => name.startsWith('.') || /\.(?:md|txt)$/.test(name);
const isPart = (name: string): boolean => /\.ya?ml$/.test(name);

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !isHidden(name))
      .toSorted();
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}

function textsIn(
  folder: string,
  kind: 'site' | 'gateway',
  within: string,
  mistakes: string[],
): readonly DirectoryText[] {
  if (!lstatSync(join(folder, within)).isDirectory()) {
    mistakes.push(`${within}: is not a folder`);
    return [];
  }
  refuseServiceFolder(join(folder, within, '.yaml'));
  const names = namesIn(join(folder, within));
  if (names.length > mostFiles) {
    mistakes.push(`${within}: contains more than ${mostFiles} files`);
    return [];
  }
  return names.flatMap((file) => {
    const what = `${within}/${file}`;
    const name = file.replace(/\.yaml$/, '');
    if (name !== file && partName.test(name)) return textIn(folder, { kind, name, what }, mistakes);
    mistakes.push(`${what}: must be NAME.yaml, with a name of 1 to 63 letters, digits and ._-`);
    return [];
  });
}

function textIn(
  folder: string,
  file: Omit<DirectoryText, 'text'>,
  mistakes: string[],
): readonly DirectoryText[] {
  try {
    const opened = openSync(
      join(folder, file.what),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const { size } = regular(fstatSync(opened));
      if (size <= longestFile) return [{ ...file, text: readFileSync(opened, 'utf8') }];
      mistakes.push(`${file.what}: is larger than 1 MiB`);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    const code = errnoSaid(error);
    mistakes.push(
      code === 'ELOOP'
        ? `${file.what}: is a link. platen fleet push does not follow links`
        : `${file.what}: cannot be read (${code})`,
    );
  }
  return [];
}

function regular<Found extends { isFile(): boolean }>(found: Found): Found {
  if (found.isFile()) return found;
  throw Object.assign(new Error('no file'), { code: 'not a file' });
}
