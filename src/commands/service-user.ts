/**
 * Every command works as the service's user, even if root calls it. The service's user owns the state directory and the
 * control socket, and may have put links there. So root reads, follows and changes none of these files (INVARIANTS.md
 * T26).
 */
import { readFileSync } from 'node:fs';
import { errnoSaid } from '../core/errno.ts';
import { serviceUserName } from '../config/file-access.ts';
import { CommandFailed } from './failure.ts';

export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

/** The service's user if root calls and there is such a user. `undefined`: files belong to the user of this process. */
export const serviceUser = (passwd?: string): ServiceUser | undefined =>
  process.getuid?.() === 0 ? serviceAccount(passwd) : undefined;

/** On this machine, from passwd(5). */
export function serviceAccount(passwd = '/etc/passwd'): ServiceUser | undefined {
  const lines = readFileSync(passwd, 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = lines.find(([known]) => known === serviceUserName) ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Node has process.initgroups, but its types do not. */
const posix: typeof process & { initgroups?(user: string, extraGroup: number): void } = process;

/**
 * Permanently: the process cannot become root again. `groups`: numbers of groups that the unit gives the agent in
 * addition. Throws `CommandFailed` on failure; nothing was read then.
 */
export function becomeServiceUser(groups: readonly number[] = []): void {
  const user = serviceUser();
  if (!user) return;
  try {
    // The service's user may open readers because of its groups.
    posix.initgroups?.(serviceUserName, user.gid);
    process.setgid?.(user.gid);
    // Only after setgid: the present groups include the group of the process, which was root's before.
    if (groups.length > 0) process.setgroups?.([...new Set([...(process.getgroups?.() ?? []), ...groups])]);
    process.setuid?.(user.uid);
  } catch (cause) {
    const code = errnoSaid(cause);
    throw new CommandFailed(
      `root cannot become the user ${serviceUserName} here (${code}). Run this as that user`,
      {
        cause,
      },
    );
  }
}
