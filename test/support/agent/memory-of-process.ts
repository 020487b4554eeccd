/** The memory of a running process as the kernel counts it (proc(5): status, clear_refs). All figures are bytes. */
import { readFileSync, writeFileSync } from 'node:fs';

export interface ProcessMemory {
  /** VmRSS: all that is in memory, shared libraries and the program text of node included. */
  readonly resident: number;
  /** RssAnon: the process's own, heaps and stacks. */
  readonly anonymous: number;
  /** VmHWM: the highest `resident` since the start, or since `forgetPeak`. */
  readonly peak: number;
}

export function memoryOf(pid: number): ProcessMemory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number => {
    const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no ${name}`);
    return Number(kibibytes) * 1024;
  };
  return { resident: field('VmRSS'), anonymous: field('RssAnon'), peak: field('VmHWM') };
}

/** The peak begins anew at what is resident now. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');
