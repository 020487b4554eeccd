/** Where the programs of conversion are on this machine. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Problem } from '../../domain/problem/problem.ts';

/** `conversion` of the configuration: names, looked for on the path of the system, or absolute paths. */
export interface Programs {
  readonly ghostscript: string;
  readonly qpdf: string;
}

/** Those that the unit has, which knows nothing of the configuration. */
export const areUsual = ({ ghostscript, qpdf }: Programs): boolean => ghostscript === 'gs' && qpdf === 'qpdf';

const folders = ['/usr/local/bin', '/usr/bin', '/bin'];

/** Its absolute path; rejects `converter-missing`. */
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
