/** The processor time of a running process, user's and kernel's, as the kernel counts it (proc(5): stat, 14 and 15). */
import { readFileSync } from 'node:fs';

/** USER_HZ: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Seconds since its start. */
export function processorTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before it may hold blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
