/** The first pages are true to the last word: every command they show is run here, or named here with where it is run. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { needsPeer } from '../../support/needs.ts';
import { runProgram, startProgram } from '../../support/program.ts';
import { setStage } from '../../support/agent/stage.ts';
import { distLock } from '../packaging/made-package.ts';

const run = promisify(execFile);
const readme = await readFile('README.md', 'utf8');
/** The tests' page and the kiosk's, too: they have what README had. */
const pages = [readme, await readFile('systemd/kiosk.md', 'utf8'), await readFile('test/README.md', 'utf8')];
const shown = [...pages.join('\n').matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block
    .trim()
    .replaceAll(/\\\n\s*/g, '')
    .split('\n'),
);

const runElsewhere: Readonly<Record<string, string>> = {
  'npm test': 'this run',
  'npm run check': '.ci/run, before this run',
  'npm run bench': 'by hand: it takes minutes; its tables are in test/bench/FIGURES.md',
  'npm run campaign':
    'by hand: it takes hours; CI runs a sample of it (test/proof/kills/kill-random.test.ts)',
  'npm run lab': 'by hand: it takes hours; CI runs a sample of it (test/proof/kills/power-flushes.test.ts)',
  'npm run package': 'test/peers/packaging/package.test.ts',
  'apt install ./platen_0.1.0_amd64.deb': 'test/peers/packaging/package.test.ts',
  'platen init': 'test/flows/init.test.ts',
  'platen init --base-url http://127.0.0.1:7300 --printer lobby=ipp://127.0.0.1:8631/ipp/print --reader tcp-connect:127.0.0.1:10001':
    'test/peers/packaging/package.test.ts',
  'mkdir try && echo sample-api-key > try/key': 'a folder and a file',
  'tools/platen.js init -c try/platen.yaml --yes --api-key-file try/key --base-url http://127.0.0.1:7300 --printer lobby=ipp://127.0.0.1:8631/ipp/print --reader tcp-connect:127.0.0.1:10001':
    'test/flows/init.test.ts, at ports that are free',
  'tools/platen.js run -c try/platen.yaml': 'test/peers/whole-agent.test.ts',
  'platen logs --follow': 'test/flows/logs.test.ts',
  'cd /opt/platen && npm ci': 'tools/setup, before this run',
  'systemctl enable --now platen': 'needs a running systemd',
  'apt-get install --no-install-recommends cage xwayland chromium seatd curl fonts-dejavu-core fonts-droid-fallback fonts-noto-color-emoji':
    'needs a screen',
  'sh systemd/install --kiosk entrance': 'test/peers/kiosk/kiosk-unit.test.ts',
  'systemctl enable platen platen-kiosk': 'needs a running systemd',
  reboot: 'needs a running systemd',
  'apt-get install --no-install-recommends sleuthkit qpdf': 'tools/setup, before this run',
  'sh systemd/install --stick': 'test/peers/stick-unit.test.ts',
  'systemctl enable --now platen-stick.socket': 'test/peers/stick-unit.test.ts',
};

const runHere: Readonly<Record<string, () => Promise<void>>> = {
  'npm run demo -- --once': async () => {
    const { stdout } = await run('npm', ['run', 'demo', '--', '--once']);
    expect(stdout).toContain('Every document came out once and unchanged');
  },
  'npm run demo': async () => {
    await using demo = startProgram(['demo', '--listen', '127.0.0.1:0']);
    await demo.printed('Type a card number');
    demo.child.kill('SIGINT');
    expect((await demo.exited).code).toBe(0);
  },
  'sh systemd/install': async () => {
    const root = await mkdtemp(join(tmpdir(), 'platen-root-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const install = () =>
      run('sh', ['systemd/install'], { env: { PATH: process.env['PATH'], DESTDIR: root } });
    await install();
    await install();
    expect((await stat(join(root, 'etc/platen/api-key'))).mode & 0o777).toBe(0o640);
    expect(await readlink(join(root, 'usr/local/bin/platen'))).toBe(join(process.cwd(), 'tools/platen.js'));
    const unit = await readFile(join(root, 'etc/systemd/system/platen.service'), 'utf8');
    expect(unit).toContain(`ExecStart=${process.cwd()}/tools/platen.js run -c /etc/platen/platen.yaml`);
  },
  'platen check -c /etc/platen/platen.yaml': async () => {
    await using stage = await setStage();
    expect(await runProgram(['check', '-c', stage.configFile])).toMatchObject({ code: 0 });
  },
  'platen status -c /etc/platen/platen.yaml': async () => {
    await using stage = await setStage();
    expect(await runProgram(['status', '-c', stage.configFile])).toMatchObject({ code: 3 });
  },
  'platen simulate cloud --approve by-hand': () =>
    simulated(['cloud', '--approve', 'by-hand', '--port', '0']),
  'platen simulate printer --output printed': () =>
    simulated(['printer', '--output', join(tmpdir(), 'printed'), '--port', '0']),
  'platen simulate reader --wait 10001': () => simulated(['reader', '--wait', '0']),
  'npm run build': async () => {
    // As a person calls it: with NODE_ENV of the tests the page would be larger than it is.
    const { NODE_ENV: _, ...env } = process.env;
    await run('flock', [distLock, 'npm', 'run', 'build'], { env });
    expect((await stat('dist/main.js')).size).toBeGreaterThan(0);
  },
};

async function simulated(args: readonly string[]): Promise<void> {
  await using piece = startProgram(['simulate', ...args]);
  await piece.printed('\n');
  piece.child.kill('SIGTERM');
  expect((await piece.exited).code).toBe(0);
}

describe('README', () => {
  it('shows no command that is neither run here nor known to be run elsewhere', () => {
    expect([...new Set(shown)].sort()).toEqual(
      [...Object.keys(runHere), ...Object.keys(runElsewhere)].sort(),
    );
  });

  it.each(Object.keys(runHere))('%s does what it says', (command) => runHere[command]?.());

  it('maps every folder of src, and nothing that is not there', async () => {
    const mapped = [...readme.matchAll(/^\| ((?:`[\w./-]+`(?:, )?)+) \| \d \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    );
    const entries = await readdir('src', { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/`);
    expect(mapped.filter((path) => path.endsWith('/')).sort()).toEqual(folders.sort());
    for (const path of mapped) expect((await stat(join('src', path))).size).toBeGreaterThan(0);
  });

  it('has a line for every dependency', async () => {
    const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(manifest.dependencies)) expect(readme).toContain(`| ${name} | `);
  });
});

needsPeer('systemd-analyze', 'systemd')('the unit', () => {
  it('is accepted by systemd and rated at most 1.7 (INVARIANTS.md E.1)', async () => {
    const root = await mkdtemp(join(tmpdir(), 'platen-unit-'));
    onTestFinished(() => rm(root, { recursive: true }));
    await run('sh', ['systemd/install'], { env: { PATH: process.env['PATH'], DESTDIR: root } });
    const unit = join(root, 'etc/systemd/system/platen.service');
    // systemd-analyze tells unknown keys on standard error and exits with 0.
    expect((await run('systemd-analyze', ['verify', unit])).stderr).toBe('');
    await run('systemd-analyze', ['security', '--offline=yes', '--threshold=17', unit]);
  });
});
