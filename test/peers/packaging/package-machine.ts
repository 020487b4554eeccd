/** A Debian of its own on which a package of ours is installed, with a service and a printer that are none of it. */
import { cp } from 'node:fs/promises';
import type { BootedTree, BootOptions, Debian, DebianTree } from '../debian-tree.ts';
import { patience } from '../../support/patience.ts';
import { bootTree, openTree } from '../debian-tree.ts';

export const configFile = '/etc/platen/platen.yaml';

export interface PackageMachine extends AsyncDisposable {
  readonly tree: DebianTree;
  readonly machine: BootedTree;
  /** A shell script on it, as root; tells its standard output. Rejects when a line of it fails. */
  readonly sh: (script: string) => Promise<string>;
}

/** Gives the three answers, in the file that the package brings: what `platen simulate` listens at and takes. */
export const answer = `
sed -i -e 's|# baseUrl:.*|baseUrl: http://127.0.0.1:7300|' -e 's|# authUrl:.*|authUrl: http://127.0.0.1:7300|' \\
  -e 's|# serialNumber:.*|serialNumber: SN-0001|' -e 's|# printer:.*|printer: { uri: ipp://127.0.0.1:8631/ipp/print }|' \\
  ${configFile}
echo sample-api-key >/etc/platen/api-key`;

/** A tenth of a second after the other, until patience has run out. */
export const untilSeen = (condition: string): string => `
for turn in $(seq ${Math.ceil(patience() / 100)}); do
  ! { ${condition}; } || exit 0
  sleep 0.1
done
journalctl -q -u platen -o cat >&2
exit 1`;

/** Of this start of the service, not of one before. */
export const untilReady = untilSeen(
  `journalctl -q -o cat "_SYSTEMD_INVOCATION_ID=$(systemctl show -P InvocationID platen)" | grep -q '"msg":"terminal ready"'`,
);
/** For good: between two tries it is not "failed". */
export const untilFailed = untilSeen('systemctl -q is-failed platen');

interface MachineOptions extends BootOptions {
  /** Put into /root by these names. */
  readonly packages: Readonly<Record<string, string>>;
  /** The folder of a Platen for the service and the printer. */
  readonly program: string;
  readonly debian?: Debian;
}

export async function bootMachine({
  packages,
  program,
  debian,
  readOnly,
  ...options
}: MachineOptions): Promise<PackageMachine> {
  await using opening = new AsyncDisposableStack();
  const tree = opening.use(await openTree(debian));
  for (const [name, file] of Object.entries(packages)) await cp(file, `${tree.root}/root/${name}`);
  const machine = opening.use(
    await bootTree(tree, { ...options, readOnly: { ...readOnly, [program]: '/srv/platen' } }),
  );
  const sh = async (script: string): Promise<string> => (await machine.run('sh', '-euc', script)).stdout;
  await sh(`
    systemd-run -q --unit=cloud /srv/platen/tools/platen.js simulate cloud --approve at-once
    systemd-run -q --unit=printer /srv/platen/tools/platen.js simulate printer --output /run/printed
    mkfifo /run/badges
    systemd-run -q --unit=reader sh -c 'exec /srv/platen/tools/platen.js simulate reader --wait 10001 <>/run/badges'`);
  const listening = [7300, 8631, 10_001].map((port) => {
    const shown = port.toString(16).toUpperCase().padStart(4, '0');
    return `grep -q ':${shown} .* 0A ' /proc/net/tcp*`;
  });
  await sh(untilSeen(listening.join(' && ')));
  const opened = opening.move();
  return { tree, machine, sh, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** As configuration management leaves a machine on which the package is installed next. */
export async function answerBefore({ tree, sh }: PackageMachine): Promise<void> {
  await sh('mkdir /etc/platen');
  await cp('systemd/debian/platen.yaml', tree.root + configFile);
  await sh(answer);
}
