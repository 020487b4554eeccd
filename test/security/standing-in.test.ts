/** Another user of the machine can neither keep the agent from its work nor stand in for it (reliability.md D13, T03, T19). */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { startLaunch } from '../../src/operations/launch.ts';
import { lockInstance } from '../../src/store/instance-lock.ts';
import { setStage } from '../flows/stage.ts';
import { needsNamespaces, needsRoot } from '../peers/availability.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { recordLog } from '../support/recorded-log.ts';
import { busyWriter } from '../store/writer-process.ts';

const stranger = { uid: 65_534, gid: 65_534, cwd: '/', env: {} };

/** A program of that user; says a line when it holds what it wants, or what keeps it from that. */
async function asStranger(program: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['-e', program, ...args], {
    ...stranger,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  return String(said);
}

needsRoot()('another user', () => {
  it('who took a name in the abstract first, which anybody can compute, stops nothing', async () => {
    using directory = temporaryDirectory();
    const name = `platen-${createHash('sha256').update(directory.path).digest('hex')}`;
    const take = `require('node:net').createServer().listen({ path: '\\0' + process.argv[1] }, () => console.log('taken'))`;
    expect(await asStranger(take, name)).toBe('taken\n');
    using held = lockInstance(directory.path);
    expect(held).toBeDefined();
  });

  it('cannot take the lock, even in a directory that is open to all: the file is not', async () => {
    using directory = temporaryDirectory();
    lockInstance(directory.path)[Symbol.dispose]();
    chmodSync(directory.path, 0o755);
    const lock = `try { new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('BEGIN EXCLUSIVE'); console.log('taken'); setInterval(() => {}, 1000) }
      catch ({ errcode }) { console.log('refused', errcode) }`;
    // SQLITE_CANTOPEN
    expect(await asStranger(lock, join(directory.path, 'lock.db'))).toBe('refused 14\n');
    using held = lockInstance(directory.path);
    expect(held).toBeDefined();
  });
});

needsNamespaces()('a second agent', () => {
  it('in a network, a mount and a process namespace of its own is kept out all the same', async () => {
    using directory = temporaryDirectory();
    using _ = lockInstance(directory.path);
    const apart = ['-n', '-m', '--pid', '--fork', process.execPath, busyWriter, directory.path, '1'];
    const other = spawn('unshare', apart, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void other.kill('SIGKILL'));
    expect(await text(other.stdout)).toBe('problem already-running\n');
  });

  it('of another user who has been let into the directory is kept out too', async () => {
    using directory = temporaryDirectory();
    using _ = lockInstance(directory.path);
    chownSync(join(directory.path, 'lock.db'), stranger.uid, stranger.gid);
    chownSync(directory.path, stranger.uid, stranger.gid);
    const other = spawn(process.execPath, [busyWriter, directory.path, '1'], {
      ...stranger,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void other.kill('SIGKILL'));
    expect(await text(other.stdout)).toBe('problem already-running\n');
  });
});

/** What is read at the socket as systemd does for `LoadCredential=`; rejects where nobody answers. */
const launchOf = (stateDir: string): Promise<string> => text(connect(join(stateDir, 'launch.sock')));

describe('the launch secret', () => {
  it('is handed out by the agent itself, with where it listens, to its user and root alone; and not once it is gone', async () => {
    using directory = temporaryDirectory();
    const page = { host: '127.0.0.1', port: 7380 };
    const world = { stateDir: directory.path, page, log: recordLog().log };
    await using launch = await startLaunch({ ...world, secret: () => new Secret('launch-4711') });
    expect(await launchOf(directory.path)).toBe('http://127.0.0.1:7380\nlaunch-4711\n');
    expect(statSync(join(directory.path, 'launch.sock')).mode & 0o777).toBe(0o600);
    await launch[Symbol.asyncDispose]();
    expect(existsSync(join(directory.path, 'launch.sock'))).toBe(false);
  });

  it('is not there while an impostor has the address of the page, for no agent runs then', async () => {
    await using impostor = createServer().listen(0, '127.0.0.1');
    await once(impostor, 'listening');
    const { port } = impostor.address() as AddressInfo;
    await using stage = await setStage({ config: { kiosk: { listen: `127.0.0.1:${port}` } } });
    await expect(stage.start()).rejects.toMatchObject({ code: 'port-taken' });
    await expect(launchOf(join(stage.folder, 'state'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it("goes to the browser at the agent's own address, and to no other that its unit may name", async () => {
    using directory = temporaryDirectory();
    const [programs, runtime, credentials] = ['programs', 'run', 'credentials'].map((name) => {
      const path = join(directory.path, name);
      mkdirSync(path);
      return path;
    }) as [string, string, string];
    for (const program of ['curl', 'chromium']) {
      writeFileSync(join(programs, program), `#!/bin/sh\necho ${program} "$@"\n`, { mode: 0o755 });
    }
    writeFileSync(join(credentials, 'launch'), 'http://127.0.0.1:7380\nlaunch-4711\n');
    const start = (page: string) =>
      promisify(execFile)('sh', ['systemd/kiosk-browser'], {
        env: {
          ...{ PATH: `${programs}:${process.env['PATH']}`, PLATEN_PAGE: page },
          ...{ RUNTIME_DIRECTORY: runtime, CREDENTIALS_DIRECTORY: credentials },
        },
      });
    for (const page of [
      'http://127.0.0.1:8380/t/entrance',
      'http://127.0.0.1:7380.evil.example/t/entrance',
    ]) {
      await expect(start(page)).rejects.toMatchObject({ code: 1, stdout: '' });
    }
    expect(existsSync(join(runtime, 'profile'))).toBe(false);
    const { stdout } = await start('http://127.0.0.1:7380/t/entrance');
    expect(stdout).not.toContain('launch-4711');
    const preferences = readFileSync(join(runtime, 'profile', 'Default', 'Preferences'), 'utf8');
    expect(JSON.parse(preferences)).toMatchObject({
      session: { startup_urls: ['http://127.0.0.1:7380/t/entrance?launch=launch-4711'] },
    });
  });
});
