/**
 * A real pcscd with two virtual readers of vsmartcard, in namespaces of its own: its readers listen on all addresses and
 * its socket has one place only. The socket and the way to the first reader stand in a folder outside, so that the
 * agent and the cards need not go in.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SmartCard } from '../../src/simulator/reader/smart-card.ts';
import { laySmartCard } from '../../src/simulator/reader/smart-card.ts';
import { needsNamespaces, needsPeer } from '../support/needs.ts';
import type { PeerProcess } from '../support/process-group.ts';
import { startProcess, whenReady } from '../support/process-group.ts';

export interface Pcscd extends AsyncDisposable {
  readonly socket: string;
  start(): Promise<void>;
  /** Without a word to anybody. */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT to pcscd itself. */
  signal(signal: NodeJS.Signals): void;
  lay(card: { uid?: string }): Promise<SmartCard>;
}

const driver = '/usr/lib/pcsc/drivers/serial/libifdvpcd.so';
const packages = 'pcscd vsmartcard-vpcd socat iproute2';

const inside = `
  ip link set lo up
  mount -t tmpfs none /run
  mkdir /run/pcscd
  mount --bind "$OUTSIDE/run" /run/pcscd
  rm -f /run/pcscd/*
  socat "UNIX-LISTEN:$OUTSIDE/run/slot,fork" TCP:127.0.0.1:35963 &
  exec pcscd --foreground --info --config "$OUTSIDE/conf"`;

const reader = `FRIENDLYNAME "Virtual PCD"
DEVICENAME /dev/null:0x8C7B
LIBPATH ${driver}
CHANNELID 0x8C7B
`;

/** `describe` for a suite that needs it; skipped by name where that is not to be had, in CI a failure. */
export function needsPcscd(name: string, suite: () => void): void {
  needsPeer(driver, packages)(name, () => needsNamespaces()('in namespaces of its own', suite));
}

/** Not started yet. */
export async function createPcscd(): Promise<Pcscd> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-vpcd-'));
  const socket = join(folder, 'run', 'pcscd.comm');
  await mkdir(join(folder, 'run'));
  await mkdir(join(folder, 'conf'));
  await writeFile(join(folder, 'conf', 'vpcd'), reader);
  let outer: PeerProcess | undefined;
  /** The process id of pcscd itself. */
  let inner = 0;

  const kill = async (): Promise<void> => {
    const ending = outer;
    // unshare does not hear SIGTERM.
    ending?.signal('SIGKILL');
    await ending?.exited;
  };

  return {
    socket,
    async start() {
      const args = ['-n', '-m', '--pid', '--fork', '--kill-child', 'sh', '-ec', inside];
      const path = `${process.env['PATH']}:/usr/sbin:/sbin`;
      const started = await startProcess('unshare', args, { OUTSIDE: folder, PATH: path });
      outer = started;
      await whenReady(
        'pcscd',
        () => {
          if (!started.log().includes('daemon ready')) throw new Error('it has not said so');
          if (!existsSync(join(folder, 'run', 'slot'))) throw new Error('there is no way to its reader');
        },
        started,
      );
      inner = Number((await promisify(execFile)('pgrep', ['-P', String(started.pid)])).stdout);
    },
    kill,
    signal(name) {
      process.kill(inner, name);
    },
    lay: (card) => laySmartCard({ path: join(folder, 'run', 'slot') }, card),
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
