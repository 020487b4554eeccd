/** The machine and the service around the agent, for a support bundle: versions, room, modes, the unit. */
import { lstatSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { isoInstant } from '../../core/clock.ts';
import { version } from '../../core/version.ts';
import { readIfPresent } from '../../store/files/durable-file.ts';
import { table } from '../terminal-text/table.ts';
import type { RunProgram } from '../program.ts';

export async function versionsText(run: RunProgram): Promise<string> {
  const packages = await run('dpkg-query', ['--show', ...aroundUs]);
  const { PRETTY_NAME: system } = releaseFile();
  return JSON.stringify(
    {
      platen: version,
      node: process.version,
      system,
      kernel: os.release(),
      architecture: process.arch,
      systemd: firstLine(await run('systemctl', ['--version'])),
      ghostscript: firstLine(await run('gs', ['--version'])),
      packages: packages?.split('\n').filter((line) => /\t./.test(line)),
    },
    undefined,
    2,
  );
}

/** Debian packages that a release may use. */
const aroundUs = [
  'platen',
  'systemd',
  'ghostscript',
  'qpdf',
  'cups',
  'cups-browsed',
  'ipp-usb',
  'pcscd',
  'libc6',
];

/** os-release(5) */
function releaseFile(): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    // Other systems than Linux have no such file.
    return { PRETTY_NAME: `${os.type()} ${os.version()}` };
  }
}

const firstLine = (text: string | undefined): string | undefined => text?.split('\n', 1)[0];

/** Addresses show the place of the gateway and explain no fault, so they are removed. */
export const ownAddresses = (): readonly string[] =>
  Object.values(os.networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal }) => !internal)
    .flatMap(({ address, mac }) => [address, mac]);

export function roomText(stateDir: string): string {
  const interfaces = Object.entries(os.networkInterfaces()).map(([name, addresses = []]) => ({
    name,
    families: [...new Set(addresses.map(({ family }) => family))],
    isLoopback: addresses.some(({ internal }) => internal),
  }));
  return JSON.stringify(
    {
      disk: diskAt(stateDir),
      memory: { total: os.totalmem(), free: os.freemem() },
      processors: os.cpus().length,
      load: os.loadavg(),
      uptimeSeconds: Math.round(os.uptime()),
      interfaces,
    },
    undefined,
    2,
  );
}

function diskAt(path: string): object | undefined {
  try {
    const { bsize, blocks, bavail, files, ffree } = statfsSync(path);
    return { octets: blocks * bsize, available: bavail * bsize, files, filesFree: ffree };
  } catch {
    // No agent has run here.
    return undefined;
  }
}

/** Modes, owners, sizes and names, but no content of files. Throws if there is no such directory. */
export function stateListing(stateDir: string): string {
  const rows = ['.', ...readdirSync(stateDir, { recursive: true, encoding: 'utf8' })]
    .toSorted()
    .flatMap((name) => {
      // A spooled document or a journal file may have disappeared meanwhile.
      const file = lstatSync(join(stateDir, name), { throwIfNoEntry: false });
      if (!file) return [];
      const { mode, uid, gid, size, mtimeMs } = file;
      return [[mode.toString(8), `${uid}:${gid}`, String(size), isoInstant(mtimeMs), name]];
    });
  return table([['MODE', 'OWNER', 'OCTETS', 'CHANGED', 'NAME'], ...rows]);
}

const starts = z.array(z.number());

/** The last starts of the agent, from the file of `store/files/crash-notes.ts`. */
export function startsText(stateDir: string): string {
  const kept = readIfPresent(join(stateDir, 'starts.json'));
  if (!kept) return 'none since it was stopped normally\n';
  return starts
    .parse(JSON.parse(kept.toString('utf8')))
    .map((at) => `${isoInstant(at)}\n`)
    .join('');
}

/** Without the environment and the command line, because the administrator may have put secrets there. */
const properties = [
  'LoadState',
  'UnitFileState',
  'ActiveState',
  'SubState',
  'Result',
  'StatusText',
  'NRestarts',
  'User',
  'ExecMainStartTimestamp',
  'ExecMainExitTimestamp',
  'ExecMainCode',
  'ExecMainStatus',
  'WatchdogUSec',
  'MemoryCurrent',
  'MemoryPeak',
  'TasksCurrent',
  'CPUUsageNSec',
  'FragmentPath',
  'DropInPaths',
];

/** Rejects if systemd does not answer. */
export async function unitText(run: RunProgram): Promise<string> {
  const said = await run('systemctl', ['show', 'platen.service', `--property=${properties.join(',')}`]);
  if (!said?.includes('=')) throw new Error('systemd does not answer here');
  return said;
}
