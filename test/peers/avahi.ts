/**
 * A real avahi-daemon with a network and a D-Bus of its own, where the test announces what it likes: nobody outside
 * hears of it. Programs outside ask it through the socket of that bus.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, whenReady } from '../support/process-group.ts';

export interface Announcement {
  readonly name: string;
  readonly type: '_ipp._tcp' | '_ipps._tcp';
  readonly port: number;
  /** `key=value` */
  readonly txt: readonly string[];
}

export interface Avahi extends AsyncDisposable {
  /** Where all services are announced to be. */
  readonly address: string;
  /** What makes avahi's programs ask it. */
  readonly env: Readonly<Record<string, string>>;
}

const address = '10.9.8.7';

const busConfig = (socket: string) => `<busconfig><type>system</type><listen>unix:path=${socket}</listen>
<auth>EXTERNAL</auth><policy context="default"><allow user="*"/><allow own="*"/><allow eavesdrop="true"/>
<allow send_destination="*" eavesdrop="true"/></policy></busconfig>`;

const daemonConfig = `[server]
host-name=lab
use-ipv6=no
allow-interfaces=lab0
[publish]
publish-hinfo=no
publish-workstation=no
`;

// Avahi announces on an interface that is up and has a cable: one end of a pair.
const start = `set -e
ip link set lo up
ip link add lab0 type veth peer name lab1
ip addr add ${address}/24 dev lab0
ip link set lab0 up
ip link set lab1 up
mount -t tmpfs tmpfs /run
dbus-daemon --config-file="$LAB/bus.conf" --nofork --nopidfile &
until [ -e "$LAB/bus" ]; do sleep 0.02; done
avahi-daemon -f "$LAB/avahi.conf" --no-drop-root --no-chroot --no-rlimits &
until avahi-browse -at >/dev/null 2>&1; do sleep 0.05; done
for each in "$LAB"/service-*; do sh "$each" & done
wait
`;

/** Resolves when all of it is announced. */
export async function startAvahi(announcements: readonly Announcement[]): Promise<Avahi> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-avahi-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const bus = join(folder, 'bus');
  await writeFile(join(folder, 'bus.conf'), busConfig(bus));
  await writeFile(join(folder, 'avahi.conf'), daemonConfig);
  await writeFile(join(folder, 'start.sh'), start);
  for (const [at, { name, type, port, txt }] of announcements.entries()) {
    const words = [name, type, String(port), ...txt].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    await writeFile(join(folder, `service-${at}`), `exec avahi-publish-service ${words.join(' ')}\n`);
  }
  const env = { DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${bus}` };
  const lab = opening.use(
    await startProcess(
      'unshare',
      ['-n', '-m', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', join(folder, 'start.sh')],
      { ...env, LAB: folder, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    ),
  );
  // unshare does not hear SIGTERM.
  opening.defer(() => lab.signal('SIGKILL'));
  await whenReady(
    'avahi-daemon',
    () => {
      const established = lab.log().split('Established under name').length - 1;
      if (!existsSync(bus) || established < announcements.length) {
        throw new Error(`it announces ${established} of ${announcements.length}`);
      }
    },
    lab,
  );
  const running = opening.move();
  return { address, env, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
