/**
 * The Debian package in a Debian 12 that has nothing else, with its real systemd and dpkg: installed, asked for its
 * three answers, at work, renewed, set back, removed and purged; it is packed without compression, the bench measures
 * the other. And the npm tarball, where nothing but Node 24 and npm is.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { debianVersion, pack } from '../../../tools/package-deb.ts';
import { packTarball } from '../../../tools/package-tarball.ts';
import { needsPeer } from '../../support/needs.ts';
import type { Said } from '../debian-tree.ts';
import { needsTree, openTree } from '../debian-tree.ts';
import { makePackage, orderOf, ownArchitecture } from './made-package.ts';
import type { PackageMachine } from './package-machine.ts';
import {
  answerBefore,
  bootMachine,
  configFile,
  untilFailed,
  untilReady,
  untilSeen,
} from './package-machine.ts';

const run = promisify(execFile);
const order = orderOf(ownArchitecture);

let folder = '';
let packages: Readonly<Record<'older' | 'newer', string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-packages-'));
  const older = await makePackage(folder, ownArchitecture);
  const laidOut = join(folder, 'laid-out');
  // The same files: what dpkg does between two versions does not look into them.
  const control = join(laidOut, 'DEBIAN/control');
  await writeFile(control, (await readFile(control, 'utf8')).replace(order.version, '1.1.0'));
  packages = { older, newer: pack(laidOut, folder, { ...order, version: '1.1.0' }) };
});
afterAll(() => rm(folder, { recursive: true }));

const failed = (said: Promise<unknown>): Promise<Said & { code: number }> =>
  said.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as Said & { code: number },
  );

needsTree('the Debian package', () => {
  // One life of a machine: each test begins where the one before has ended.
  let opened: PackageMachine;

  beforeAll(async () => {
    opened = await bootMachine({
      packages: { 'older.deb': packages.older, 'newer.deb': packages.newer },
      program: join(folder, 'laid-out/opt/platen'),
    });
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());

  it('T19, T26: what it installs is of root and for nobody else to write; the answers are for the service to read, and to write for nobody', async () => {
    await using tree = await openTree();
    await cp(packages.older, `${tree.root}/root/older.deb`);
    const sh = async (script: string): Promise<string> => (await tree.run('sh', '-euc', script)).stdout;
    await sh('dpkg -i /root/older.deb');
    expect(
      await sh(
        'find $(dpkg -L platen | grep platen) -maxdepth 0 \\( ! -user root -o -perm /022 \\) ! -type l',
      ),
    ).toBe('');
    expect(await sh('find /opt/platen/.code \\( ! -user root -o -perm /022 \\) ! -type l')).toBe('');
    expect(
      await sh(
        'setpriv --reuid=platen --clear-groups sh -c "ls /opt/platen/.code/*-$(id -u platen)/ | wc -l"',
      ),
    ).toMatch(/^[1-9]\d\d\n$/);
    expect(await sh('dpkg --verify platen')).toBe('');
    expect(await sh("find /etc/platen -printf '%p %m %u %g\\n' | sort")).toBe(
      '/etc/platen 750 root platen\n/etc/platen/api-key 640 root platen\n/etc/platen/platen.yaml 640 root platen\n',
    );
  });

  it('T26: takes from the service what an older version had given it, and follows none of its links', async () => {
    await using tree = await openTree();
    await cp(packages.older, `${tree.root}/root/older.deb`);
    const sh = async (script: string): Promise<string> => (await tree.run('sh', '-euc', script)).stdout;
    await sh('dpkg -i /root/older.deb');
    await sh(`cd /etc/platen; rm api-key; echo ours >ours; cp /etc/shadow /root/hard
        ln -s /etc/shadow api-key; ln -s /root/absent absent; ln /root/hard hard
        chown -h platen:platen . *; chmod 600 ours platen.yaml
        dpkg -i /root/older.deb`);
    expect(
      await sh("find /etc/platen -type f -printf '%f %m %u %g\\n' | sort; stat -c %U:%G /etc/shadow"),
    ).toBe('hard 640 platen platen\nours 640 root platen\nplaten.yaml 640 root platen\nroot:shadow\n');
    expect(await sh('ls /root')).not.toContain('absent');
  });

  it('with the answers is ready by itself after its installation, and keeps state and configuration until it is purged', async () => {
    const { tree, sh } = opened;
    await answerBefore(opened);

    await sh('dpkg -i /root/older.deb');
    await sh(untilReady);
    const kept = `cat ${configFile}; cd /var/lib/platen; sha256sum identity registration sealing-key mine`;
    await sh(`echo '# mine' >>${configFile}; touch /var/lib/platen/mine`);
    const before = await sh(kept);
    const simulator = await failed(sh('setpriv --reuid=nobody --clear-groups platen simulate printer'));
    expect(simulator.stderr).toContain('platen.service is running');
    await sh(`dpkg -i /root/newer.deb; ${untilReady}`);
    expect(await sh("dpkg-query -W -f '${Version}' platen")).toBe('1.1.0');
    expect(await sh('journalctl -q -u platen -o cat')).toContain('"msg":"agent stopped"');
    expect(await sh(kept)).toBe(before);

    await sh(`systemctl stop platen; ${asOfTheFuture}`);
    await sh(`dpkg -i /root/older.deb; ${untilFailed}`);
    expect(await sh('journalctl -q -u platen -o cat')).toContain(
      'A newer Platen has written the database. Install that version again.',
    );
    expect(await sh('systemctl show platen -p NRestarts -p ExecMainStatus')).toContain(
      'NRestarts=0\nExecMainStatus=78',
    );

    await sh('dpkg --remove platen');
    expect(await sh('ls /opt /usr/lib/systemd/system | grep -c platen || true')).toBe('0\n');
    expect((await stat(`${tree.root}/var/lib/platen/mine`)).isFile()).toBe(true);
    expect((await stat(tree.root + configFile)).isFile()).toBe(true);
    await sh('dpkg --purge platen');
    expect(
      await sh('ls -d /etc/platen /var/lib/platen /etc/systemd/system/*/platen* 2>/dev/null || true'),
    ).toBe('');
  });

  it('purged and installed anew, beside no other Node, shows the demo, and waits for three answers without failing again and again', async () => {
    const { machine, sh } = opened;
    expect(await sh('! command -v node && dpkg -i /root/older.deb')).toContain('three answers are wanted');
    expect(await sh('platen --version && platen demo --once')).toContain(
      'Every document came out once and unchanged',
    );
    expect(await sh('systemctl is-enabled platen; systemctl is-active platen || true')).toBe(
      'enabled\ninactive\n',
    );

    const asked = await failed(machine.run('platen', 'check', '-c', configFile));
    expect(asked.code).toBe(78);
    expect(asked.stderr).toBe(`platen: ${configFile}: Not set up yet. Run: platen init\n`);

    await sh(`systemctl start platen || true; ${untilFailed}`);
    expect(await sh('systemctl show platen -p NRestarts -p ExecMainStatus -p SubState')).toMatch(
      /NRestarts=0\nExecMainStatus=78\nSubState=failed/,
    );
  });

  it('T19: what init takes is sealed for this machine, and lies in no file of it in the clear', async () => {
    const { machine, sh } = opened;
    const init = `platen init --yes --base-url http://127.0.0.1:7300 --auth-url http://127.0.0.1:7300 \\
        --printer entrance=ipp://127.0.0.1:8631/ipp/print,serial=SN-0001 \\
        --reader tcp-connect:127.0.0.1:10001 --wait 10`;
    await sh('echo sample-api-key >/root/key');
    const said = await sh(`${init} --api-key-file /root/key --test-page`);
    expect(said).toContain('cloud.apiKey: sealed, for this machine alone (host: the key is on the disk');
    expect(said).toMatch(/Ready: entrance[^]*test page at entrance .* printed as job/);
    await sh('rm /root/key');
    expect(await sh('grep -rlE "sample-api-key" /etc /var/lib/platen || true')).toBe('');
    expect(await sh('cd /var/lib/platen; ls sealing-key /etc/platen/api-key 2>/dev/null || true')).toBe('');
    expect(await sh("stat -c '%a %U' /etc/credstore.encrypted /etc/credstore.encrypted/*")).toBe(
      '700 root\n600 root\n600 root\n',
    );
    // Service and printer are at loopback addresses; the resolver may be elsewhere.
    expect(await sh('systemctl show platen -p IPAddressDeny')).toMatch(/::\/0/);
    expect(await sh('systemctl show platen -p IPAddressAllow')).toContain('127.0.0.0/8');
    expect(await sh(init)).toContain('already contains all of this. Nothing was changed');
    expect(await sh(`echo sample-api-key >/run/key; ${init} --api-key-file /run/key`)).toContain(
      'Nothing was changed',
    );

    const reported = (record: string) => untilSeen(`journalctl -q -u platen -o cat | grep -q '${record}'`);
    const tap = 'echo 04A1B2C3D4 >/run/badges';
    // As README says: the second time all of it is printed; a badge that lies there is one badge.
    await sh(`${tap}; ${reported('"msg":"session opened"')}`);
    await sh(`sleep 2; ${tap}; ${reported('"outcome":"completed","msg":"release ended"')}`);
    expect(await sh('ls /run/printed')).not.toBe('');

    expect(await sh('platen status --json')).toContain('"ready"');
    // 3: the configuration could not be read.
    await sh('platen check --monitor || [ $? != 3 ]');
    await sh('systemctl stop platen');
    expect((await failed(machine.run('platen', 'status'))).code).toBe(3);
    const alone = await failed(machine.run('platen', 'check'));
    expect([alone.code, alone.stderr]).toEqual([
      78,
      expect.stringContaining('systemd-run --pipe --wait -p User=platen -p LoadCredentialEncrypted=api-key'),
    ]);
    const given = '-p LoadCredentialEncrypted=api-key -p LoadCredentialEncrypted=sealing-key';
    const asUnit = `systemd-run -q --pipe --wait -p User=platen ${given} platen check`;
    expect(await sh(`${asUnit} || [ $? = 1 ]`)).toMatch(/ok +permissions/);
  });

  it('T19: a copy of its disk opens no token elsewhere, and with the key that was kept, as the guide says, it is the same terminal', async () => {
    const { sh } = opened;
    const identity = await sh('sha256sum /var/lib/platen/identity');
    await sh('systemd-creds decrypt --name=sealing-key /etc/credstore.encrypted/sealing-key /run/kept');
    // Another machine: another key in it.
    await sh(
      'chattr -i /var/lib/systemd/credential.secret 2>/dev/null || true; rm /var/lib/systemd/credential.secret',
    );
    await sh('! systemctl start platen');
    // EXIT_CREDENTIALS of systemd.exec(5).
    expect(await sh('systemctl show platen -p ExecMainStatus')).toBe('ExecMainStatus=243\n');
    await sh(`cd /etc/credstore.encrypted; rm *
        systemd-creds encrypt --name=sealing-key /run/kept sealing-key
        printf sample-api-key | systemd-creds encrypt --name=api-key - api-key
        systemctl restart platen; ${untilReady}`);
    expect(await sh('sha256sum /var/lib/platen/identity')).toBe(identity);
    await sh('dpkg --purge platen');
    expect(await sh('ls /etc/credstore.encrypted; ls -d /etc/apparmor.d/platen* 2>/dev/null || true')).toBe(
      '',
    );
  });
});

