/**
 * Whoever calls, a command works as the service's user. What that user owns (the state directory, the control socket)
 * and what it may have written leads where it wants: root reads, follows and changes none of it (INVARIANTS.md T26).
 */
import { readFileSync } from 'node:fs';
import { serviceUserName } from '../config/file-access.ts';
import { CommandFailed } from './failure.ts';

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
  const [, , uid, gid] = lines.find(([known]) => known === serviceUserName) ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Node's own (process.initgroups), which its types have not. */
const posix: typeof process & { initgroups?(user: string, extraGroup: number): void } = process;

/**
 * For good: there is no way back to root. `groups`, by number, are those that the unit gives the agent besides. Throws
 * `CommandFailed` where that is not to be had, and nothing was read.
 */
export function becomeServiceUser(groups: readonly number[] = []): void {
  const user = serviceUser();
  if (!user) return;
  try {
    // The user's groups are those by which it may open readers.
    posix.initgroups?.(serviceUserName, user.gid);
    process.setgid?.(user.gid);
    // Not before: what they are counts the group of the process in, which was root's.
    if (groups.length > 0) process.setgroups?.([...new Set([...(process.getgroups?.() ?? []), ...groups])]);
    process.setuid?.(user.uid);
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new CommandFailed(
      `root cannot become the user ${serviceUserName} here (${code}). Run this as that user`,
      {
        cause,
      },
    );
  }
}
