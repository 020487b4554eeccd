/** Another user of the machine can neither keep the agent from its work nor stand in for it (reliability.md D13, T03, T19). */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { lockInstance } from '../../src/store/instance-lock.ts';
import { needsNamespaces, needsRoot } from '../peers/availability.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
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
