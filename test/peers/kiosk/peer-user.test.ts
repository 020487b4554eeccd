/** INVARIANTS.md T03: with `kiosk.user`, another user of the machine gets nothing, whatever they have got hold of. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer, Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { pageHeader } from '../../../src/kiosk/frame.ts';
import { createPeerUser, hasNumber, openConnections } from '../../../src/kiosk/server/peer-user.ts';
import { needsRoot } from '../../support/needs.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { commandTime } from '../../kiosk/crowd.ts';
import type { KioskStage } from '../../kiosk/kiosk-stage.ts';
import { exchange, ofThePage, prompting } from '../../kiosk/kiosk-stage.ts';
import { openKiosk } from '../../kiosk/open-kiosk.ts';
import { openPage } from '../../kiosk/open-stream.ts';
import type { Attempt } from './other-user.ts';
import { askAs, crowdAs } from './other-user.ts';
import { commandOf, verbs } from '../../kiosk/verbs.ts';

const self = process.getuid?.() ?? 0;
const [alice, mallory] = [12_345, 12_346];

const choosing = { ...prompting, generation: 2, state: 'choosing' };

/** Whatever the kiosk answers at all, with what its page would send. */
const everything = ({ shown }: KioskStage, cookie?: string): readonly Attempt[] => {
  const headers = { ...ofThePage, [pageHeader]: shown.name, ...(cookie && { cookie }) };
  const bodies = verbs.map((verb) => JSON.stringify(commandOf(verb, 2)));
  return [
    ...['/t/lobby', '/t/lobby/events', '/kiosk.js', '/kiosk.css', '/nothing', '/%zz'].map((path) => ({
      path,
      headers,
    })),
    ...bodies.map((body) => ({ method: 'POST', path: '/t/lobby/commands', headers, body })),
    ...['PUT', 'DELETE', 'OPTIONS'].map((method) => ({ method, path: '/t/lobby/commands', headers })),
  ];
};

needsRoot()('another user of the machine', () => {
  it('gets an empty 403 for all verbs and all paths, with a stolen cookie and without', async () => {
    const stage = await openKiosk({ user: self });
    const cookie = await openPage(stage);
    stage.show(choosing);
    const attempts = [...everything(stage), ...everything(stage, cookie)];
    expect(attempts).toHaveLength(2 * (9 + verbs.length));
    const answers = await askAs(mallory, stage.port, attempts);
    expect(answers).toEqual(attempts.map(() => [403, 0]));
    expect(stage.told).toEqual([]);
    expect(stage.listeners()).toBe(1);
    expect(stage.recorded.records('kiosk caller refused')[0]).toMatchObject({ uid: mallory });
  });

  it('does not spend the launch secret, which the right browser can still use', async () => {
    const stage = await openKiosk({ user: self });
    const path = `/t/lobby?launch=${stage.secrets.launch().reveal()}`;
    expect(await askAs(mallory, stage.port, [{ path }])).toEqual([[403, 0]]);
    expect(await stage.launch()).toMatch(/^platen-kiosk=/);
  });

  it('is known behind an address of IPv4 in IPv6 as well', async () => {
    const stage = await openKiosk({ user: alice });
    const attempt = { path: '/t/lobby', host: '::ffff:127.0.0.1' };
    expect((await askAs(alice, stage.port, [attempt]))[0]?.[0]).toBe(200);
    expect(await askAs(mallory, stage.port, [attempt])).toEqual([[403, 0]]);
  });

  it('is known on ::1', async () => {
    const stage = await openKiosk({ host: '::1', user: alice });
    const attempt = { path: '/t/lobby', host: '::1', headers: { host: `[::1]:${stage.port}` } };
    expect((await askAs(alice, stage.port, [attempt]))[0]?.[0]).toBe(200);
    expect(await askAs(mallory, stage.port, [attempt])).toEqual([[403, 0]]);
  });

  it('who closes the connection at once has said nothing: then nobody knows who it was', async () => {
    const stage = await openKiosk({ user: self });
    const cookie = await openPage(stage);
    stage.show(choosing);
    const attempts = everything(stage, cookie).map((attempt) => ({ ...attempt, leaves: 'at-once' as const }));
    for (let round = 0; round < 3; round += 1) {
      await askAs(mallory, stage.port, attempts);
      await stage.clock.advance(seconds(5));
    }
    expect(stage.told).toEqual([]);
    expect(stage.listeners()).toBe(1);
  });

  it('who comes with many callers again and again keeps no command from being done (T28)', async () => {
    const stage = await openKiosk({ user: self });
    const cookie = await openPage(stage);
    stage.show(choosing);
    using _crowd = await crowdAs(mallory, stage.port, 64);
    for (let count = 0; count < 5; count += 1) await commandTime(stage, cookie);
    expect(stage.told).toHaveLength(5);
  });

  it('is root, too, where the kiosk is of somebody else', async () => {
    const stage = await openKiosk({ user: alice });
    expect((await stage.get('/t/lobby')).status).toBe(403);
    expect((await askAs(alice, stage.port, [{ path: '/t/lobby' }]))[0]?.[0]).toBe(200);
  });
});

