/**
 * The Debian package on a machine with a TPM: swtpm, which systemd's own code seals and unseals with. That systemd chooses
 * the TPM by itself takes a machine that was started by UEFI, so here it is told to.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { needsPeer } from '../../support/needs.ts';
import type { PeerProcess } from '../../support/process-group.ts';
import { startProcess, whenReady } from '../../support/process-group.ts';
import { needsTree } from '../debian-tree.ts';
import { makePackage, ownArchitecture } from './made-package.ts';
import type { PackageMachine } from './package-machine.ts';
import { bootMachine, untilReady } from './package-machine.ts';

const libraries = '/usr/lib/x86_64-linux-gnu';
const environment = { SYSTEMD_TPM2_DEVICE: 'swtpm:path=/srv/tpm/socket' };

/** In the place of systemd-creds: whoever starts it has another environment than systemd. */
const choice = `#!/bin/sh
export SYSTEMD_TPM2_DEVICE=${environment.SYSTEMD_TPM2_DEVICE}
[ "$1" != encrypt ] || { shift; set -- encrypt --with-key=host+tpm2 "$@"; }
exec /usr/bin/systemd-creds "$@"
`;

needsTree('in a Debian tree', () => {
  needsPeer('swtpm', 'swtpm')('swtpm', () => {
    needsPeer(`${libraries}/libtss2-esys.so.0`, 'libtss2-esys-3.0.2-0 libtss2-rc0')('a TPM', () => {
      let folder = '';
      let tpm: PeerProcess | undefined;
      let opened: PackageMachine;

      /** Each name is another chip. No driver of a kernel closes the sessions that systemd leaves open: it is switched off and on. */
      async function switchOn(name: string): Promise<void> {
        await tpm?.[Symbol.asyncDispose]();
        const state = join(folder, name);
        const socket = join(folder, 'tpm', 'socket');
        await mkdir(state, { recursive: true });
        const sockets = [
          '--server',
          `type=unixio,path=${socket}`,
          '--ctrl',
          `type=unixio,path=${socket}.ctrl`,
        ];
        const how = ['--tpm2', '--tpmstate', `dir=${state}`, '--flags', 'not-need-init,startup-clear'];
        await rm(socket, { force: true });
        const started = await startProcess('swtpm', ['socket', ...how, ...sockets], {});
        await whenReady('swtpm', () => expect(existsSync(socket)).toBe(true), started);
        tpm = started;
      }

      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'platen-tpm-'));
        const file = await makePackage(folder, ownArchitecture);
        await mkdir(join(folder, 'tpm'));
        await switchOn('first');
        opened = await bootMachine({
          packages: { 'platen.deb': file },
          program: join(folder, 'laid-out/opt/platen'),
          readOnly: { [join(folder, 'tpm')]: '/srv/tpm' },
          environment,
        });
        for (const library of globSync(`${libraries}/libtss2-*.so.*`))
          await cp(library, `${opened.tree.root}${libraries}/${basename(library)}`, { dereference: true });
        await writeFile(`${opened.tree.root}/usr/local/bin/systemd-creds`, choice, { mode: 0o755 });
      });
      afterAll(async () => {
        await opened?.[Symbol.asyncDispose]();
        await tpm?.[Symbol.asyncDispose]();
        await rm(folder, { recursive: true });
      });

      it('seals what init takes, and the agent starts with it (T19)', async () => {
        const { sh } = opened;
        await sh('dpkg -i /root/platen.deb; echo sample-api-key >/run/key');
        const said =
          await sh(`platen init --yes --base-url http://127.0.0.1:7300 --auth-url http://127.0.0.1:7300 \\
          --printer entrance=ipp://127.0.0.1:8631/ipp/print,serial=SN-0001 --reader tcp-connect:127.0.0.1:10001 --api-key-file /run/key --wait 10`);
        expect(said).toContain('cloud.apiKey: sealed, for this machine alone (host and TPM)');
        expect(said).toContain('Ready: entrance');
      });

      it('of another machine opens nothing of a copied disk, and with the key that was kept, as the guide says, it is the same terminal (T19)', async () => {
        const { sh } = opened;
        const identity = await sh('sha256sum /var/lib/platen/identity');
        await switchOn('first');
        const kept = await sh(
          'systemd-creds decrypt --name=sealing-key /etc/credstore.encrypted/sealing-key',
        );
        await switchOn('another');
        await sh('! systemctl restart platen');
        // EXIT_CREDENTIALS of systemd.exec(5): what to do then is in systemd/troubleshoot.md.
        expect(await sh('systemctl show platen -P ExecMainStatus')).toBe('243\n');
        await sh('systemctl stop platen');
        await switchOn('another');
        await sh(`cd /etc/credstore.encrypted
          printf %s '${kept}' | systemd-creds encrypt --name=sealing-key - sealing-key
          printf sample-api-key | systemd-creds encrypt --name=api-key - api-key
          systemctl start platen`);
        await sh(untilReady);
        expect(await sh('sha256sum /var/lib/platen/identity')).toBe(identity);
      });
    });
  });
});
