/**
 * One thing after another is broken, and `platen check` names each, with its cure, in one line; whatever only follows
 * from it is skipped.
 */
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleStatus, sampleTerminal } from '../../commands/sample-status.ts';
import { needsPeer } from '../../support/needs.ts';
import { asAfterARun, atTls, inLedger, says } from '../../flows/doctor-deeds.ts';
import type { DoctorStage } from '../../flows/doctor-stage.ts';
import { setDoctorStage } from '../../flows/doctor-stage.ts';

const nobody = 'http://127.0.0.1:9';

const service = ['name lookup', 'connection', 'TLS', 'cloud', 'clock'];
/** All lines of the way to the service after this one. */
const after = (what: string) => service.slice(service.indexOf(what) + 1);

interface Cause {
  readonly cause: string;
  break(stage: DoctorStage): Promise<unknown>;
  readonly names: string;
  readonly detail: RegExp;
  readonly skipped?: readonly string[];
  readonly code?: string;
}

const causes: readonly Cause[] = [
  {
    cause: 'an API key that everybody may read',
    async break({ folder }) {
      await chmod(folder, 0o755);
      await chmod(join(folder, 'api-key'), 0o644);
    },
    names: 'permissions',
    detail:
      /api-key contains a secret, and every user can read it\. Run chmod o= \S+api-key, and change the secret/,
  },
  {
    cause: 'a configuration that holds its secret and is open',
    async break({ folder, configFile, change }) {
      await change({ cloud: { apiKey: 'sample-api-key' } });
      await chmod(folder, 0o755);
      await chmod(configFile, 0o644);
    },
    names: 'permissions',
    detail: /platen\.yaml contains a secret, and every user can read it/,
  },
  {
    cause: 'a configuration that everybody may write',
    async break({ folder, configFile }) {
      await chmod(folder, 0o755);
      await chmod(configFile, 0o602);
    },
    names: 'permissions',
    detail: /platen\.yaml can be written by every user. Run: chmod o-w/,
  },
  {
    cause: 'a state directory that others may enter (T19)',
    async break(stage) {
      await asAfterARun(stage);
      await chmod(stage.folder, 0o755);
      await chmod(stage.stateDir, 0o755);
    },
    names: 'permissions',
    detail: /state is open to other users. Run: chmod 700/,
  },
  ...(process.getuid?.() === 0
    ? [
        {
          cause: 'an API key that root has written anew, and the service cannot read',
          async break({ stateDir }: DoctorStage) {
            await mkdir(stateDir, { mode: 0o700 });
            await chown(stateDir, 1, 1);
          },
          names: 'permissions',
          detail: /api-key cannot be read by the owner of \S+state\. Run: chgrp --reference/,
        },
      ]
    : []),
  {
    cause: 'a file where the state directory is to be',
    break: ({ stateDir }) => writeFile(stateDir, '', { mode: 0o700 }),
    names: 'state directory',
    detail: /is not a directory. Correct stateDir/,
    skipped: ['room', 'ledger', 'history records'],
  },
  {
    cause: 'a ledger that is no database any more (T31)',
    async break(stage) {
      await asAfterARun(stage);
      await rm(join(stage.stateDir, 'platen.db-wal'), { force: true });
      await writeFile(join(stage.stateDir, 'platen.db'), 'no database at all'.repeat(100));
    },
    names: 'ledger',
    detail: /the database failed.*Check the disk/,
    code: 'store-failed',
    skipped: ['history records'],
  },
  {
    cause: 'a ledger of a later version',
    async break(stage) {
      await asAfterARun(stage);
      inLedger(stage, `PRAGMA user_version = 99; PRAGMA application_id = ${0x50_4c_00_00 + 99}`);
    },
    names: 'ledger',
    detail: /newer Platen has written the database. Install that version again/,
    code: 'state-newer',
    skipped: ['history records'],
  },
  {
    cause: 'a ledger that was set aside (T31)',
    async break(stage) {
      await asAfterARun(stage);
      const folder = join(stage.stateDir, 'quarantine', '2026-11-22T03-00-00.000Z');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, 'reason.txt'), 'damaged');
    },
    names: 'ledger',
    detail:
      /Platen asks people before each print.*reason\.txt, check the disk, move the folder to another place, and restart/,
    skipped: ['history records'],
  },
  {
    cause: 'history records that the service refused (D8)',
    async break(stage) {
      await asAfterARun(stage);
      inLedger(
        stage,
        `INSERT INTO outbox (release_id, terminal, record, not_before, held_until, attempts, dead_letter, crc)
         VALUES ('a', 'lobby', '{}', 0, 0, 0, '422', 0)`,
      );
    },
    names: 'history records',
    detail: /1 dead letter: the service refuses it for good. platen outbox list shows the reasons/,
  },
  {
    cause: 'a name without address',
    break: ({ change }) => change({ cloud: { baseUrl: 'https://no-such-host.invalid' } }),
    names: 'name lookup',
    detail: /no-such-host\.invalid: (its name has no address. Check the spelling|the DNS server)/,
    code: 'cloud-unreachable',
    skipped: after('name lookup'),
  },
  {
    cause: 'a service that is not there',
    break: ({ change }) => change({ cloud: { baseUrl: nobody } }),
    names: 'connection',
    detail: /127\.0\.0\.1:9: the connection was refused\. Check the address and the port/,
    code: 'cloud-unreachable',
    skipped: after('connection'),
  },
  {
    cause: 'a proxy that is not there',
    break: ({ change }) => change({ cloud: { proxyUrl: nobody } }),
    names: 'connection',
    detail: /127\.0\.0\.1:9: the connection was refused/,
    code: 'cloud-unreachable',
    skipped: after('connection'),
  },
  {
    cause: 'a port that speaks no TLS',
    break: ({ cloud, change }) => change({ cloud: { baseUrl: cloud.baseUrl.replace('http:', 'https:') } }),
    names: 'TLS',
    detail: /there is no TLS on this port. Check the port/,
    code: 'cloud-unreachable',
    skipped: after('TLS'),
  },
  {
    cause: 'a certificate of an authority nobody knows (T22)',
    break: (stage) => atTls(stage, 90, { isTrusted: false }),
    names: 'TLS',
    detail: /authority that is not trusted here. Set cloud\.caFile/,
    code: 'cloud-unreachable',
    skipped: after('TLS'),
  },
  {
    cause: 'a certificate that has run out (T22)',
    break: (stage) => atTls(stage, -1, { isTrusted: true }),
    names: 'TLS',
    detail: /certificate has expired, or the clock of this machine is wrong/,
    code: 'cloud-unreachable',
    skipped: after('TLS'),
  },
  {
    cause: 'a certificate that runs out soon',
    break: (stage) => atTls(stage, 5.5, { isTrusted: true }),
    names: 'certificate',
    detail: /^the certificate of 127\.0\.0\.1:\d+ is valid for 5 more days; renew it$/,
  },
  {
    cause: 'a wrong API key',
    break: ({ folder }) => writeFile(join(folder, 'api-key'), 'wrong'),
    names: 'cloud',
    detail: /status 40[13].*\. The address is right\. .*API key/,
    skipped: after('cloud'),
  },
  {
    cause: 'an address at which no print service is, and a wrong API key that nobody can blame for it',
    async break({ folder, cloud }) {
      await writeFile(join(folder, 'api-key'), 'wrong');
      cloud.always({ path: /^\/api/ }, { kind: 'status', status: 404 });
    },
    names: 'cloud',
    detail:
      /has no account for this address .* There is no print service at this address\. Correct cloud\.baseUrl/,
    skipped: after('cloud'),
  },
  {
    cause: 'an OAuth server that is not there',
    break: ({ change }) => change({ cloud: { authUrl: nobody } }),
    names: 'OAuth server',
    detail: /127\.0\.0\.1:9: the connection was refused\. Check the address and the port/,
    code: 'cloud-unreachable',
  },
  {
    cause: 'a reader that is not plugged in',
    break: ({ changeTerminal }) =>
      changeTerminal({ readers: [{ type: 'serial', path: '/dev/platen-no-such-reader' }] }),
    names: 'reader of lobby',
    detail: /platen-no-such-reader does not exist. Plug the reader in, or correct the path/,
  },
  {
    cause: 'a network reader that is off',
    break: ({ changeTerminal }) =>
      changeTerminal({ readers: [{ type: 'tcp-connect', address: '127.0.0.1:9' }] }),
    names: 'reader of lobby',
    detail: /127\.0\.0\.1:9 does not answer. Check the reader, its network and the address/,
  },
  {
    cause: 'a printer that is off',
    break: ({ printer }) => printer.behave({ kind: 'refuse-connections' }),
    names: 'printer of lobby',
    detail: /Check the power, the network and the address of the printer/,
    code: 'printer-unreachable',
  },
  {
    cause: 'a printer with an open door',
    break: ({ printer }) => printer.behave({ kind: 'stopped', reason: 'door-open-error' }),
    names: 'printer of lobby',
    detail: /^A door of the printer is open\. Close the doors\./,
    code: 'printer-not-ready',
  },
  {
    cause: 'a spooler that does not run',
    break: ({ changeTerminal }) => changeTerminal({ printer: { uri: 'cups://127.0.0.1:9/office' } }),
    names: 'spooler 127.0.0.1:9',
    detail: /no spooler answers at 127\.0\.0\.1:9; check its computer/,
    skipped: ['printer of lobby', 'printing at lobby', 'queue of lobby'],
  },
  {
    cause: 'another program where the kiosk page is to be',
    async break({ listen, change }) {
      await change({
        kiosk: { listen: `127.0.0.1:${await listen(createTcpServer((socket) => socket.end('hello')))}` },
      });
    },
    names: 'kiosk page',
    detail: /another program uses 127\.0\.0\.1:\d+\. Stop it, or change kiosk\.listen/,
  },
  {
    cause: 'another program where the agent is to answer',
    async break({ listen, change }) {
      await change({
        operations: { listen: `127.0.0.1:${await listen(createTcpServer((socket) => socket.end('hello')))}` },
      });
    },
    names: 'agent',
    detail: /another program uses 127\.0\.0\.1:\d+\. Stop it, or change operations\.listen/,
  },
  {
    cause: 'an agent that this program does not understand',
    break: ({ answerAsAgent }) => answerAsAgent((_request, response) => response.end('hello')),
    names: 'agent',
    detail: /has another version\. Restart it: systemctl restart platen/,
  },
  {
    cause: 'an agent of another version',
    break: says(sampleStatus({ version: '0.0.9' })),
    names: 'agent up to date',
    detail: /version 0\.0\.9 is running, but \S+ is installed\. Restart it: systemctl restart platen/,
  },
  {
    cause: 'a configuration that was changed after it was read',
    break: says(sampleStatus({ config: { readAt: '2026-01-01T00:00:00.000Z', pending: [] } })),
    names: 'agent up to date',
    detail: /was changed after the agent read it\. Run: platen reload/,
  },
  {
    cause: 'a device that the service does not trust any more',
    break: says(sampleStatus({ enrollment: { state: 'needsPerson', tokenExpiresIn: 0 } })),
    names: 'device token',
    detail: /not authorized \(needsPerson\); see platen status/,
    skipped: ['terminal lobby'],
  },
  {
    cause: 'a terminal that the service has switched off',
    break: says(
      sampleStatus({
        terminals: [
          sampleTerminal({
            ready: false,
            readers: [],
            outage: { reason: 'switched-off', reference: 'ABCDEF' },
          }),
        ],
      }),
    ),
    names: 'terminal lobby',
    detail: /^not ready: out of service: it is switched off in the print service/,
  },
];

