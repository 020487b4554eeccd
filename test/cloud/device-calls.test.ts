/** The calls a device makes for itself: history, output ports, terminal report, version, authorization. */
import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { publicKey } from '../../src/cloud/oauth/oauth-messages.ts';
import { hours } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { TerminalInfo } from '../../src/domain/terminal/terminal-info.ts';
import { asking, cloudAt, problemOf, userToken } from '../support/cloud/cloud-under-test.ts';
import type { ScriptedServer } from '../support/cloud/scripted-server.ts';
import { answerJson, answerStatus, startServer } from '../support/cloud/scripted-server.ts';

describe('a history record', () => {
  const record = {
    jobType: 'PRINT',
    userName: 'ann',
    providerId: 4,
    title: 'Größe & Maß.pdf',
    totalPages: 6,
    colorPages: 0,
    duplex: true,
    serialNumber: 'SN-1',
    dateTime: '2026-11-21T13:00:00+01:00',
  } as const;

  it('is posted with the device token and the documented fields; what is not known is left out', async () => {
    await using server = await startServer(answerStatus(200));
    await using under = cloudAt(server.url);
    await under.cloud.history.post(record, asking);
    expect(server.asked).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/documents/history',
        headers: { authorization: 'Bearer canary-device-token-1', 'x-api-key': 'canary-api-key' },
        body:
          'jobtype=PRINT&title=Gr%C3%B6%C3%9Fe+%26+Ma%C3%9F.pdf&totalpages=6&colorpages=0&duplex=true' +
          '&serialnumber=SN-1&datetime=2026-11-21T13%3A00%3A00%2B01%3A00&username=ann&providerid=4',
      },
    ]);
  });

  describe('whose title has controls and marks of direction', () => {
    const title = 'in\u202evoice\u0007.pdf';
    const other = { ...record, title: 'pay\u061croll\u000a.pdf' };
    const titlesOf = ({ asked }: ScriptedServer) =>
      asked.map(({ body }) => new URLSearchParams(body).get('title'));
    const reported = ({ logged }: { readonly logged: readonly string[] }) =>
      logged.filter((line) => line.includes('history titles made plain'));

    it('goes as the service has it', async () => {
      await using server = await startServer(answerStatus(200));
      await using under = cloudAt(server.url);
      await under.cloud.history.post({ ...record, title }, asking);
      expect([titlesOf(server), reported(under)]).toEqual([[title], []]);
    });

    it('goes without them to a service that refuses them, which is told once', async () => {
      await using server = await startServer((response, asked, count) =>
        answerStatus(/%07|%0A/.test(asked.body) ? 400 : 200)(response, asked, count),
      );
      await using under = cloudAt(server.url);
      await under.cloud.history.post({ ...record, title }, asking);
      await under.cloud.history.post(other, asking);
      expect(titlesOf(server)).toEqual([title, 'invoice.pdf', 'payroll.pdf']);
      expect(reported(under)).toHaveLength(1);
      expect(under.logged.join('')).not.toMatch(/invoice|payroll/);
    });

    it('is refused as any other where something else is wrong, and the next one goes as it is', async () => {
      await using server = await startServer(answerStatus(400));
      await using under = cloudAt(server.url);
      const refused = await problemOf(under.cloud.history.post({ ...record, title }, asking));
      expect(refused.code).toBe('cloud-rejected');
      server.reply = answerStatus(200);
      await under.cloud.history.post(other, asking);
      expect(titlesOf(server)).toEqual([title, 'invoice.pdf', other.title]);
      expect(reported(under)).toEqual([]);
    });
  });

  it('is not accepted by the page of a captive portal, nor with an error code (I2)', async () => {
    await using server = await startServer((response) => response.end('<html>Welcome to the hotel</html>'));
    await using under = cloudAt(server.url);
    expect((await problemOf(under.cloud.history.post(record, asking))).code).toBe('cloud-protocol');
    server.reply = answerJson({ errorCode: 10000 });
    expect((await problemOf(under.cloud.history.post(record, asking))).code).toBe('cloud-busy');
  });
});

