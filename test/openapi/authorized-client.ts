/** The cloud client as the agent makes it, with a device token from its own registration at the embedded cloud. */
import { randomBytes } from 'node:crypto';
import { Secret } from '../../src/core/secret.ts';
import type { Cloud } from '../../src/cloud/client.ts';
import type { TokenGrant } from '../../src/domain/device.ts';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { asking, cloudAt } from '../support/cloud/cloud-under-test.ts';

export const clientId = 'c-0001';

/** Registers, polls once in vain, is approved, refreshes its token, and registers once more by signature. */
export async function authorizedClient(simulated: SimulatedCloud): Promise<Cloud> {
  const device = { clientId, seed: new Secret(randomBytes(32).toString('base64')) };
  let grant: TokenGrant | undefined;
  const { cloud } = cloudAt(simulated.baseUrl, {
    authUrl: simulated.authUrl,
    apiKey: new Secret(simulated.apiKey),
    deviceTokens: {
      current: async () => grant?.accessToken ?? new Secret('none'),
      refused: () => undefined,
      denied: () => undefined,
    },
  });
  const { authorization } = cloud;
  const first = await authorization.register(device, 'first', asking);
  await authorization.requestToken(device, first.deviceCode, asking).catch(() => undefined);
  simulated.approve();
  const granted = await authorization.requestToken(device, first.deviceCode, asking);
  await authorization.refresh(device, granted.refreshToken, asking);
  const { deviceCode } = await authorization.register(device, 'repeated', asking);
  grant = await authorization.requestToken(device, deviceCode, asking);
  return cloud;
}
