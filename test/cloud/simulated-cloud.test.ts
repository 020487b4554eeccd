/**
 * The client against the embedded cloud, which was written from the spec without it: one misunderstanding would have
 * to be made twice to pass. The strict cloud must find nothing to complain of.
 */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { TokenGrant } from '../../src/domain/device.ts';
import { OAuthRefusal } from '../../src/domain/device.ts';
import type { DeviceTokenSource } from '../../src/domain/ports/enrollment.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { asking, cloudAt, problemOf } from '../support/cloud/cloud-under-test.ts';

const device = { clientId: 'c-0001', seed: new Secret(randomBytes(32).toString('base64')) };
const byCard = { kind: 'card', card: new CardNumber('04A1B2C3D4') } as const;

/** A client whose device token comes from its own authorization, as in the agent. */
function clientOf(simulated: SimulatedCloud) {
  let grant: TokenGrant | undefined;
  const deviceTokens: DeviceTokenSource = {
    current: async () => grant?.accessToken ?? new Secret('none'),
    refused: () => undefined,
    denied: () => undefined,
  };
  const { baseUrl, authUrl, apiKey } = simulated;
  const under = cloudAt(baseUrl, { authUrl, apiKey: new Secret(apiKey), deviceTokens });
  const hold = (next: TokenGrant): TokenGrant => {
    grant = next;
    return next;
  };
  return { ...under, hold };
}

async function authorize(simulated: SimulatedCloud) {
  const client = clientOf(simulated);
  const { authorization } = client.cloud;
  const { deviceCode } = await authorization.register(device, 'first', asking);
  const pending = await authorization
    .requestToken(device, deviceCode, asking)
    .catch((error: unknown) => error);
  expect(pending).toBeInstanceOf(OAuthRefusal);
  expect(pending).toHaveProperty('code', 'authorization_pending');
  simulated.approve();
  client.hold(await authorization.requestToken(device, deviceCode, asking));
  return client;
}

describe('the embedded cloud', () => {
  it('is walked through from registration to report without a deviation', async () => {
    await using simulated = await startCloud();
    await using client = await authorize(simulated);
    const { balance, documents, history, logins, outputPorts, reports } = client.cloud;

    await client.cloud.version(asking);
    const { user, token } = await logins.login(byCard, asking);
    expect(user.userName).toBe('alice');
    const {
      documents: [document, ...others],
    } = await documents.ready(token, asking);
    if (!document) throw new Error('alice has no documents');

    const ticket = {
      releaseId: 'r',
      terminal: 'lobby',
      sessionId: 's',
      monochrome: false,
      sendUsername: false,
    };
    await balance.check({ ...ticket, document, user, token }, asking);
    const download = await documents.download(document.uuid, token, asking);
    const bytes = await buffer(download.bytes);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(download.length).toBe(bytes.length);
    await documents.remove(document.uuid, token, asking);
    expect((await documents.ready(token, asking)).documents).toEqual(others);
    expect((await problemOf(documents.download(document.uuid, token, asking))).code).toBe('document-gone');

    const [port] = await outputPorts.list(asking);
    const [portForUser] = await outputPorts.list({ ...asking, token });
    expect(portForUser).toEqual(port);
    const serialNumber = port?.deviceSerial ?? '';
    await history.post(
      {
        jobType: 'PRINT',
        userName: user.userName,
        providerId: user.providerId,
        title: document.name,
        totalPages: 1,
        serialNumber,
        dateTime: '2026-11-21T13:00:00+01:00',
      },
      asking,
    );
    await reports?.report(
      {
        deployStatus: { stage: 5, message: '', lastDate: '2026-11-21T12:00:00.000Z' },
        terminalStatus: {
          terminalVersion: '0.1.0',
          installationSource: 1,
          cardReaderData: '',
          modelName: 'Platen',
          additionalModelInfo: '',
          firmwareVersion: '',
          status: 1,
          statusMessage: '',
          errorData: '',
          modifiedDate: '2026-11-21T12:00:00.000Z',
        },
      },
      { outputPortId: port?.id, serialNumber, terminalId: 'lobby' },
      asking,
    );
    expect(simulated.deviations).toEqual([]);
    expect(client.reached.every((state) => state === 'up')).toBe(true);
  });

  it('refreshes by a token that works once, and registers again by signature (I6)', async () => {
    await using simulated = await startCloud();
    await using client = await authorize(simulated);
    const { authorization, logins } = client.cloud;
    const { deviceCode } = await authorization.register(device, 'repeated', asking);
    const first = client.hold(await authorization.requestToken(device, deviceCode, asking));
    const second = client.hold(await authorization.refresh(device, first.refreshToken, asking));
    expect(second.accessToken.equals(first.accessToken)).toBe(false);
    await logins.login(byCard, asking);
    expect(simulated.deviations).toEqual([]);
    await expect(authorization.refresh(device, first.refreshToken, asking)).rejects.toBeInstanceOf(
      OAuthRefusal,
    );
  });

  it('refuses an unknown card, and a user whose token has run out', async () => {
    await using simulated = await startCloud();
    await using client = await authorize(simulated);
    const { documents, logins } = client.cloud;
    const login = await logins.login(byCard, asking);
    expect((await problemOf(logins.login({ kind: 'card', card: new CardNumber('FFFF') }, asking))).code).toBe(
      'login-refused',
    );
    simulated.expireTokens('user');
    expect((await problemOf(documents.ready(login.token, asking))).code).toBe('user-token-refused');
  });

  it('tells a device token that ran out from a card that is unknown', async () => {
    await using simulated = await startCloud();
    await using client = await authorize(simulated);
    simulated.expireTokens('device');
    expect((await problemOf(client.cloud.outputPorts.list(asking))).code).toBe('device-token-refused');
    expect((await problemOf(client.cloud.logins.login(byCard, asking))).code).toBe('device-token-refused');
  });
});
