/** The certificates that a configuration brings, as `platen check` names them: which of them ends, and when. */
import { expect, it } from 'vitest';
import { examineOwnCertificates } from '../../../src/commands/check/own-certificates.ts';
import type { Config } from '../../../src/config/schema/config.ts';
import { makeCertificate } from '../../cloud/certificates.ts';

const call = { signal: new AbortController().signal };
const inDays = (days: number) =>
  makeCertificate({ commonName: 'gw', notAfter: new Date(Date.now() + days * 86_400_000 + 60_000) }).pem;
const look = (own: number, authority: number) =>
  examineOwnCertificates({
    cloud: { caFile: inDays(authority) },
    operations: { tls: { certificate: inDays(own) } },
  } as unknown as Config)[0]?.examine(call);

it('names each by its key and its days, the soonest first', async () => {
  expect(await look(300, 40)).toBe(
    'that of cloud.caFile is valid for 40 days more; that of operations.tls.certificateFile is valid for 300 days more',
  );
});

it('fails where one ends within two weeks, and says which', async () => {
  await expect(look(4, 40)).rejects.toThrow(
    /^that of operations\.tls\.certificateFile is valid for 4 days more; that of cloud\.caFile .*; renew it$/,
  );
});

it('says nothing where there is none', () => {
  expect(examineOwnCertificates({ operations: {} } as unknown as Config)).toEqual([]);
});
