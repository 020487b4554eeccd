/**
 * The service as systemd/install makes it, under the systemd of Debian 12 as pid 1. One life of it, told in steps: each
 * begins where the one before has ended. The watchdog's time is 3 s, all else is as it is shipped.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { unitAccess } from '../../../src/commands/check/unit-access.ts';
import type { BootedTree, DebianTree } from '../debian-tree.ts';
import { bootTree, needsTree, openTree } from '../debian-tree.ts';
import { eventually } from '../../support/patience.ts';

const long = 90_000;
/** What waits for a mended configuration. */
const mended = ['platen-mended.path', 'platen-mended.timer'];

/** What keeps the listeners' addresses. */
const addresses = ['platen-page.socket', 'platen-operations.socket', 'platen-launch.socket'];

/** Nobody is at the addresses: a gateway whose cloud and printer are away has to start, and to stay, all the same. */
const config = stringify({
  cloud: {
    baseUrl: 'https://127.0.0.1:1',
    authUrl: 'https://127.0.0.1:1',
    apiKey: { credential: 'api-key' },
  },
  terminals: [
    { id: 'lobby', serialNumber: 'SN-1', printer: { uri: 'ipp://127.0.0.1:2/ipp/print' }, readers: [] },
  ],
});

const node = '/opt/platen/node_modules/.bin/node';
/** Tries to have the address of the page, until it is ended. */
const grab = [
  node,
  '-e',
  `let [tries, got] = [0, 0];
  const { createServer } = require('node:net');
  process.on('SIGTERM', () => process.exit(console.log('tried ' + tries + ' times, got ' + got)));
  (function attempt() {
    tries += 1;
    const server = createServer().on('error', () => setImmediate(attempt));
    server.listen(7380, '127.0.0.1', () => {
      got += 1;
      server.close(attempt);
    });
  })();`,
];

