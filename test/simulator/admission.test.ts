/** Who may make which call, for every call there is: what the API key allows × what comes along (spec, Authentication). */
import { describe, expect, it } from 'vitest';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { Route } from '../../src/simulator/cloud/route.ts';
import { apiRoutes } from '../../src/simulator/cloud/routes.ts';
import type { KeyAllowance } from '../../src/simulator/cloud/settings.ts';
import { api, enrol } from '../support/cloud/hand-client.ts';

const nameOf = ({ method, path }: Route): string => `${method} ${path.replace('/api/v1', '')}`;
const all = apiRoutes.map(nameOf);
const forAnybody = ['GET /version', 'HEAD /account', 'GET /token', 'GET /authproviders'];
const isOfDocuments = (name: string) => / \/documents/.test(name);
/** Authentication 4: for trusted devices. */
const needsTrust = (name: string) =>
  isOfDocuments(name) || name === 'POST /login' || name === 'GET /terminalconfig';
/** The lines that name a device token, or no permission of a user: contract 3, supplement 7. */
const ofDevices = [
  ...['POST /login', 'GET /terminalconfig', 'PUT /outputports/<outputportid>/terminalinfo'],
  ...['PUT /documents', 'POST /documents/history', 'GET /card', 'POST /card', 'GET /certificate/root'],
  'GET /endpoints/<endpointid>',
];

interface Case {
  readonly allows: readonly KeyAllowance[];
  readonly token: 'none' | 'device';
  readonly isOpen: (name: string) => boolean;
  readonly said: string;
}

const reads = new Set(apiRoutes.filter(({ takes }) => takes === 'reading').map(nameOf));
const takesDevice = (name: string) => ofDevices.includes(name) || reads.has(name);

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
        await api(cloud, route.path.replace('/api/v1', '').replaceAll(/<\w+>/g, '1'), {
          method: route.method,
          ...(token === 'device' && { token: device }),
        });
        if (cloud.deviations.slice(before).some((one) => / where a [\w ]+ token belongs /.test(one)))
          refused.push(nameOf(route));
      }
      expect(refused).toEqual(all.filter((name) => !forAnybody.includes(name) && !isOpen(name)));
    },
  );
});
