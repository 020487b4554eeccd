/** Who may make which call, for every call there is: what the API key allows × what comes along (spec, Authentication). */
import { describe, expect, it } from 'vitest';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { Route } from '../../src/simulator/cloud/route.ts';
import { apiRoutes } from '../../src/simulator/cloud/routes.ts';
import type { KeyAllowance } from '../../src/simulator/cloud/settings.ts';
import { api, clientId, enrol } from '../support/cloud/hand-client.ts';
import { specifiedCalls } from '../support/cloud/specification.ts';

const nameOf = ({ method, path }: Route): string => `${method} ${path.replace('/api/v1', '')}`;
const all = apiRoutes.map(nameOf);
const publicCalls = ['GET /version', 'HEAD /account', 'GET /token', 'GET /authproviders'];
const isOfDocuments = (name: string) => / \/documents/.test(name);
/** Authentication 4: for trusted devices. */
const needsTrust = (name: string) =>
  isOfDocuments(name) || name === 'POST /login' || name === 'GET /terminalconfig';
/** The lines that name a device token, or no permission of a user: contract 3, supplement 7. */
const ofDevices = [
  'POST /login',
  'GET /terminalconfig',
  'PUT /outputports/<outputportid>/terminalinfo',
  'PUT /documents',
  'POST /documents/history',
  'GET /card',
  'POST /card',
  'GET /certificate/root',
  'GET /endpoints/<endpointid>',
];

interface Case {
  readonly allows: readonly KeyAllowance[];
  readonly token: 'none' | 'device';
  readonly isOpen: (name: string) => boolean;
  readonly said: string;
}

/** What a terminal needs before anybody logs in, of what the specification guards by a user's permission: settled here. */
const ofTerminals = [
  'GET /account',
  'GET /inputports',
  'GET /outputports',
  'GET /locations',
  'GET /certificate/ca',
  'GET /documents/history',
];
const takesDevice = (name: string) => ofDevices.includes(name) || ofTerminals.includes(name);

const cases: readonly Case[] = [
  { allows: [], token: 'none', isOpen: () => false, said: 'nothing' },
  { allows: [], token: 'device', isOpen: takesDevice, said: 'what is for devices' },
  {
    allows: ['untrusted-endpoints'],
    token: 'none',
    isOpen: (name) => ['POST /login', 'GET /terminalconfig'].includes(name),
    said: 'the login and the terminal config, and no read besides',
  },
  { allows: ['untrusted-endpoints'], token: 'device', isOpen: takesDevice, said: 'what is for devices' },
  {
    allows: ['unauthenticated-requests'],
    token: 'none',
    isOpen: (name) => !needsTrust(name),
    said: 'all that is not for trusted devices',
  },
  { allows: ['unauthenticated-requests'], token: 'device', isOpen: () => true, said: 'all' },
  {
    allows: ['unauthenticated-requests', 'untrusted-endpoints'],
    token: 'none',
    isOpen: () => true,
    said: 'all',
  },
];

describe('the calls of the service', () => {
  it.each(cases)(
    'are let in, with $token token and a key that allows $allows: $said',
    async ({ allows, token, isOpen }) => {
      await using cloud = await startCloud({ keyAllows: allows });
      const { device } = await enrol(cloud);
      const refused: string[] = [];
      for (const route of apiRoutes) {
        const before = cloud.deviations.length;
        // Of clients a device looks at itself.
        const path = route.path.replace('/api/v1', '').replace('<endpointid>', clientId);
        await api(cloud, path.replaceAll(/<\w+>/g, '1'), {
          method: route.method,
          ...(token === 'device' && { token: device }),
        });
        if (cloud.deviations.slice(before).some((one) => / where a [\w ]+ token belongs /.test(one)))
          refused.push(nameOf(route));
      }
      expect(refused).toEqual(all.filter((name) => !publicCalls.includes(name) && !isOpen(name)));
    },
  );
});

/** Out of the lines of the specification: those that read, and that a user's permission guards. */
const guardedReads = specifiedCalls
  .filter(({ call, permissions }) => call.startsWith('GET ') && permissions.length > 0)
  .map(({ call }) => call)
  // The user's own documents are another matter; providers are shown to who has no key at all.
  .filter((call) => !/^GET \/documents(?:$|\/\{)|^GET \/authproviders/.test(call));
const isOfTerminals = (call: string): boolean => ofTerminals.includes(call);

describe('a device token that reads what a user may', () => {
  const read = async (cloud: SimulatedCloud, device: string, call: string) => {
    const before = cloud.deviations.length;
    const path = call.replace('GET ', '').replaceAll('{}', '1');
    const { status } = await api(cloud, path, { token: device });
    const noted = cloud.deviations
      .slice(before)
      .some((one) => one.includes('a device token where a user token belongs (spec, Authentication 3)'));
    return { call, isRefused: status === 403, isNoted: noted };
  };

  it.each([
    { readsFor: undefined, said: 'is answered and noted, unless a terminal needs it', isRefused: false },
    { readsFor: 'terminals-only', said: 'is refused and noted, unless a terminal needs it', isRefused: true },
  ] as const)('$said ($readsFor)', async ({ readsFor, isRefused }) => {
    await using cloud = await startCloud(readsFor === undefined ? {} : { readsFor });
    const { device } = await enrol(cloud);
    for (const call of guardedReads) {
      const isNoted = !isOfTerminals(call);
      const expected = { call, isRefused: isRefused && isNoted, isNoted };
      expect(await read(cloud, device, call)).toEqual(expected);
    }
  });

  it.each([
    { readsFor: 'devices-and-users', isRefused: false },
    { readsFor: 'users', isRefused: true },
  ] as const)(
    'is no deviation where the service is said to be for $readsFor',
    async ({ readsFor, isRefused }) => {
      await using cloud = await startCloud({ readsFor });
      const { device } = await enrol(cloud);
      for (const call of guardedReads) {
        expect(await read(cloud, device, call)).toEqual({ call, isRefused, isNoted: false });
      }
    },
  );

  it('is free with a key that allows unauthenticated requests', async () => {
    await using cloud = await startCloud({
      keyAllows: ['unauthenticated-requests'],
      readsFor: 'terminals-only',
    });
    const { device } = await enrol(cloud);
    for (const call of guardedReads) {
      expect(await read(cloud, device, call)).toEqual({ call, isRefused: false, isNoted: false });
    }
  });
});
