/**
 * Whoever calls, a command works as the service's user. What that user owns (the state directory, the control socket)
 * and what it may have written leads where it wants: root reads, follows and changes none of it (reliability.md T26).
 */
import { readFileSync } from 'node:fs';
import { CommandFailed } from './failure.ts';

/** Of the unit, which the package makes. */
const name = 'platen';

export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

/** Where root asks and there is one; `undefined`: files are whose process it is. */
export const serviceUser = (passwd?: string): ServiceUser | undefined =>
  process.getuid?.() === 0 ? serviceAccount(passwd) : undefined;

/** Of this machine, by passwd(5). */
export function serviceAccount(passwd = '/etc/passwd'): ServiceUser | undefined {
  const lines = readFileSync(passwd, 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = lines.find(([known]) => known === name) ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Node's own (process.initgroups), which its types have not. */
const posix: typeof process & { initgroups?(user: string, extraGroup: number): void } = process;

/** For good: there is no way back to root. Throws `CommandFailed` where that is not to be had, and nothing was read. */
export function becomeServiceUser(): void {
  const user = serviceUser();
  if (!user) return;
  try {
    // The user's groups are those by which it may open readers.
    posix.initgroups?.(name, user.gid);
    process.setgid?.(user.gid);
    process.setuid?.(user.uid);
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new CommandFailed(`root cannot become the user ${name} here (${code}); run this as that user`, {
      cause,
    });
  }
}
