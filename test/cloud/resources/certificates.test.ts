/** Certificates over the wire: spec, Certificates and CertificateInfo. */
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCertificates } from '../../../src/cloud/resources/certificates.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { problemOf } from '../../support/cloud/cloud-under-test.ts';
import { answerJson, answerStatus } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const notBefore = new Date('2026-01-02T03:04:05.000Z');
const notAfter = new Date('2036-01-02T03:04:05.000Z');
const { pem } = makeCertificate({ commonName: 'Example Root', notBefore, notAfter });
const x509 = new X509Certificate(pem);
const reported = {
  alias: 'root-1',
  serial: '1',
  subject: 'CN=Somebody else',
  issuer: 'CN=Somebody else',
  notBefore: 'yesterday',
  notAfter: 'tomorrow',
};
const read = {
  alias: 'root-1',
  serial: x509.serialNumber,
  subject: 'CN=Example Root',
  issuer: 'CN=Example Root',
  notBefore: notBefore.toISOString(),
  notAfter: notAfter.toISOString(),
  fingerprint: x509.fingerprint256,
  pem: x509.toString(),
};

describe('the certificates of authorities', () => {
  it.each([
    ['PEM', pem],
    ['DER in base64', x509.raw.toString('base64')],
    ['PEM with text around it', `Example Root\n${pem}\n`],
  ])('in %s tell by themselves who they are, whatever the service says of them', async (_, body) => {
    await using under = await resourceWith(answerJson([{ ...reported, body }]));
    const certificates = createCertificates(under.parts);
    expect(await certificates.authorities(asUser)).toEqual([read]);
    expect(await certificates.roots(asUser)).toEqual([read]);
    expect(requestsOf(under)).toEqual(['GET /api/v1/certificate/ca', 'GET /api/v1/certificate/root']);
  });

  it.each([
    '',
    'no base64 at all',
    Buffer.from('no certificate').toString('base64'),
    pem.slice(0, 200),
    null,
  ])('that are none are left out: %j', async (body) => {
    await using under = await resourceWith(answerJson({ items: [{ ...reported, body }, { body: pem }] }));
    expect(await createCertificates(under.parts).roots(asUser)).toEqual([{ ...read, alias: undefined }]);
    expect(JSON.parse(under.logged.join(''))).toMatchObject({ list: 'certificates', unusable: 1 });
  });

  it.each([400, 404, 405, 501])('are not offered by a server that answers %i: a gateway', async (status) => {
    await using under = await resourceWith(answerStatus(status));
    expect(await createCertificates(under.parts).authorities(asUser)).toBeUndefined();
  });

  it('are not taken for absent because they cannot be had', async () => {
    await using under = await resourceWith((response) => response.socket?.resetAndDestroy());
    const asked = createCertificates(under.parts).roots(asUser);
    expect((await problemOf(asked)).code).toBe('cloud-unreachable');
  });

  itGoesWithEitherToken((parts, options) => createCertificates(parts).roots(options), answerJson([]));
  itRejectsRefusals((parts, options) => createCertificates(parts).authorities(options), [400, 404, 405]);
});
