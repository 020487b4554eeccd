/**
 * Tests against real programs. Where the program cannot be had they are skipped by name, with the reason; in CI, where
 * it must be there, that is a failure.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';

/** `describe` for a suite that needs the program: `needsPeer('socat', 'socat')('a reader on a pty', () => …)`. */
export function needsPeer(program: string, debianPackage: string): (name: string, suite: () => void) => void {
  if (isInstalled(program)) return describe;
  const reason = `${program} is missing: apt-get install ${debianPackage}`;
  if (process.env['CI']) throw new Error(reason);
  const { skip } = describe;
  return (name, suite) => skip(`${name} (${reason})`, suite);
}

// cupsd, snmpd and their like live where not every user's path leads.
const isInstalled = (program: string): boolean =>
  [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin'].some((folder) =>
    existsSync(join(folder, program)),
  );
