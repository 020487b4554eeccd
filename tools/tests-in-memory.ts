/**
 * Tests keep their files in memory where the machine has room: what is written and in which order is the same there, and
 * what a killed process leaves too; but nobody waits for a disk, at which a sixth of the time went. Tests of a disk bring
 * their own, and those of the project `alone` are on the machine's.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';

const memory = '/dev/shm';
/** Octets: several times what lies there at once. */
const roomWanted = 4 * 2 ** 30;

export default function setUp(): (() => void) | undefined {
  if (!isFit()) return undefined;
  const folder = mkdtempSync(`${memory}/tests-`);
  // As /tmp: some programs that tests start are other users'.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** A container's is often small, and programs may not run from everywhere. */
function isFit(): boolean {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, at]) => at === memory);
    const { bavail, bsize } = statfsSync(memory);
    return (
      mounted?.[2] === 'tmpfs' && !mounted[3]?.split(',').includes('noexec') && bavail * bsize >= roomWanted
    );
  } catch {
    return false;
  }
}
