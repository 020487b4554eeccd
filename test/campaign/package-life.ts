/**
 * A life in which the Debian package is updated, and installed once more, on a disk that loses its power. The machine is
 * the Debian 12 of the tests; all that is changed in it lies on that disk: dpkg's database, the program, the configuration.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { pack } from '../../tools/package-deb.ts';
import { makePackage, orderOf, ownArchitecture } from '../peers/packaging/made-package.ts';
import type { KillStage } from './kill-stage.ts';
import type { Life } from './power-lives.ts';

const original = '/var/cache/platen-test/debian-tree-with-fonts';
const newVersion = '1.1.0';

export const updates: Life = {
  name: 'update of the package',
  protocol: 'ipp',
  async prepare(stage) {
    await makePackages(join(stage.folder, 'packages'));
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
    // What systemd starts is between two versions yet.
    assert.deepEqual(machine.missing(), []);
    // It refuses a package that has to be installed once more.
    await machine.run('dpkg', '--configure', '-a').catch(() => undefined);
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

/** Two versions: the parts of the newer one have names of their own, as those of other sources have. */
async function makePackages(folder: string): Promise<void> {
  mkdirSync(folder);
  const order = orderOf(ownArchitecture);
  renameSync(await makePackage(folder, ownArchitecture), join(folder, 'older.deb'));
  const laidOut = join(folder, 'laid-out');
  const program = join(laidOut, programFolder);
  for (const file of partsOf(program)) {
    const path = join(program, file);
    const text = readFileSync(path, 'utf8').replaceAll(partName, (name) =>
      name.replace(/[\w.-]+$/, 'newer-$&'),
    );
    rmSync(path);
    writeFileSync(join(program, file.replace('assets/', 'assets/newer-')), text);
  }
  const control = join(laidOut, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(order.version, newVersion));
  const sums = execFileSync('find', ['etc', 'opt', 'usr', '-type', 'f', '-exec', 'md5sum', '{}', '+'], {
    cwd: laidOut,
    encoding: 'utf8',
  });
  writeFileSync(join(laidOut, 'DEBIAN/md5sums'), sums);
  renameSync(pack(laidOut, folder, { ...order, version: newVersion }), join(folder, 'newer.deb'));
}

const programFolder = 'opt/platen/dist';
/** Of a module beside it, as the bundle has it. */
const partName = /\.\/(?:assets\/)?[\w.-]+-[\w-]{8}\.js/g;

const partsOf = (program: string): string[] => [
  'main.js',
  ...readdirSync(join(program, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `assets/${name}`),
];

/** The modules that the program would look for in vain, from its first one on. */
function missingParts(program: string): readonly string[] {
  const found = new Set(['main.js']);
  for (const part of found) {
    const path = join(program, part);
    if (!existsSync(path)) continue;
    for (const [name] of readFileSync(path, 'utf8').matchAll(partName)) found.add(`assets/${basename(name)}`);
  }
  return [...found].filter((part) => !existsSync(join(program, part)));
}

interface Machine extends Disposable {
  readonly configFile: string;
  /** Of the program. */
  missing(): readonly string[];
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
    missing: () => missingParts(join(root, programFolder)),
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
