/** The kiosk as `systemd/install --kiosk` lays it out: accepted by systemd, closed as far as a browser lets it be. */
import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { needsPeer } from '../../support/needs.ts';
import { policyFile } from './kiosk-screen.ts';

const run = promisify(execFile);
const unitPath = 'etc/systemd/system/platen-kiosk.service';
const consolePath = 'etc/systemd/system/platen-kiosk-console.service';
const userPath = 'etc/sysusers.d/platen-kiosk.conf';
const keysPath = 'etc/sysctl.d/platen-kiosk.conf';
const consolesPath = 'etc/systemd/logind.conf.d/platen-kiosk.conf';
const policyPath = 'etc/chromium/policies/managed/platen-kiosk.json';

/** `kiosk.listen` stands in the schema before `operations.listen`. */
const defaultListener = /"default": "(127\.0\.0\.1:738\d)"/;

async function emptyRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'platen-kiosk-'));
  onTestFinished(() => rm(root, { recursive: true }));
  return root;
}

const install = (root: string, ...args: readonly string[]) =>
  run('sh', ['systemd/install', ...args], { env: { PATH: process.env['PATH'], DESTDIR: root } });

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

describe('systemd/install', () => {
  it('adds the kiosk when asked, as often as asked, keeps it, and takes it away again', async () => {
    const root = await emptyRoot();
    const files = [unitPath, consolePath, userPath, policyPath, keysPath, consolesPath].map((path) =>
      join(root, path),
    );
    const present = async () => new Set(await Promise.all(files.map(isThere)));
    await install(root);
    expect(await present()).toEqual(new Set([false]));
    await install(root, '--kiosk', 'lobby-2');
    await install(root, '--kiosk', 'lobby-2');
    await install(root);
    expect(await present()).toEqual(new Set([true]));
    const unit = await readFile(join(root, unitPath), 'utf8');
    expect(unit).toContain('PLATEN_PAGE=http://127.0.0.1:7380/t/lobby-2\n');
    expect(unit).toContain(`ExecStart=/usr/bin/cage -- ${process.cwd()}/systemd/kiosk-browser\n`);
    expect(await readFile(join(root, consolePath), 'utf8')).toContain(
      `ExecStart=${process.cwd()}/systemd/kiosk-console\n`,
    );
    expect(await readFile(join(root, policyPath), 'utf8')).toBe(await readFile(policyFile, 'utf8'));
    await install(root, '--no-kiosk');
    expect(await present()).toEqual(new Set([false]));
    expect(await isThere(join(root, 'etc/systemd/system/platen.service'))).toBe(true);
  });

  it('lets the browser write to memory alone: its home, its profile, and what it shares among its processes', async () => {
    const unit = await readFile('systemd/platen-kiosk.service', 'utf8');
    expect(unit).toMatch(/^RuntimeDirectory=platen-kiosk$/m);
    const places = [...unit.matchAll(/\b(HOME|TMPDIR|XDG_RUNTIME_DIR)=(\S+)/g)].map(([, name, at]) => [
      name,
      at,
    ]);
    expect(Object.fromEntries(places)).toEqual({
      HOME: '%t/platen-kiosk',
      TMPDIR: '%t/platen-kiosk',
      XDG_RUNTIME_DIR: '%t/platen-kiosk',
    });
  });

  it.each([['--kiosk'], ['--kiosk', '../lobby'], ['--kiosk', 'Lobby|x'], ['--screen']])(
    'refuses %s %s, and lays nothing out',
    async (...args) => {
      const root = await emptyRoot();
      await expect(install(root, ...args)).rejects.toMatchObject({ code: 1 });
      expect(await isThere(join(root, 'etc'))).toBe(false);
    },
  );

  it('opens the terminal and the port of the shipped configuration', async () => {
    const { terminals } = parse(await readFile('config/kiosk.yaml', 'utf8')) as {
      terminals: [{ id: string }];
    };
    const listener = `http://${(await readFile('config/platen.schema.json', 'utf8')).match(defaultListener)?.[1]}`;
    expect(await readFile('systemd/platen-kiosk.service', 'utf8')).toContain(
      `PLATEN_PAGE=${listener}/t/${terminals[0].id}\n`,
    );
    expect(JSON.parse(await readFile(policyFile, 'utf8'))).toMatchObject({ URLAllowlist: [listener] });
  });
});

needsPeer('/usr/bin/cage', 'cage')('the units of the kiosk', () => {
  it.each([
    [unitPath, 2.3],
    [consolePath, 1.4],
  ])('%s is accepted by systemd, and rated at most %f', async (path, rated) => {
    const root = await emptyRoot();
    await install(root, '--kiosk', 'entrance');
    const unit = join(root, path);
    // systemd-analyze tells unknown keys on standard error and exits with 0.
    expect((await run('systemd-analyze', ['verify', unit])).stderr).toBe('');
    await run('systemd-analyze', ['security', '--offline=yes', `--threshold=${rated * 10}`, unit]);
  });

  it('has a user that systemd-sysusers accepts', async () => {
    const root = await emptyRoot();
    await install(root, '--kiosk', 'entrance');
    // Told on standard error, and with another exit status, where it cannot be read.
    await expect(run('systemd-sysusers', ['--dry-run', join(root, userPath)])).resolves.toBeDefined();
  });
});

needsPeer('shellcheck', 'shellcheck')('the shell scripts of the service', () => {
  it.each([
    'systemd/install',
    'systemd/kiosk-browser',
    'systemd/kiosk-console',
    'systemd/converter-room',
    'systemd/stick-room',
  ])('%s holds nothing shellcheck knows of', async (script) => {
    await expect(run('shellcheck', [script])).resolves.toMatchObject({ stdout: '' });
  });
});