describe("the kiosk's own user", () => {
  it('is served and obeyed', async () => {
    const stage = await openKiosk({ user: self });
    const cookie = await openPage(stage);
    stage.show(choosing);
    expect((await stage.command({ command: 'still-there', generation: 2 }, { cookie })).status).toBe(204);
    expect((await stage.get('/%zz')).status).toBe(404);
    expect(stage.recorded.records('kiosk caller refused')).toEqual([]);
  });

  it('is looked up once for a connection, not for each of its requests', async () => {
    const { log, records } = recordLog();
    const { isAt } = await createPeerUser({ uid: self, log });
    const socket = new Socket();
    expect(await Promise.all([isAt(socket), isAt(socket), isAt(socket)])).toEqual([false, false, false]);
    expect(records('kiosk caller refused')).toHaveLength(1);
  });

  it('is not who had the port of a connection before that is gone by now', async () => {
    const { isAt } = await createPeerUser({ uid: self, log: recordLog().log });
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    onTestFinished(() => void client.destroy());
    const [later] = (await once(server, 'connection')) as [Socket];
    const gone: Socket = Object.create(later, { destroyed: { value: true } });
    expect([await isAt(gone), await isAt(later)]).toEqual([false, true]);
  });

  it('if refused, is looked up anew at the next try: the connection is closed', async () => {
    const stage = await openKiosk({ user: self + 1 });
    const asked = `GET /t/lobby HTTP/1.1\r\nHost: 127.0.0.1:${stage.port}\r\n\r\n`;
    expect(await exchange(stage.port, asked)).toMatch(/^HTTP\/1\.1 403 [^]*\r\nconnection: close\r\n/i);
  });
});

it('is found behind a hundred thousand connections that somebody has closed (T28)', async () => {
  using folder = temporaryDirectory();
  const table = join(folder.path, 'tcp');
  const row = (n: number, state: string, uid: number) =>
    `${n}: 0100007F:C001 0100007F:1CD4 ${state} 00000000:00000000 03:00000D2E 00000000 ${uid} 0 ${n} 1`.padEnd(
      149,
    );
  const closed = Array.from({ length: 100_000 }, (_, n) => row(n, '06', 0));
  const own = row(100_000, '01', alice);
  writeFileSync(table, ['  sl  local_address rem_address   st', ...closed, own, ''].join('\n'));
  expect(await openConnections(table)).toBe(own);
  expect(await openConnections(join(folder.path, 'absent'))).toBe('');
});

describe('a user who cannot be told from others', () => {
  it.each([
    ['anybody, where all users have their numbers', '         0          0 4294967295\n', 1000, true],
    ['anybody, in a private user namespace (PrivateUsers=yes)', '0 0 1\n998 998 1\n', 1000, false],
    ["the unit's own user, there", '0 0 1\n998 998 1\n', 998, true],
    ['one of a container', '0 100000 65536\n', 1000, true],
    ['one from outside of a container', '0 100000 65536\n', 65_536, false],
    ['nobody', '0 0 4294967295\n', 65_534, false],
  ])('%s', (_who, map, uid, isReported) => {
    expect(hasNumber(uid, map)).toBe(isReported);
  });

  it('keeps the kiosk from starting, and is told why', async () => {
    await expect(openKiosk({ user: 65_534 })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(/^kiosk\.user: Platen cannot distinguish uid 65534 .*PrivateUsers=no/),
    });
  });
});