describe('the output ports', () => {
  const port = {
    id: 7,
    name: 'Lobby\u0007',
    address: ' 10.0.0.7 ',
    deviceSerial: '',
    autoRelease: true,
    logoutTimeout: 0,
    monochrome: 'no',
    active: true,
    printProtocol: 1,
    printerIppUrl: 'ipp://anna:hunter2@10.0.0.7/ipp/print',
    outputType: 3,
    isReverseFinisher: true,
    trimCardId: null,
    ipReaderAddress: ' ',
    services: { x: [1] },
  };
  const read = {
    id: 7,
    name: 'Lobby',
    address: '10.0.0.7',
    deviceSerial: undefined,
    autoRelease: true,
    logoutTimeoutSeconds: undefined,
    active: true,
    printProtocol: 'ipp',
    // What it carried is neither shown nor kept (I5).
    printerIppUrl: 'ipp://***@10.0.0.7/ipp/print',
    outputType: 'pcl6',
    isReverseFinisher: true,
    services: { x: [1] },
  };

  it('are read by the device, and one that is unusable spoils none', async () => {
    await using server = await startServer(answerJson([port, { name: 'no id' }, 3]));
    await using under = cloudAt(server.url);
    expect(await under.cloud.outputPorts.list(asking)).toEqual([read]);
    expect(server.asked).toMatchObject([
      {
        method: 'GET',
        url: '/api/v1/outputports?enrichPorts=true',
        headers: { authorization: 'Bearer canary-device-token-1' },
      },
    ]);
    expect(JSON.parse(under.logged.join(''))).toMatchObject({ level: 'warn', unusable: 2 });
  });

  it('are read page by page, with the token of a user where one is given', async () => {
    await using server = await startServer((response, asked, count) => {
      const items = [{ ...port, id: count }];
      answerJson(count < 3 ? { items, nextPageToken: `p&${count}` } : { items })(response, asked, count);
    });
    await using under = cloudAt(server.url);
    const ports = await under.cloud.outputPorts.list({ ...asking, token: userToken });
    expect(ports.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(server.asked.map(({ url }) => url)).toEqual([
      '/api/v1/outputports?enrichPorts=true',
      '/api/v1/outputports?enrichPorts=true&pagetoken=p%261',
      '/api/v1/outputports?enrichPorts=true&pagetoken=p%262',
    ]);
    expect(server.asked[2]?.headers.authorization).toBe('Bearer canary-user-token');
  });

  it('that never end are no list (I8)', async () => {
    await using server = await startServer(answerJson({ items: [port], nextPageToken: 'more' }));
    await using under = cloudAt(server.url);
    expect((await problemOf(under.cloud.outputPorts.list(asking))).code).toBe('cloud-protocol');
    expect(server.asked).toHaveLength(2);
  });
});

describe('the terminal report', () => {
  const info: TerminalInfo = {
    deployStatus: { stage: 5, message: 'ready', lastDate: '2026-11-21T12:00:00.000Z' },
    terminalStatus: {
      terminalVersion: '0.1.0',
      installationSource: 1,
      cardReaderData: 'serial',
      modelName: 'Platen',
      additionalModelInfo: 'application/pdf, iso_a4_210x297mm',
      firmwareVersion: '',
      status: 1,
      statusMessage: '',
      errorData: '',
      modifiedDate: '2026-11-21T12:00:00.000Z',
    },
  };
  const target = { outputPortId: 7, serialNumber: 'SN 1/2', terminalId: 'lobby' };

  it('goes by the configured call, its placeholders filled', async () => {
    await using server = await startServer(answerStatus(204));
    const path = '/status/{terminalId}/{serialNumber}/{outputPortId}';
    await using under = cloudAt(`${server.url}/cloud/`, { report: { method: 'PATCH', path } });
    await under.cloud.reports?.report(info, target, asking);
    expect(server.asked).toMatchObject([
      {
        method: 'PATCH',
        url: '/cloud/status/lobby/SN%201%2F2/7',
        headers: { 'content-type': 'application/json', authorization: 'Bearer canary-device-token-1' },
        body: JSON.stringify(info),
      },
    ]);
  });

  it('needs the output port only where its path names it', async () => {
    await using server = await startServer(answerStatus(200));
    await using under = cloudAt(server.url);
    const unknown = { ...target, outputPortId: undefined };
    const report = under.cloud.reports?.report(info, unknown, asking) ?? Promise.resolve();
    expect((await problemOf(report)).code).toBe('output-port-unknown');
    expect(server.asked).toEqual([]);
  });

  it('does not exist where it is switched off', async () => {
    await using under = cloudAt('http://127.0.0.1:1', { report: 'off' });
    expect(under.cloud.reports).toBeUndefined();
  });
});

describe('the authorization server', () => {
  const device = { clientId: 'c-1', seed: new Secret(Buffer.alloc(32, 7).toString('base64')) };
  const grant = { token_type: 'Bearer', access_token: 'a-1', refresh_token: 'r-1', expires_in: 3600 };
  const key = createPublicKey({
    key: Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(publicKey(device.seed), 'base64'),
    ]),
    format: 'der',
    type: 'spki',
  });

  it('is asked for a code, a token and its successor; each signature fits the body as it arrived', async () => {
    await using server = await startServer((response, asked, count) => {
      const registration = { device_code: 'd-1', expires_in: 100 };
      answerJson(asked.url.endsWith('register') ? registration : grant)(response, asked, count);
    });
    await using under = cloudAt(server.url);
    const { authorization } = under.cloud;
    const before = Date.now();
    const { deviceCode, expiresAt } = await authorization.register(device, 'repeated', asking);
    expect(expiresAt - before).toBeGreaterThanOrEqual(100_000);
    const tokens = await authorization.requestToken(device, deviceCode, asking);
    expect(await authorization.refresh(device, tokens.refreshToken, asking)).toMatchObject({
      expiresIn: hours(1),
    });

    expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /oauth/v1/register',
      'POST /oauth/v1/token',
      'POST /oauth/v1/token',
    ]);
    for (const { headers, body } of server.asked) {
      const signature = Buffer.from(String(headers['hcp-request-signature']), 'base64');
      expect(verify(null, Buffer.from(body), key, signature)).toBe(true);
      expect(headers).toMatchObject({
        connection: 'close',
        'content-type': 'application/x-www-form-urlencoded',
      });
      expect(headers).not.toHaveProperty('x-api-key');
      expect(headers).not.toHaveProperty('authorization');
    }
  });
});