describe('platen check names what is broken, once, with its cure', () => {
  it.concurrent.each(causes)(
    '$cause',
    async ({ break: breakIt, names, detail, skipped = [], code: problem }) => {
      await using stage = await setDoctorStage();
      await breakIt(stage);
      const { code, line, failed, findings } = await stage.check();
      expect(line(names)?.detail).toMatch(detail);
      expect(line(names)?.code).toBe(problem);
      expect([code, failed]).toEqual([1, [names]]);
      for (const what of skipped) {
        expect(line(what)).toMatchObject({ state: 'skipped', because: names });
      }
      for (const one of findings) expect(one.detail).not.toContain('\n');
    },
  );
});

it('a converter that is not there is no failure: what follows from it is said, and what to do', async () => {
  await using stage = await setDoctorStage();
  await stage.change({ conversion: { ghostscript: '/nowhere/gs' } });
  const { code, line } = await stage.check();
  expect(code).toBe(0);
  expect(line('converter')).toMatchObject({
    state: 'waiting',
    code: 'converter-missing',
    detail: expect.stringMatching(
      /^Conversion is not available, so Platen refuses formats that the printer does not accept\. Reason: .*\/nowhere\/gs.*\. Install Ghostscript/,
    ),
  });
});

needsPeer('fls', 'sleuthkit')('with a place for sticks', () => {
  it('platen check says in which room they are read, and what an agent needs that is a service', async () => {
    await using stage = await setDoctorStage();
    expect((await stage.check()).line('stick')).toBeUndefined();
    await stage.changeTerminal({ stick: { device: 'auto' } });
    const { code, line } = await stage.check();
    expect([code, line('stick')?.state]).toEqual([0, 'ok']);
    expect(line('stick')?.detail).toMatch(/^sticks are read in namespaces; .*systemd\/install --stick/);
  });
});