/** A database as a version to come leaves it. */
const asOfTheFuture = `/opt/platen/node_modules/.bin/node -e '
  const database = new (require("node:sqlite").DatabaseSync)("/var/lib/platen/platen.db");
  const { user_version } = database.prepare("PRAGMA user_version").get();
  database.exec("PRAGMA user_version = " + (user_version + 1));
  database.exec("PRAGMA application_id = " + (0x504c0000 + user_version + 1));'`;

needsPeer('shellcheck', 'shellcheck')("the package's scripts", () => {
  it.each(['postinst', 'prerm', 'postrm'])('%s holds nothing shellcheck knows of', async (script) => {
    const { stdout } = await run('shellcheck', [join(folder, 'laid-out/DEBIAN', script)]);
    expect(stdout).toBe('');
  });
});

describe('the package', () => {
  it('of the same sources is the same to the last octet, whenever it is made', async () => {
    const again = join(folder, 'again');
    const { stdout } = await run('sha256sum', [packages.older, await makePackage(again, ownArchitecture)]);
    const [one, other] = stdout.split('\n').map((line) => line.split(' ')[0]);
    expect(other).toBe(one);
    await rm(again, { recursive: true });
  });

  it('of a release candidate comes before that of its release', async () => {
    const versions = [debianVersion('1.0.0-rc.1'), 'lt', debianVersion('1.0.0')];
    await expect(run('dpkg', ['--compare-versions', ...versions])).resolves.toBeDefined();
  });
});

