/** Finds the programs of conversion on this machine. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Problem } from '../../domain/problem/problem.ts';

/** `conversion` of the configuration: absolute paths, or names that are looked for in the system's folders. */
export interface Programs {
  readonly ghostscript: string;
  readonly qpdf: string;
}

/** The unit has only these programs and does not know the configuration. */
export const areUsual = ({ ghostscript, qpdf }: Programs): boolean => ghostscript === 'gs' && qpdf === 'qpdf';

const folders = ['/usr/local/bin', '/usr/bin', '/bin'];

/** The absolute path of the program; rejects with `converter-missing`. */
export async function found(program: string): Promise<string> {
  const candidates = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  for (const path of candidates) {
    if (await isProgram(path)) return path;
  }
  throw new Problem('converter-missing', `the program ${program} is not there`);
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
