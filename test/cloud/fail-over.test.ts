/** Two servers of one service, the gateway first (src/cloud/README.md 10). */
import { describe, expect, it } from 'vitest';
import { createFailOver } from '../../src/cloud/fail-over.ts';
import { seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { HistoryRecord } from '../../src/domain/history.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import type { CloudUnderTest } from '../support/cloud/cloud-under-test.ts';
import { asking, cloudAt, problemOf } from '../support/cloud/cloud-under-test.ts';
import type { Reply, ScriptedServer } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';

const card = { kind: 'card', card: new CardNumber('04A1B2C3D4') } as const;
const record: HistoryRecord = {
  jobType: 'PRINT',
  userName: 'alice',
  providerId: 3,
  title: 'Report.pdf',
  serialNumber: 'SN-0001',
  dateTime: '2026-11-21T13:00:00+01:00',
};

const at =
  (name: string): Reply =>
  (response, asked, count) => {
    const token = { access_token: `token-of-${name}`, expires_in: 3600 };
    const answers: Readonly<Record<string, unknown>> = {
      '/api/v1/login': { id: 1, providerId: 3, userName: 'alice', token },
      '/api/v1/version': { version: name },
      '/api/v1/documents/history': { errorCode: 0 },
    };
    const path = asked.url.split('?')[0] ?? '';
    answerJson(answers[path] ?? [])(response, asked, count);
  };

async function twoServers() {
  await using opened = new AsyncDisposableStack();
  const gateway = opened.use(await startServer(at('gateway')));
  const central = opened.use(await startServer(at('central')));
  const clock = createSteeredClock();
  const open = (server: ScriptedServer): CloudUnderTest =>
    opened.use(cloudAt(server.url, { clock, loginTries: 1 }));
  const both = [open(gateway), open(central)] as const;
  const held = opened.move();
  return {
    gateway,
    central,
    clock,
    both,
    cloud: createFailOver([both[0].cloud, both[1].cloud]),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** The paths each server was asked for. */
const askedOf = ({ asked }: ScriptedServer) =>
  asked.map(({ method, url }) => `${method} ${url.split('?')[0]}`);

describe('with two servers', () => {
  it('everything goes to the first while it answers', async () => {
    await using stage = await twoServers();
    const login = await stage.cloud.logins.login(card, asking);
    await stage.cloud.documents.ready(login.token, asking);
    await stage.cloud.history.post(record, asking);
    expect(askedOf(stage.gateway)).toHaveLength(3);
    expect(askedOf(stage.central)).toEqual([]);
  });

  it.each([502, 503, 504])(
    'a first one that answers %d is passed over, and tried last for 15 s',
    async (status) => {
      await using stage = await twoServers();
      stage.gateway.reply = answerStatus(status);
      expect((await stage.cloud.version(asking)).version).toBe('central');
      expect((await stage.cloud.version(asking)).version).toBe('central');
      expect(stage.gateway.asked).toHaveLength(1);
      stage.gateway.reply = at('gateway');
      await stage.clock.advance(seconds(15));
      expect((await stage.cloud.version(asking)).version).toBe('gateway');
    },
  );

  it('a first one that its link knows to be away is tried last, however long that is', async () => {
    await using stage = await twoServers();
    stage.both[0].cloud.link.api.heard(
      new Problem('cloud-unreachable', 'refused', { delivery: 'not-sent' }),
      'probe',
    );
    await stage.clock.advance(seconds(3600));
    expect((await stage.cloud.version(asking)).version).toBe('central');
    expect(stage.gateway.asked).toEqual([]);
  });

  it('a first one that is gone is passed over', async () => {
    await using stage = await twoServers();
    await stage.gateway[Symbol.asyncDispose]();
    await stage.cloud.logins.login(card, asking);
    await stage.cloud.history.post(record, asking);
    expect(askedOf(stage.central)).toEqual(['POST /api/v1/login', 'POST /api/v1/documents/history']);
  });

  it.each([400, 401, 403, 404, 500])('a definite %d of the first is the answer', async (status) => {
    await using stage = await twoServers();
    stage.gateway.reply = answerStatus(status);
    expect(await problemOf(stage.cloud.version(asking))).toMatchObject({ status });
    expect(stage.central.asked).toEqual([]);
  });

  it('a user stays with the server that knows the token', async () => {
    await using stage = await twoServers();
    stage.gateway.reply = answerStatus(502);
    const { token } = await stage.cloud.logins.login(card, asking);
    stage.gateway.reply = at('gateway');
    await stage.clock.advance(seconds(60));
    await stage.cloud.documents.ready(token, asking);
    expect(stage.central.asked.at(-1)).toMatchObject({
      headers: { authorization: 'Bearer token-of-central' },
    });
  });

  it('a record that may have arrived at the first is not given to the second at once', async () => {
    await using stage = await twoServers();
    stage.gateway.reply = (response) => response.socket?.resetAndDestroy();
    expect(await problemOf(stage.cloud.history.post(record, asking))).toMatchObject({ delivery: 'perhaps' });
    expect(stage.central.asked).toEqual([]);
  });

  it('a password is shown to one server only, unless the first was not reached', async () => {
    await using stage = await twoServers();
    stage.gateway.reply = answerStatus(503);
    const password = { kind: 'password', userName: 'alice', password: new Secret('once') } as const;
    await problemOf(stage.cloud.logins.login(password, asking));
    expect(stage.central.asked).toEqual([]);
    await stage.gateway[Symbol.asyncDispose]();
    await stage.clock.advance(seconds(20));
    await expect(stage.cloud.logins.login(password, asking)).resolves.toMatchObject({ user: { id: 1 } });
  });

  it('a server where the device is not signed in yet is passed over, and what the other said counts', async () => {
    await using stage = await twoServers();
    const [, second] = stage.both;
    second.tokens.current = () =>
      Promise.reject(new Problem('terminal-not-authorized', 'no token', { delivery: 'not-sent' }));
    stage.gateway.reply = answerStatus(502);
    expect(await problemOf(stage.cloud.logins.login(card, asking))).toMatchObject({ status: 502 });
  });
});
