/** The Debian package on Debian 13, with its systemd 257 and dpkg: one life of a machine, told in steps. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { needsTree } from '../debian-tree.ts';
import { makePackage, ownArchitecture } from './made-package.ts';
import type { PackageMachine } from './package-machine.ts';
import { bootMachine, configFile, untilReady, untilSeen } from './package-machine.ts';

const debian = 'Debian 13';

needsTree(
  'the package on Debian 13',
  () => {
    let folder = '';
    let opened: PackageMachine;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'platen-debian-13-'));
      const file = await makePackage(folder, ownArchitecture);
      opened = await bootMachine({
        packages: { 'platen.deb': file },
        program: join(folder, 'laid-out/opt/platen'),
        debian,
      });
    });
    afterAll(async () => {
      await opened?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    });

    it('is installed with units that systemd accepts without a word, and rates at most 1.7 (E.1)', async () => {
      const { machine, sh } = opened;
      expect(await sh('. /etc/os-release; echo $VERSION_ID; systemctl --version')).toMatch(
        /^13\nsystemd 257 /,
      );
      expect(await sh('dpkg -i /root/platen.deb')).toContain('three answers are wanted');
      const units = (await sh('dpkg -L platen | grep -E "^/usr/lib/systemd/system/.*[^@]\\.[a-z]+$"')).trim();
      expect((await machine.run('systemd-analyze', 'verify', ...units.split('\n'))).stderr).toBe('');
      await sh('systemd-analyze security --offline=yes --threshold=17 platen.service');
    });

    it('is set up with sealed secrets, approved, and lets a person’s documents out by a badge (I1, I2, T19)', async () => {
      const { sh } = opened;
      await sh('echo sample-api-key >/run/key');
      const said =
        await sh(`platen init --yes --base-url http://127.0.0.1:7300 --auth-url http://127.0.0.1:7300 \\
        --printer entrance=ipp://127.0.0.1:8631/ipp/print,serial=SN-0001 \\
        --reader tcp-connect:127.0.0.1:10001 --wait 10 --api-key-file /run/key`);
      expect(said).toContain('cloud.apiKey: sealed, for this machine alone (host');
      expect(said).toContain('Ready: entrance');
      const logged = (record: string) => untilSeen(`journalctl -q -u platen -o cat | grep -q '${record}'`);
      const tap = 'echo 04A1B2C3D4 >/run/badges';
      await sh(`${tap}; ${logged('"msg":"session opened"')}`);
      // The second time all of it is printed; a badge that lies there is one badge.
      await sh(`sleep 2; ${tap}; ${logged('"msg":"history accepted"')}`);
      expect(await sh('ls /run/printed')).not.toBe('');
    });

    it('takes a new configuration, refuses a wrong one visibly, and is ready after a kill (B.4, 11)', async () => {
      const { sh } = opened;
      await sh(`echo '# mine' >>${configFile}; systemctl reload platen`);
      await sh(
        `cp -p ${configFile} /root/well; echo 'colour: red' >>${configFile}; ! systemctl reload platen`,
      );
      expect(await sh('systemctl show platen -P StatusText')).toContain('Not reloaded');
      await sh(
        `cp -p /root/well ${configFile}; systemctl reload platen; systemctl kill --signal=KILL platen`,
      );
      await sh(untilSeen('[ "$(systemctl show platen -P NRestarts)" = 1 ]'));
      await sh(untilReady);
    });

    it('is removed and purged without a rest', async () => {
      const { sh } = opened;
      await sh('dpkg --remove platen');
      expect(await sh('ls /opt /usr/lib/systemd/system | grep -c platen || true')).toBe('0\n');
      expect(await sh(`ls ${configFile}`)).toBe(`${configFile}\n`);
      await sh('dpkg --purge platen');
      const rests = '/etc/platen /var/lib/platen /etc/systemd/system/*/platen* /etc/credstore.encrypted/*';
      expect(await sh(`ls -d ${rests} 2>/dev/null || true`)).toBe('');
    });
  },
  debian,
);
