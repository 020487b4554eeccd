/**
 * A life in which the Debian package is updated, and installed once more, on a disk that loses its power. The machine is
 * the Debian 12 of the tests; all that is changed in it lies on that disk: dpkg's database, the program, the configuration.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { debianVersion, pack } from '../../tools/package-deb.ts';
import { makePackage, orderOf, ownArchitecture } from '../peers/packaging/made-package.ts';
import type { KillStage } from './kill-stage.ts';
import type { Life } from './power-lives.ts';

const original = '/var/cache/platen-test/debian-tree-with-fonts';
const newVersion = '1.1.0';

export const updates: Life = {
  name: 'update of the package',
  protocol: 'ipp',
  async prepare(stage) {
    const folder = join(stage.folder, 'packages');
    mkdirSync(folder);
    const older = await makePackage(folder, ownArchitecture);
    const order = { ...orderOf(ownArchitecture), version: newVersion };
    const control = join(folder, 'laid-out/DEBIAN/control');
    const old = orderOf(ownArchitecture).version;
    writeFileSync(control, readFileSync(control, 'utf8').replace(old, debianVersion(newVersion)));
    cpSync(older, join(folder, 'older.deb'));
    cpSync(pack(join(folder, 'laid-out'), folder, order), join(folder, 'newer.deb'));
    using machine = openMachine(stage);
    await machine.run('dpkg', '-i', '/packages/older.deb');
    // As `platen init` leaves it.
    const { gid } = statSync(machine.configFile);
    writeFileSync(machine.configFile, readFileSync(stage.configFile));
    chownSync(machine.configFile, 0, gid);
    execFileSync('sync');
  },
  async live({ stage, letOneOut }) {
    using machine = openMachine(stage);
    await letOneOut();
    for (const _ of ['update', 'reinstallation']) {
      await machine.run('dpkg', '-i', '/packages/newer.deb');
      await letOneOut();
    }
  },
  /** What dpkg says it has not ended is ended, as apt does it; then all of it is there, and as it was. */
  async boot(stage) {
    using machine = openMachine(stage);
    await machine.run('dpkg', '--configure', '-a');
    const state = await machine.run('dpkg-query', '-W', '-f', '${Status}', 'platen');
    if (state !== 'install ok installed') await machine.run('dpkg', '-i', '/packages/newer.deb');
    assert.equal(await machine.run('dpkg', '--verify', 'platen'), '');
    await machine.run('platen', '--version');
    const { mode, uid } = statSync(machine.configFile);
    assert.deepEqual(
      { config: readFileSync(machine.configFile, 'utf8'), mode: mode & 0o777, uid },
      { config: readFileSync(stage.configFile, 'utf8'), mode: 0o640, uid: 0 },
    );
  },
};

interface Machine extends Disposable {
  readonly configFile: string;
  /** As root inside it; gives what it said. */
  run(...command: readonly string[]): Promise<string>;
}

const mount = (...args: readonly string[]) => void execFileSync('mount', args, { stdio: 'pipe' });

/** It is not booted. */
function openMachine({ folder }: KillStage): Machine {
  const root = join(folder, 'machine');
  const [upper, work] = [join(folder, 'state/machine/changed'), join(folder, 'state/machine/work')];
  for (const made of [root, upper, work]) mkdirSync(made, { recursive: true });
  mount('-t', 'overlay', '-o', `lowerdir=${original},upperdir=${upper},workdir=${work}`, 'overlay', root);
  const packages = join(root, 'packages');
  mkdirSync(packages, { recursive: true });
  mount('--bind', join(folder, 'packages'), packages);
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  return {
    configFile: join(root, 'etc/platen/platen.yaml'),
    async run(...command) {
      const { stdout } = await promisify(execFile)('chroot', [
        root,
        'env',
        '-i',
        path,
        'LC_ALL=C.UTF-8',
        ...command,
      ]);
      return stdout;
    },
    [Symbol.dispose]: () => void execFileSync('umount', [packages, root]),
  };
}
