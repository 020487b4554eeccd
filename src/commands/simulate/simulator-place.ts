/**
 * The places where a simulator may run: the machine of a developer, or a machine for trying a configuration. It must
 * not run as the service's user, because it could read the secrets and write the state of the service. It must not run
 * beside the working service, because the service would give documents and badges to any program at its addresses.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed } from '../failure.ts';
import { serviceAccount } from '../service-user.ts';

/** Below the mount of cgroups: unified, hybrid, and older (cgroups(7)). A unit has a cgroup while it runs. */
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
