/** The certificates that a configuration brings, as `platen check` names them: which of them ends, and when. */
import { expect, it } from 'vitest';
import { examineOwnCertificates } from '../../../src/commands/check/own-certificates.ts';
import type { Config } from '../../../src/config/schema/config.ts';
import { makeCertificate } from '../../support/certificates.ts';

const call = { signal: new AbortController().signal };
const inDays = (days: number) =>
  makeCertificate({ commonName: 'gw', notAfter: new Date(Date.now() + days * 86_400_000 + 60_000) }).pem;
const stepsFor = (own: number, authority: number, another = 400) =>
  examineOwnCertificates({
    cloud: { caFile: inDays(authority), proxy: { caFile: inDays(another) } },
    operations: { tls: { certificate: inDays(own) } },
  } as unknown as Config);
const look = (...days: Parameters<typeof stepsFor>) =>
  Promise.allSettled(stepsFor(...days).map(({ examine }) => examine(call)));

it('names each by its key and its days, the soonest first', async () => {
  expect(stepsFor(300, 40).map(({ what }) => what)).toEqual(['own certificates', 'certificate authorities']);
  expect(await look(300, 40, 20)).toMatchObject([
    { value: 'the certificate of operations.tls.certificateFile is valid for 300 more days' },
    {
      value:
        'the certificate of cloud.proxy.caFile is valid for 20 more days; the certificate of cloud.caFile is valid for 40 more days',
    },
  ]);
});

it('fails where one ends within two weeks, and says which', async () => {
  expect(await look(4, 40)).toMatchObject([
    {
      reason: {
        message: 'the certificate of operations.tls.certificateFile is valid for 4 more days; renew it',
      },
    },
    { status: 'fulfilled' },
  ]);
});

it('says nothing where there is none', () => {
  expect(examineOwnCertificates({ operations: {} } as unknown as Config)).toEqual([]);
});
