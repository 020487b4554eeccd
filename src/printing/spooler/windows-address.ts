/**
 * A printer of Windows by its name, such as `windows:Office printer` or `windows:\\server\Office`. The name goes to a
 * program as one argument, never through a shell (INVARIANTS.md T18).
 */
import { Problem } from '../../domain/problem/problem.ts';

export const windowsScheme = 'windows:';

const form = /^windows:(?<name>[^\p{Cc}"]{1,220})$/u;

/** Throws `config-invalid` if the text names no printer. */
export function windowsPrinterName(uri: string): string {
  const name = form.exec(uri)?.groups?.['name']?.trim();
  if (name === undefined || name === '') {
    throw new Problem('config-invalid', 'the printer needs a name, for example windows:Office printer');
  }
  return name;
}
