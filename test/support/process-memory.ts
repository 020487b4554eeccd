/**
 * Which texts, or octets, stand anywhere in the memory of a process. Looked for by another one: it takes a while, and ours has a
 * stage to run.
 */
import { execFile } from 'node:child_process';
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