describe('the npm tarball', () => {
  let tarball = '';

  beforeAll(() => {
    tarball = packTarball(folder);
  });

  it('holds the bundle, the page and what an administrator needs; no tests, no sources, nothing of the build', async () => {
    const { stdout } = await run('tar', ['-tzf', tarball]);
    const files = stdout
      .trim()
      .split('\n')
      .map((path) => path.replace('package/', ''));
    const places = new Set(files.map((path) => path.split('/')[0]));
    expect(places).toEqual(
      new Set([
        'LICENSE',
        'README.md',
        'THIRD-PARTY-NOTICES.md',
        'package.json',
        'config',
        'dist',
        'systemd',
        'tools',
      ]),
    );
    expect(files).toEqual(expect.arrayContaining(['dist/main.js', 'dist/page/kiosk.js', 'tools/platen.js']));
    expect(
      files.filter((path) => /\.tsx?$|\.map$|(?:^|\/)tests?\/|^systemd\/(?:debian|container)/.test(path)),
    ).toEqual([]);
  });

  it('T30: installs with no more than three packages of others asked for, and is Platen at work', async () => {
    const { stdout: published } = await run('tar', ['-xzOf', tarball, 'package/package.json']);
    const { dependencies, scripts } = JSON.parse(published) as { dependencies: object; scripts?: object };
    expect([Object.keys(dependencies), scripts]).toEqual([
      ['@serialport/bindings-cpp', 'serialport'],
      undefined,
    ]);

    const prefix = join(folder, 'npm');
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    // `npm test` tells its children of another prefix.
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
    const path = `${resolve('node_modules/.bin')}:/usr/bin:/bin`;
    const env = { ...Object.fromEntries(inherited), PATH: path, TMPDIR: folder };
    await run('npm', ['install', '--global', '--prefix', prefix, ...quiet, tarball], { env });
    const platen = join(prefix, 'bin/platen');
    expect((await run(platen, ['--version'], { env })).stdout).toBe(`${manifest.version}\n`);
    const demo = await run(platen, ['demo', '--once'], { env });
    expect(demo.stdout).toContain('Every document came out once and unchanged');
  });
});
