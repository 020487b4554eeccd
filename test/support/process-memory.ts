/**
 * The memory of a process: how large it is, and which texts or octets are anywhere in it. Another process searches it,
 * because that takes a while, and ours has a stage to run.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const search = fileURLToPath(new URL('memory-search.ts', import.meta.url));

export async function foundInMemory(
  pid: number | undefined,
  canaries: Readonly<Record<string, string>>,
  /** Looked for as they are. */
  octets: Readonly<Record<string, Buffer>> = {},
): Promise<readonly string[]> {
  const inHex = Object.entries(octets).map(([what, some]) => [what, some.toString('hex')] as const);
  const asked = [search, String(pid), JSON.stringify(canaries), JSON.stringify(Object.fromEntries(inHex))];
  const { stdout } = await promisify(execFile)(process.execPath, asked);
  return JSON.parse(stdout) as readonly string[];
}

export interface ProcessMemory {
  /** VmRSS: all that is in memory, shared libraries and the program text of node included. */
  readonly resident: number;
  /** RssAnon: the process's own, heaps and stacks. */
  readonly anonymous: number;
  /** VmHWM: the highest `resident` since the start, or since `forgetPeak`. */
  readonly peak: number;
}

/** The memory of a running process as the kernel counts it (proc(5): status, clear_refs). All figures are bytes. */
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