needsTree('the service under systemd', () => {
  let tree: DebianTree;
  let machine: BootedTree;

  beforeAll(async () => {
    tree = await openTree();
    machine = await bootTree(tree, { readOnly: { [process.cwd()]: '/opt/platen' } });
    await machine.run('sh', '/opt/platen/systemd/install');
    const dropIns = join(tree.root, 'etc/systemd/system/platen.service.d');
    await mkdir(dropIns);
    await writeFile(join(dropIns, 'short.conf'), '[Service]\nWatchdogSec=3\n');
    await machine.run('systemctl', 'daemon-reload');
  }, long);

  afterAll(async () => {
    await machine?.[Symbol.asyncDispose]();
    await tree?.[Symbol.asyncDispose]();
  }, long);

  const systemctl = (...words: readonly string[]) => machine.run('systemctl', ...words);

  async function properties(unit = 'platen'): Promise<Readonly<Record<string, string>>> {
    const { stdout } = await systemctl('show', unit);
    return Object.fromEntries(
      stdout.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  const becomes = (expected: Readonly<Record<string, unknown>>, unit?: string) =>
    eventually(async () => expect(await properties(unit)).toMatchObject(expected));

  /** Written beside it and moved there, as editors and configuration management do. */
  async function configure(text: string): Promise<void> {
    const file = join(tree.root, 'etc/platen/platen.yaml');
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  }

  /** What platen-kiosk.service has by its `LoadCredential=`; rejects where it would not start. */
  const asKiosk = async () => {
    const credential = /^LoadCredential=.*$/m.exec(
      await readFile('systemd/platen-kiosk.service', 'utf8'),
    )?.[0];
    const unit = ['--pipe', '--wait', '--quiet', '--property=DynamicUser=yes', `--property=${credential}`];
    return machine.run('systemd-run', ...unit, 'sh', '-c', 'cat "$CREDENTIALS_DIRECTORY/launch"');
  };

  it('is made of units that systemd accepts without a word, and rates at most 1.7 (E.1)', async () => {
    const units = ['platen.service', ...addresses, 'platen-port@page.service', ...mended].map(
      (unit) => `/etc/systemd/system/${unit}`,
    );
    // systemd-analyze tells unknown keys on standard error and exits with 0.
    expect((await machine.run('systemd-analyze', 'verify', ...units)).stderr).toBe('');
    const rated = ['--offline=yes', '--threshold=17', '/etc/systemd/system/platen.service'];
    await machine.run('systemd-analyze', 'security', ...rated);
  });

  it('lets the agent know which addresses are its own (T11)', async () => {
    const { RestrictAddressFamilies: families } = await properties();
    const ask = "process.stdout.write(Object.keys(require('node:os').networkInterfaces()).join())";
    const unit = ['--wait', '--pipe', '--quiet', '-p', `RestrictAddressFamilies=${families}`];
    expect((await machine.run('systemd-run', ...unit, node, '-e', ask)).stdout).toContain('lo');
  });

  it('gives the agent its readers, as platen check knows by systemctl', async () => {
    const ask = async (program: string, args: readonly string[]) =>
      (await machine.run(program, ...args)).stdout;
    const { groups, devices } = (await unitAccess(ask)) ?? {};
    expect(groups).toEqual(['dialout']);
    // systemd adds its own: the clock's, and that of a TPM for the credentials.
    expect(devices).toEqual(expect.arrayContaining(['char-ttyUSB', 'char-ttyACM', 'char-ttyS']));
    expect(devices).not.toContain('char-hidraw');
  });

  it(
    'a wrong configuration ends it with 78, once and not in a loop; mended, it comes by itself (B.4, 11)',
    async () => {
      await configure(config.replace('baseUrl', 'basUrl'));
      await expect(systemctl('start', 'platen')).rejects.toMatchObject({ code: 1 });
      await becomes({ ActiveState: 'failed', ExecMainStatus: '78', NRestarts: '0' });
      for (const unit of mended) await becomes({ ActiveState: 'active' }, unit);
      // Who stops it means it, whatever is changed afterwards.
      await systemctl('stop', 'platen');
      for (const unit of mended) expect(await properties(unit)).toMatchObject({ ActiveState: 'inactive' });
      await expect(systemctl('start', 'platen')).rejects.toMatchObject({ code: 1 });
      await becomes({ ActiveState: 'active' }, 'platen-mended.path');
      await mkdir(join(tree.root, 'etc/credstore.encrypted'));
      const key = '/etc/credstore.encrypted/api-key';
      await machine.run('sh', '-c', `printf k3y | systemd-creds encrypt --name=api-key - ${key}`);
      await configure(config);
      await becomes({ ActiveState: 'active', SubState: 'running' });
      for (const unit of mended) await becomes({ ActiveState: 'inactive' }, unit);
      // What platen-kiosk.service, which comes after it, cannot do without at the very first start.
      const secret = await readFile(join(tree.root, 'var/lib/platen/kiosk-launch'), 'utf8');
      expect((await asKiosk()).stdout).toBe(`http://127.0.0.1:7380\n${secret}`);
    },
    long,
  );

  it(
    'reads its configuration, and may not change it (T26)',
    async () => {
      const { MainPID = '' } = await properties();
      const asService = 'setpriv --reuid=platen --regid=platen --init-groups';
      const inside = async (script: string) =>
        (await machine.run('nsenter', '-t', MainPID, '-m', 'sh', '-c', script)).stdout;
      expect(await inside(`${asService} head -c 5 /etc/platen/platen.yaml`)).toBe('cloud');
      const changed = [
        'echo >>/etc/platen/platen.yaml',
        'touch /etc/platen/x',
        'mv /etc/platen/api-key /tmp',
      ];
      for (const script of changed) {
        expect(await inside(`${asService} sh -c '${script}' 2>/dev/null || echo no`)).toBe('no\n');
      }
      // Not even whoever became root in there.
      expect(await inside('touch /etc/platen/x 2>&1 || true')).toContain('Read-only file system');
    },
    long,
  );

  it(
    'says in words how it is, to whoever asks systemctl',
    async () => {
      await becomes({ StatusText: expect.stringContaining('Not ready: 0 of 1 terminals. ') });
      // A container's health check asks the same agent at the same place.
      const [, check = '[]'] =
        /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(await readFile('systemd/container/Containerfile', 'utf8')) ??
        [];
      const [program = '', ...args] = JSON.parse(check) as string[];
      await expect(machine.run(program, ...args)).resolves.toMatchObject({ stderr: '' });
    },
    long,
  );

  it(
    'a reload fails visibly where the new file is wrong, and the agent goes on; mended, it is well (B.4, 11)',
    async () => {
      const { MainPID } = await properties();
      await systemctl('reload', 'platen');
      await configure(`colour: red\n${config}`);
      await expect(systemctl('reload', 'platen')).rejects.toMatchObject({ code: 1 });
      expect(await properties()).toMatchObject({
        ActiveState: 'active',
        MainPID,
        StatusText: expect.stringContaining(
          'Not reloaded, the earlier configuration is still used: /etc/platen/platen.yaml:1: colour',
        ),
      });
      const { stdout } = await machine.run('journalctl', '-u', 'platen', '--no-pager', '-o', 'cat');
      expect(stdout).toContain('"mistake":"/etc/platen/platen.yaml:1: colour: is not a key of this file"');
      await configure(config);
      await systemctl('reload', 'platen');
      expect((await properties())['StatusText']).not.toContain('Not reloaded');
    },
    long,
  );

  it(
    'opens no debugger to SIGUSR1 (T32)',
    async () => {
      const { MainPID } = await properties();
      await systemctl('kill', '--signal=USR1', 'platen');
      await systemctl('reload', 'platen');
      await becomes({ ActiveState: 'active', MainPID });
      const listening = (await machine.run('cat', '/proc/net/tcp')).stdout.match(
        /:[\dA-F]{4} 00000000:0000 0A/g,
      );
      // 7380 and 7381; Node's debugger would be at 9229.
      expect(listening?.toSorted()).toEqual([':1CD4 00000000:0000 0A', ':1CD5 00000000:0000 0A']);
    },
    long,
  );

  it(
    'keeps its addresses while it is killed, stopped and started: no other user gets one (D11, T03)',
    async () => {
      const tries = '/var/tmp/tries';
      await machine.run(
        'systemd-run',
        '--unit=grab',
        '--uid=nobody',
        `--property=StandardOutput=file:${tries}`,
        ...grab,
      );
      await systemctl('restart', 'platen');
      await systemctl('kill', '--signal=KILL', 'platen');
      await becomes({ NRestarts: '1', ActiveState: 'active' });
      await systemctl('stop', 'platen');
      // Somebody at the door starts nothing that was stopped.
      await machine.run(node, '-e', "require('node:net').connect(7380, '127.0.0.1', () => process.exit())");
      await becomes({ ActiveState: 'active' }, 'platen-port@page.service');
      expect(await properties()).toMatchObject({ ActiveState: 'inactive' });
      await systemctl('start', 'platen');
      await systemctl('stop', 'grab');
      expect(await readFile(join(tree.root, tries), 'utf8')).toMatch(/^tried [1-9]\d* times, got 0\n$/);
    },
    long,
  );

  it(
    'comes back when it was killed, and when it hangs, with its state (B.4, 11)',
    async () => {
      const secret = () => readFile(join(tree.root, 'var/lib/platen/kiosk-launch'), 'utf8');
      const before = await secret();
      await systemctl('kill', '--signal=KILL', 'platen');
      await becomes({ NRestarts: '1', ActiveState: 'active' });
      await systemctl('kill', '--signal=STOP', 'platen');
      await becomes({ NRestarts: '2', ActiveState: 'active' });
      expect(await secret()).toBe(before);
      expect((await machine.run('journalctl', '-u', 'platen', '--no-pager')).stdout).toContain(
        'Watchdog timeout',
      );
    },
    long,
  );

  it(
    'is stopped in order, and stays stopped; a kiosk that starts then waits for it (T03, T26)',
    async () => {
      await systemctl('stop', 'platen');
      expect(await properties()).toMatchObject({
        ActiveState: 'inactive',
        Result: 'success',
        ExecMainStatus: '0',
      });
      // Whoever may be at the page's address then: nothing is handed over until the agent is there, to the one who waits.
      const waiting = asKiosk();
      await becomes({ ActiveState: 'active' }, 'platen-port@launch.service');
      await systemctl('start', 'platen');
      const secret = await readFile(join(tree.root, 'var/lib/platen/kiosk-launch'), 'utf8');
      expect((await waiting).stdout).toBe(`http://127.0.0.1:7380\n${secret}`);
    },
    long,
  );
});
