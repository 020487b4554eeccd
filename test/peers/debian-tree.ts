/**
 * A Debian of its own for a test, 12 unless said: `openTree` lends a copy of the minimal tree that `tools/setup --peers` made
 * once, with systemd and dbus but without network; `bootTree` starts it with its real systemd as pid 1. The copy is an
 * overlay in memory and in a mount namespace of its own: of a test that was killed nothing is left but empty folders.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needsNamespaces, needsPeer } from '../support/needs.ts';
import type { PeerProcess } from '../support/process-group.ts';
import { startProcess, whenReady } from '../support/process-group.ts';
import { eventually } from '../support/patience.ts';

const execute = promisify(execFile);

export const originals = {
  'Debian 12': '/var/cache/platen-test/debian-tree-with-fonts',
  'Debian 13': '/var/cache/platen-test/debian-13-tree',
  // Made where it is first asked for (machines/windows.ts).
  'Debian 13 with wine': '/var/cache/platen-test/debian-13-wine',
  // With a kernel, readers of smart cards and a screen; made where it is first asked for (machines/whole-machine.ts).
  'a whole Debian 12': '/var/cache/platen-test/debian-machine',
  'a whole Debian 12 of arm64': '/var/cache/platen-test/debian-machine-arm64',
} as const;
export type Debian = keyof typeof originals;

const ready = 'held\n';
const environment = [
  'env',
  '-i',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'LC_ALL=C.UTF-8',
];

export interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program, by its name or path; rejects with `code`, `stdout` and `stderr` when it exits with another status
 * than 0.
 */
type Run = (program: string, ...args: readonly string[]) => Promise<Said>;

export interface DebianTree extends AsyncDisposable {
  /**
   * Its root folder as this process sees it: files are put there and read from there. Not for other programs' symbolic
   * links.
   */
  readonly root: string;
  /** What differs from the original, as an overlay's upper folder has it. */
  readonly changes: string;
  /** As root inside it, while it is not booted: with processes of its own and without network. */
  readonly run: Run;
  /** The process that holds its mounts. */
  readonly holder: number;
}

export interface BootedTree extends AsyncDisposable {
  /** As root inside it: `systemctl`, `journalctl`, `dpkg`. */
  readonly run: Run;
  /** Its pid 1 as the machine outside numbers it. */
  readonly pid: number;
  /** What the console showed. */
  log(): string;
}

/** `describe` for a suite that needs the tree; skipped by name where it is not to be had, in CI a failure. */
export function needsTree(suiteName: string, suite: () => void, debian: Debian = 'Debian 12'): void {
  const original = originals[debian];
  needsNamespaces()('with namespaces of its own', () =>
    existsSync(original)
      ? needsPeer('systemd-nspawn', 'systemd-container')(suiteName, suite)
      : needsPeer(original, 'mmdebstrap, and run tools/setup --peers')(suiteName, suite),
  );
}

// Memory for what is changed: no folder on a disk need bear an overlay. /run: what systemd-nspawn leaves there. Held until
// standard input ends, which it does whatever becomes of the test.
const hold = `
mount -t tmpfs -o mode=0755 tmpfs "$1"
cd "$1"
mkdir upper work root
mount -t overlay -o lowerdir="$2",upperdir=upper,workdir=work overlay root
: >root/etc/machine-id
mount -t tmpfs tmpfs /run
printf '${ready}'
exec cat
`;

/** A copy of the tree, as `mmdebstrap --variant=minbase` made it. About 20 ms. */
export async function openTree(debian: Debian = 'Debian 12'): Promise<DebianTree> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-tree-'));
  const held = spawn('unshare', ['-m', 'sh', '-euc', hold, 'hold', folder, originals[debian]], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { pid } = held;
  const [said] = await Promise.race([once(held.stdout, 'data'), once(held, 'exit')]);
  if (pid === undefined || String(said) !== ready)
    throw new Error('peer not ready: the Debian tree cannot be mounted');
  const root = join(folder, 'root');
  return {
    root: `/proc/${pid}/root${root}`,
    changes: `/proc/${pid}/root${folder}/upper`,
    holder: pid,
    run: (program, ...args) =>
      execute('nsenter', [
        '-t',
        String(pid),
        '-m',
        'unshare',
        '-m',
        '-n',
        '--pid',
        '--fork',
        '--kill-child',
        `--mount-proc=${root}/proc`,
        'chroot',
        root,
        ...environment,
        program,
        ...args,
      ]),
    async [Symbol.asyncDispose]() {
      const ended = once(held, 'exit');
      held.stdin.end();
      await ended;
      await rmdir(folder);
    },
  };
}

// Two systems of one control group would end each other's processes; where a machine has several hierarchies, systemd looks
// at these two. It is shut down when the test ends, whatever becomes of that.
const boot = `
for top in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; do
  [ -e $top/cgroup.procs ] || continue
  mkdir $top/$NAME
  echo $$ >$top/$NAME/cgroup.procs
done
exec setpriv --pdeathsig TERM systemd-nspawn -q -b --register=no --keep-unit --private-network --console=pipe "$@"
`;

const sweep = `
for top in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; do
  [ -d $top/$NAME ] || continue
  find $top/$NAME -depth -type d -exec rmdir {} +
done
`;

export interface BootOptions {
  /** Folders of the machine to be seen inside, and where. */
  readonly readOnly?: Readonly<Record<string, string>>;
  /** Of its systemd, and so of what that does itself. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the tree's own systemd; resolves when all it starts by itself has started. */
export async function bootTree(
  tree: DebianTree,
  { readOnly = {}, environment: given = {} }: BootOptions = {},
): Promise<BootedTree> {
  const folder = tree.root.slice(`/proc/${tree.holder}/root`.length);
  const name = `platen-${tree.holder}`;
  const binds = Object.entries(readOnly).map(([outside, inside]) => `--bind-ro=${outside}:${inside}`);
  const variables = Object.entries(given).map(([variable, value]) => `--setenv=${variable}=${value}`);
  const how = ['-D', folder, '-M', name, ...binds, ...variables];
  const machine = await startProcess(
    'nsenter',
    ['-t', String(tree.holder), '-m', 'sh', '-euc', boot, 'boot', ...how],
    { NAME: name },
  );
  const run: Run = async (program, ...args) => {
    const init = await pidOfInit(machine);
    const enter = ['-t', String(init), '-m', '-p', '-n', '-u', '-i', '-C'];
    return execute('nsenter', [...enter, ...environment, program, ...args]);
  };
  const end = async () => {
    // With its pid 1 all processes of it end, and systemd-nspawn then.
    if (!machine.hasExited()) process.kill(await pidOfInit(machine), 'SIGKILL');
    await machine[Symbol.asyncDispose]();
    await eventually(() => execute('sh', ['-euc', sweep], { env: { NAME: name } }));
  };
  try {
    await whenReady(
      'a Debian with systemd',
      async () => {
        // Waits until all has started; "degraded" is said with exit status 1, as is that there is no systemd yet.
        const said = await run('systemctl', '--wait', 'is-system-running').catch((failed: Said) => failed);
        if (!/running|degraded/.test(said.stdout)) throw new Error(`it is not running: ${said.stderr}`);
      },
      machine,
    );
    return { run, pid: await pidOfInit(machine), log: () => machine.log(), [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** systemd-nspawn has one child: the pid 1 of the machine. */
async function pidOfInit({ pid }: PeerProcess): Promise<number> {
  const init = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ')[0];
  if (!init) throw new Error('the machine has no pid 1 yet');
  return Number(init);
}
