/**
 * Where a simulator may stand: on a developer's machine, or one on which a configuration is tried. Not in the shoes of the
 * service, whose secrets it could read and whose state it could write, and not beside the service at work, which would give
 * documents and badges to whoever answers at an address.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed } from '../failure.ts';
import { serviceAccount } from '../service-user.ts';

/** Below the mount of cgroups: unified, hybrid, and of before (cgroups(7)). A unit has its own while it is at work. */
const cgroups = ['', 'unified', 'systemd'].map((hierarchy) =>
  join(hierarchy, 'system.slice', 'platen.service'),
);

/** Throws `CommandFailed`. */
export function refuseSimulator(mount = '/sys/fs/cgroup'): void {
  if (cgroups.some((path) => existsSync(join(mount, path)))) {
    throw new CommandFailed(
      'platen.service is running on this machine. Stop it first, or use another machine',
    );
  }
  if (process.getuid !== undefined && process.getuid() === serviceAccount()?.uid) {
    throw new CommandFailed(
      "a simulator does not run as the service's user, and root becomes this user here. Run it as another user",
    );
  }
}
