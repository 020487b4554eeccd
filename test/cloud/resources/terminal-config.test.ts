/** The port TerminalConfigs over the wire: spec, Terminal config; src/cloud/README.md 12, row 31. */
import { describe, expect, it } from 'vitest';
import { createTerminalConfig, createTerminalConfigs } from '../../../src/cloud/resources/terminal-config.ts';
import { Secret } from '../../../src/core/secret.ts';
import { problemOf } from '../../support/cloud/cloud-under-test.ts';
import type { Reply } from '../../support/cloud/scripted-server.ts';
import { answerJson, answerStatus } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const config = {
  services: {
    print: { serviceId: 'PRINT', enabled: true, instanceIndex: 1 },
    scanToMe: { smtp: { password: 'canary' } },
  },
  'authentication-way': {
    oneTimePasswordEnrollment: true,
    cardOnlyAuthentication: false,
    shortIdAuthentication: true,
    developerLogEnabled: true,
  },
};
async function readFrom(reply: Reply) {
  await using under = await resourceWith(reply);
  return await createTerminalConfigs(under.parts).read('SN 1', asUser);
}

describe('the config of a terminal', () => {
  it('is read by the serial number', async () => {
    await using under = await resourceWith(answerJson(config));
    expect(await createTerminalConfigs(under.parts).read('SN 1', asUser)).toEqual({
      printEnabled: true,
      oneTimePasswordEnrollment: true,
      cardOnlyAuthentication: false,
      shortIdAuthentication: true,
      developerLogEnabled: true,
    });
    expect(requestsOf(under)).toEqual(['GET /api/v1/terminalconfig?serialnumber=SN%201']);
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['services that are none', { services: 'all', 'authentication-way': [] }],
    ['nothing of printing', { services: {}, 'authentication-way': {} }],
    ['words for flags', { services: { print: { enabled: 'yes' } } }],
  ])('may say %s, and then nothing is known', async (_, answer) => {
    expect(await readFrom(answerJson(answer))).toEqual({});
  });

  it.each([400, 404])('may not be there: %i', async (status) => {
    expect(await readFrom(answerStatus(status))).toBeUndefined();
  });

  it('is not taken from what is no object', async () => {
    expect((await problemOf(readFrom(answerJson('none')))).code).toBe('cloud-protocol');
  });

  itGoesWithEitherToken(
    (parts, options) => createTerminalConfigs(parts).read('SN', options),
    answerJson(config),
  );
  itRejectsRefusals((parts, options) => createTerminalConfigs(parts).read('SN', options), [400, 404]);
});

describe('a new config', () => {
  const wanted = { domainName: 'example.com', name: 'Lobby', vendor: 'MAKER_A', devices: [7, 8] };
  const made = answerJson({ errorCode: 0, id: 31 });

  it('is posted as a form, with a device each', async () => {
    await using under = await resourceWith(made);
    const admin = { user: 'admin', password: new Secret('s&cret') };
    const all = { ...wanted, admin, applicationType: 'workpath' } as const;
    expect(await createTerminalConfig(under.parts, all, asUser)).toBe(31);
    expect(await createTerminalConfig(under.parts, wanted, asUser)).toBe(31);
    expect(requestsOf(under)).toEqual([
      'POST /api/v1/terminalconfig domain=example.com&name=Lobby&vendor=MAKER_A&adminuser=admin' +
        '&adminpassword=s%26cret&applicationtype=3&devices=7&devices=8',
      'POST /api/v1/terminalconfig domain=example.com&name=Lobby&vendor=MAKER_A&devices=7&devices=8',
    ]);
  });

  it('is none where the service says so', async () => {
    await using under = await resourceWith(answerJson({ errorCode: 1070 }));
    expect(await problemOf(createTerminalConfig(under.parts, wanted, asUser))).toMatchObject({
      reasons: ['create-terminal-configuration-error'],
    });
  });

  itGoesWithEitherToken((parts, options) => createTerminalConfig(parts, wanted, options), made);
  itRejectsRefusals((parts, options) => createTerminalConfig(parts, wanted, options));
});
