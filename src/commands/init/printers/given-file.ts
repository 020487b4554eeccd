/**
 * A file that the administrator names for `platen init`: answers, or a list of printers. Any user may own it except the
 * service's user: root reads no file that this user owns or could have put there (INVARIANTS.md T26).
 */
import { closeSync, fstatSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errnoSaid } from '../../../core/errno.ts';
import { openFile } from '../../../config/file-access.ts';
import { CommandFailed } from '../../failure.ts';
import type { Reader } from '../file.ts';

const longest = 1024 * 1024;

/** Throws `CommandFailed`. */
export function givenText(file: string, { reader }: Reader): string {
  try {
    const descriptor = openFile(file);
    try {
      const found = fstatSync(descriptor);
      const isServices = reader && (found.uid === reader.uid || isLaidBy(reader.uid, resolve(file)));
      if (isServices) throw new CommandFailed(strangers(file));
      if (found.size > longest) throw new CommandFailed(`${file}: is larger than 1 MiB`);
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause;
    const code = errnoSaid(cause);
    throw new CommandFailed(`${file}: cannot be read (${code})`, { cause });
  }
}

const strangers = (file: string): string =>
  `${file}: the service's user can write to it, so root does not read it. Check its content, and copy it to another folder`;

/** Whether this user owns the link, the file, or a folder on the way to either. */
function isLaidBy(uid: number, path: string): boolean {
  const real = realpathSync(path);
  return (
    lstatSync(path).uid === uid ||
    [path, real].some((one) => above(one).some((folder) => statSync(folder).uid === uid))
  );
}

function above(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...above(folder)];
}
