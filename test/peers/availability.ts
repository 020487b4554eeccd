/**
 * Tests against real programs. Where the program cannot be had they are skipped by name, with the reason; in CI, where
 * it must be there, that is a failure.
 */
import { existsSync, globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from 'vitest';

/** `describe` for a suite that needs the program, which is a name or a path: `needsPeer('socat', 'socat')('a reader on a pty', () => …)`. */
export function needsPeer(program: string, debianPackage: string): (name: string, suite: () => void) => void {
  if (isInstalled(program)) return describe;
  const reason = `${program} is missing: apt-get install ${debianPackage}`;
  if (process.env['CI']) throw new Error(reason);
  const { skip } = describe;
  return (name, suite) => skip(`${name} (${reason})`, suite);
}

// cupsd, snmpd and their like live where not every user's path leads; a library counts as a program.
const isInstalled = (program: string): boolean =>
  [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin', ...globSync('/usr/lib/*-linux-gnu')].some(
    (folder) => existsSync(resolve(folder, program)),
  );
