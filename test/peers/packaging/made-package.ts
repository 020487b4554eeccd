/** The Debian package of these sources, for a test: not compressed, which takes a hundredth of the time. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DebianOrder } from '../../../tools/package-deb.ts';
import { layOut, pack } from '../../../tools/package-deb.ts';
import type { Architecture } from '../../../tools/package-modules.ts';

export const ownArchitecture: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';

/** A build puts another folder in the place of `dist`: nobody is to copy or to build it meanwhile. */
export const distLock = 'node_modules/.dist.lock';

/** Lays it out in the folder, below `laid-out`, and writes it there; tells its path. */
export async function makePackage(folder: string, architecture: Architecture): Promise<string> {
  await buildOnce();
  await using _copying = await holdDist('--shared');
  layOut(join(folder, 'laid-out'), orderOf(architecture));
  return pack(join(folder, 'laid-out'), folder, orderOf(architecture));
}

export const orderOf = (architecture: Architecture): DebianOrder => ({
  architecture,
  version: '1.0.0',
  epoch: 1_700_000_000,
  compression: 'none',
});

/** The workers of a run have one parent, and the sources are the same for all of them. */
async function buildOnce(): Promise<void> {
  await using _alone = await holdDist('--exclusive');
  const run = String(process.ppid);
  if (readFileSync(distLock, 'utf8') === run) return;
  // With NODE_ENV of the tests the page would be larger than it is.
  const { NODE_ENV: _, ...env } = process.env;
  execFileSync('npm', ['run', '--silent', 'build'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(distLock, run);
}

async function holdDist(how: '--shared' | '--exclusive'): Promise<AsyncDisposable> {
  const held = spawn('flock', [how, distLock, 'sh', '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(held.stdout, 'data');
  return {
    async [Symbol.asyncDispose]() {
      const ended = once(held, 'exit');
      held.stdin.end();
      await ended;
    },
  };
}
