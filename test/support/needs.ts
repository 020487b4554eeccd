/**
 * Tests against real programs. Where the program cannot be had they are skipped by name, with the reason; in CI, where
 * it must be there, that is a failure.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { describe } from 'vitest';

type Describe = (name: string, suite: () => void) => void;

/**
 * `describe` for a suite that needs the program, which is a name or a path: `needsPeer('socat', 'socat')('a reader on a
 * pty', () => …)`.
 */
export const needsPeer = (program: string, debianPackage: string): Describe =>
  describeUnless(
    isInstalled(program) ? undefined : `${program} is missing: apt-get install ${debianPackage}`,
  );

/** `describe` for a suite that acts as several users of the machine. */
export const needsRoot = (): Describe =>
  describeUnless(process.getuid?.() === 0 ? undefined : 'only root may act as other users');

/** `describe` for a suite that runs programs with mounts, processes or a network of their own. */
export const needsNamespaces = (): Describe =>
  describeUnless(mayUnshare() ? undefined : 'only root may make namespaces');

/** `describe` for a suite that reaches this computer as from elsewhere. */
export const needsOwnAddress = (): Describe =>
  describeUnless(ownAddress() === '' ? 'this computer has no address besides loopback' : undefined);

/** Of this computer, not of loopback; empty where it has none. */
export const ownAddress = (): string =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '';

function mayUnshare(): boolean {
  try {
    execFileSync('unshare', ['-n', '-m', '--pid', '--fork', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function describeUnless(reason: string | undefined): Describe {
  if (reason === undefined) return describe;
  if (process.env['CI']) throw new Error(reason);
  const { skip } = describe;
  return (name, suite) => skip(`${name} (${reason})`, suite);
}

// cupsd, snmpd and their like live where not every user's path leads; a library counts as a program.
const isInstalled = (program: string): boolean =>
  [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin', ...globSync('/usr/lib/*-linux-gnu')].some(
    (folder) => existsSync(resolve(folder, program)),
  );
