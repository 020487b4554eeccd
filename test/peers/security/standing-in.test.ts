/** Another user of the machine can neither keep the agent from its work nor stand in for it (INVARIANTS.md D13, T03, T19). */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCode } from '../../../src/commands/io.ts';
import { lockInstance } from '../../../src/store/files/state-directory.ts';
import { startProgram } from '../../support/program.ts';
import { setStage } from '../../support/agent/stage.ts';
import { needsNamespaces, needsRoot } from '../../support/needs.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { busyWriter } from '../../store/writer-process.ts';

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

/** What systemd does for `LoadCredential=`. */
const read = (socket: string): Promise<string> => text(connect(socket));

/** An agent with a launch socket as systemd keeps it. */
async function startWithLaunchSocket(directory: string, configFile: string) {
  const socket = join(directory, 'launch.sock');
  const server = createServer().listen(`${socket}.new`);
  await once(server, 'listening');
  // Whoever closes it here unlinks the name that it was given.
  renameSync(`${socket}.new`, socket);
  const { _handle } = server as unknown as { _handle: { fd: number } };
  const platen = startProgram(['run', '-c', configFile], { sockets: { launch: _handle.fd } });
  server.close();
  return { socket, platen };
}

describe('the launch secret', () => {
  it('is handed out by the agent itself, with where it listens, at the socket that was handed down', async () => {
    using directory = temporaryDirectory();
    await using stage = await setStage({ config: { kiosk: { listen: '127.0.0.1:0' } } });
    const { socket, platen } = await startWithLaunchSocket(directory.path, stage.configFile);
    await using _ = platen;
    const { kiosk } = await platen.logged('agent started');
    const state = join(stage.folder, 'state');
    expect(await read(socket)).toBe(
      `http://${String(kiosk)}\n${readFileSync(join(state, 'kiosk-launch'), 'utf8')}`,
    );
    // Nothing that root is to read lies where the agent's user may lay something else (T26).
    expect(readdirSync(state).filter((name) => name.endsWith('.sock'))).toEqual(['control.sock']);
  });

  it('is not handed out while an impostor has the address of the page, for no agent runs then', async () => {
    using directory = temporaryDirectory();
    await using impostor = createServer().listen(0, '127.0.0.1');
    await once(impostor, 'listening');
    const { port } = impostor.address() as AddressInfo;
    await using stage = await setStage({ config: { kiosk: { listen: `127.0.0.1:${port}` } } });
    const { socket, platen } = await startWithLaunchSocket(directory.path, stage.configFile);
    await using _ = platen;
    const said = read(socket).catch(() => '');
    expect(await platen.exited).toMatchObject({ code: exitCode.unavailable });
    expect(await said).toBe('');
  });

  it('is not given away at something else than a listening socket; the log says so, and the rest goes on', async () => {
    await using stage = await setStage({ config: { kiosk: { listen: '127.0.0.1:0' } } });
    await using platen = startProgram(['run', '-c', stage.configFile], { sockets: { launch: 1 } });
    expect(await platen.logged('socket of systemd not used')).toMatchObject({ level: 'warn', key: 'launch' });
    await platen.logged('agent started');
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
          PATH: `${programs}:${process.env['PATH']}`,
          PLATEN_PAGE: page,
          RUNTIME_DIRECTORY: runtime,
          CREDENTIALS_DIRECTORY: credentials,
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
