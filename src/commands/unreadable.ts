/**
 * The message for a named file that the command may not read. Root has become the service's user, so the command may
 * not read some files that root may.
 */
import { errnoSaid } from '../core/errno.ts';
import { nameIn, ownersInWords } from '../config/file-access.ts';
import { CommandFailed } from './failure.ts';

/** `otherwise`: another way to give the content. */
export function unreadable(file: string, cause: unknown, otherwise?: string): CommandFailed {
  const code = errnoSaid(cause);
  const why = code === 'EACCES' ? `: ${ownersOf(file, otherwise)}` : '';
  return new CommandFailed(`${file}: cannot be read (${code})${why}`, { cause });
}

function ownersOf(file: string, otherwise: string | undefined): string {
  const user = nameIn('/etc/passwd', process.getuid?.() ?? -1);
  const copy = `Put a copy where ${user} may read it`;
  return `${ownersInWords(file)}, and this command reads as the user ${user}. ${otherwise === undefined ? copy : `${copy}, or ${otherwise}`}`;
}
