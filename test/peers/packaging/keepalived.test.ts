/**
 * The floating address of `systemd/keepalived/` follows the gateway that serves the terminal (F11): the real keepalived
 * with the files as they are, on two machines of their own network each, and a reader on a third that dials in.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleMetrics } from '../../support/sample-metrics.ts';
import { needsNamespaces, needsPeer } from '../../support/needs.ts';
import type { PeerProcess } from '../../support/process-group.ts';
import { startProcess } from '../../support/process-group.ts';

const address = '10.0.0.50';
const examples = new URL('../../../systemd/keepalived/', import.meta.url).pathname;
const path = { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...path },
  });

/** A cable from each machine to a switch. */
function layNetwork(opened: AsyncDisposableStack) {
  const name = (of: string) => `platen-${process.pid}-${of}`;
  const inside = (of: string, ...args: readonly string[]) => run('ip', 'netns', 'exec', name(of), ...args);
  const machines = ['a', 'b', 'reader'] as const;
  for (const one of ['switch', ...machines]) {
    run('ip', 'netns', 'add', name(one));
    opened.defer(() => void run('ip', 'netns', 'del', name(one)));
    inside(one, 'ip', 'link', 'set', 'lo', 'up');
  }
  inside('switch', 'ip', 'link', 'add', 'br0', 'type', 'bridge');
  inside('switch', 'ip', 'link', 'set', 'br0', 'up');
  for (const [place, one] of machines.entries()) {
    inside(
      'switch',
      'ip',
      'link',
      'add',
      `p${place}`,
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'netns',
      name(one),
    );
    inside('switch', 'ip', 'link', 'set', `p${place}`, 'master', 'br0', 'up');
    inside(one, 'ip', 'addr', 'add', `10.0.0.1${place}/24`, 'dev', 'eth0');
    inside(one, 'ip', 'link', 'set', 'eth0', 'up');
  }
  return { name, inside };
}

type Network = ReturnType<typeof layNetwork>;

interface Machine {
  /** Its Platen serves the terminal from now on, or no more. */
  serves(yes: boolean): Promise<void>;
  /** It loses its power. */
  die(): void;
}

async function startMachine(
  one: 'a' | 'b',
  network: Network,
  opened: AsyncDisposableStack,
): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-keepalived-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  run('chmod', '755', folder);
  for (const file of ['keepalived.conf', 'platen-serves'])
    copyFileSync(join(examples, file), join(folder, file));
  const metrics = await sampleMetrics().text();
  const serves = async (yes: boolean): Promise<void> =>
    writeFileSync(
      join(folder, 'metrics'),
      yes ? metrics : metrics.replace(/^platen_terminal_ready.*$/gm, ''),
    );
  await serves(false);

  const start = async (...command: readonly string[]): Promise<PeerProcess> =>
    opened.use(await startProcess('ip', ['netns', 'exec', network.name(one), ...command], path));
  // What Platen tells of itself, and where it would take a reader's call.
  const platen = await start('busybox', 'httpd', '-f', '-p', '127.0.0.1:7381', '-h', folder);
  const door = await start('socat', 'TCP-LISTEN:7382,fork,reuseaddr', `SYSTEM:echo gateway ${one}`);
  const own = `mount -t tmpfs none /run && mount --bind ${folder} /etc/keepalived && exec keepalived --dont-fork --log-console --vrrp`;
  const vrrp = await start('unshare', '-m', '--pid', '--fork', '--kill-child', 'sh', '-c', own);
  return { serves, die: () => [platen, door, vrrp].forEach((process) => process.signal('SIGKILL')) };
}

needsPeer('keepalived', 'keepalived')('a floating address', () => {
  needsPeer('busybox', 'busybox-static')('for a reader', () => {
    needsNamespaces()('that dials in', () => {
      it('F11: is at the gateway that serves the terminal, wherever that goes, also when a gateway dies', async () => {
        await using opened = new AsyncDisposableStack();
        const network = layNetwork(opened);
        const a = await startMachine('a', network, opened);
        const b = await startMachine('b', network, opened);
        const call = (): string => {
          try {
            return network
              .inside('reader', 'socat', '-T1', '-', `TCP:${address}:7382,connect-timeout=1`)
              .trim();
          } catch {
            return 'nobody';
          }
        };
        await a.serves(true);
        await expect.poll(call).toBe('gateway a');

        await a.serves(false);
        await b.serves(true);
        await expect.poll(call).toBe('gateway b');

        await b.serves(false);
        await a.serves(true);
        await expect.poll(call).toBe('gateway a');

        a.die();
        await b.serves(true);
        await expect.poll(call).toBe('gateway b');
      });
    });
  });
});
