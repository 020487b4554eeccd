/** What `platen init` finds out of the service before it writes anything, and that it leaves nothing behind there. */
import { expect, it } from 'vitest';
import { lookAtService } from '../../../src/commands/init/service/service-look.ts';
import { checkConfig } from '../../../src/config/load.ts';
import type { CloudOptions, SimulatedCloud } from '../../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../../src/simulator/cloud/cloud.ts';

const { signal } = new AbortController();

async function look(options: CloudOptions, wrong: Partial<Record<'baseUrl' | 'authUrl' | 'apiKey', string>>) {
  await using cloud = await startCloud(options);
  const { baseUrl, authUrl, apiKey } = { ...cloud, ...wrong } as SimulatedCloud;
  const text = JSON.stringify({ cloud: { baseUrl, authUrl, apiKey }, terminals: [] });
  const found = await lookAtService(checkConfig(text, { file: 'trial.yaml', env: {} }), { signal });
  expect([cloud.state.endpoints, cloud.deviations]).toEqual([[], []]);
  return found;
}
const nowhere = 'http://127.0.0.1:9';

it('is that all is well', async () => {
  expect(await look({}, {})).toEqual({ version: '1.0.0-simulated', faults: [] });
});

it('is that all is well where the account wants a token for every call', async () => {
  expect(await look({ versionFor: 'tokens' }, {})).toEqual({ faults: [] });
});

it.each([{}, { versionFor: 'tokens' } as const])(
  'is that the key is wrong, where the service is %o',
  async (options) => {
    const { faults } = await look(options, { apiKey: 'mistyped' });
    expect(faults).toMatchObject([{ about: 'apiKey', isVerdict: true }]);
    expect(faults[0]?.sentence).toContain('does not accept the API key');
  },
);

it('is that nobody is there', async () => {
  const { faults } = await look({}, { baseUrl: nowhere, authUrl: nowhere });
  expect(faults).toMatchObject([
    { about: 'baseUrl', isVerdict: false },
    { about: 'authUrl', isVerdict: false },
  ]);
  expect(faults[0]?.sentence).toMatch(/^No print service answers at .*: the connection was refused/);
  expect(faults[1]?.sentence).toMatch(/^Devices cannot sign in at .*: the connection was refused/);
});

it('is that the address is wrong, and not the key, where nothing there is a print service', async () => {
  await using other = await startCloud();
  other.always({ path: /^\/api/ }, { kind: 'status', status: 404 });
  const { faults } = await look({}, { baseUrl: other.baseUrl, apiKey: 'sample-api-key' });
  expect(faults).toMatchObject([{ about: 'baseUrl', isVerdict: true }]);
  expect(faults[0]?.sentence).toMatch(
    /^There is no print service at .*no account for this address.*The API key is not the reason.*it ends before \/api\/v1$/,
  );
  expect(other.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['HEAD /api/v1/account']);
});

it('is that something else answers', async () => {
  await using other = await startCloud();
  other.always({ path: /./ }, { kind: 'status', status: 404 });
  const { faults } = await look({}, { authUrl: other.authUrl });
  expect(faults).toMatchObject([{ about: 'authUrl', isVerdict: true }]);
});
