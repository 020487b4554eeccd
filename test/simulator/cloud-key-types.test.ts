/** The keys that a client may register with the simulated cloud, and what is signed with them (src/cloud/README.md 1 and 2). */
import type { KeyObject, KeyPairKeyObjectResult } from 'node:crypto';
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { makeCertificate } from '../support/certificates.ts';
import {
  fieldsOf,
  form,
  grant,
  oauth,
  registration,
  textField,
  unsigned,
} from '../support/cloud/hand-client.ts';

const pairs = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ed25519: generateKeyPairSync('ed25519'),
};
type Algorithm = keyof typeof pairs;
const authority = makeCertificate({ commonName: 'Authority' });

const derOf = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).toString('base64');
const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }).toString();
const certificateOf = (keys: KeyPairKeyObjectResult): string =>
  makeCertificate({ commonName: 'Lobby gateway', issuer: authority, keys }).pem;
const rawOf = (pem: string): string => new X509Certificate(pem).raw.toString('base64');

const signedBy = (algorithm: Algorithm, body: string): string =>
  sign(algorithm === 'ed25519' ? null : 'sha256', Buffer.from(body), pairs[algorithm].privateKey).toString(
    'base64',
  );

interface Registered {
  readonly key_type: 'rsa' | 'x509' | 'ed25519';
  readonly form: string;
  readonly algorithm: Algorithm;
  readonly public_key: string;
}

const keys: readonly Registered[] = [
  { key_type: 'rsa', form: 'a key', algorithm: 'rsa', public_key: derOf(pairs.rsa.publicKey) },
  { key_type: 'rsa', form: 'a key in PEM', algorithm: 'rsa', public_key: pemOf(pairs.rsa.publicKey) },
  { key_type: 'ed25519', form: 'a key', algorithm: 'ed25519', public_key: derOf(pairs.ed25519.publicKey) },
  ...(['rsa', 'ec', 'ed25519'] as const).flatMap((algorithm): readonly Registered[] => {
    const certificate = certificateOf(pairs[algorithm]);
    return [
      { key_type: 'x509', form: 'a certificate', algorithm, public_key: rawOf(certificate) },
      { key_type: 'x509', form: 'a certificate in PEM', algorithm, public_key: certificate },
      { key_type: 'x509', form: 'a key', algorithm, public_key: derOf(pairs[algorithm].publicKey) },
    ];
  }),
];

const register = (
  cloud: SimulatedCloud,
  fields: Partial<Registered>,
  signature: (body: string) => string,
) => {
  const { public_key = '', key_type = '' } = fields;
  const body = form({ ...registration(cloud), public_key, key_type });
  return oauth(cloud, '/register', body, signature(body));
};

const ask = async (cloud: SimulatedCloud, device_code: string, algorithm: Algorithm) => {
  const body = form(grant(cloud, { device_code }));
  return await oauth(cloud, '/token', body, signedBy(algorithm, body));
};

describe('a client with a key', () => {
  it.each(keys)('of the type $key_type, which is $form for $algorithm, has its tokens', async (key) => {
    await using cloud = await startCloud();
    const code = await textField(await register(cloud, key, () => unsigned), 'device_code');
    cloud.approve();
    expect(await fieldsOf(await ask(cloud, code, key.algorithm))).toHaveProperty('access_token');
    const again = await register(cloud, key, (body) => signedBy(key.algorithm, body));
    const known = await ask(cloud, await textField(again, 'device_code'), key.algorithm);
    expect(await fieldsOf(known)).toHaveProperty('access_token');
    expect(cloud.deviations).toEqual([]);
  });

  it.each(keys)('of the type $key_type, which is $form for $algorithm, signs with no other', async (key) => {
    await using cloud = await startCloud({ approval: 'at-once' });
    const code = await textField(await register(cloud, key, () => unsigned), 'device_code');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const body = form(grant(cloud, { device_code: code }));
    const wrong = [
      signedBy(key.algorithm, `${body}\n`),
      sign('sha256', Buffer.from(body), privateKey).toString('base64'),
      'AAAA',
    ];
    for (const signature of wrong) {
      const answer = await oauth(cloud, '/token', body, signature);
      expect([answer.status, await textField(answer, 'x_error_code')]).toEqual([401, 'invalid_signature']);
    }
    expect(cloud.deviations).toHaveLength(wrong.length);
  });

  it('is known again by a certificate that was renewed for the same key', async () => {
    await using cloud = await startCloud({ approval: 'at-once' });
    const certified = () => ({ key_type: 'x509', public_key: rawOf(certificateOf(pairs.ec)) }) as const;
    await register(cloud, certified(), () => unsigned);
    const again = await register(cloud, certified(), (body) => signedBy('ec', body));
    expect(again.status).toBe(200);
  });
});

const x25519 = generateKeyPairSync('x25519').publicKey;
const privatePem = pairs.rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const notBase64 = 'public_key is not base64, nor a PEM of a public key';

interface BadKey {
  readonly key_type: Registered['key_type'];
  readonly what: string;
  readonly public_key: string;
  readonly why: string;
}

describe('a registration', () => {
  it.each<BadKey>([
    { key_type: 'rsa', what: 'no base64', public_key: 'no key', why: notBase64 },
    { key_type: 'rsa', what: 'a private key', public_key: privatePem, why: notBase64 },
    {
      key_type: 'rsa',
      what: 'no key',
      public_key: 'AAAA',
      why: 'public_key is no key in SubjectPublicKeyInfo',
    },
    {
      key_type: 'rsa',
      what: 'a certificate',
      public_key: rawOf(certificateOf(pairs.rsa)),
      why: 'public_key is a certificate; key_type rsa takes a key only',
    },
    {
      key_type: 'rsa',
      what: 'a key of a curve',
      public_key: derOf(pairs.ec.publicKey),
      why: 'public_key is a key for ec, which key_type rsa does not take',
    },
    {
      key_type: 'ed25519',
      what: 'an RSA key',
      public_key: derOf(pairs.rsa.publicKey),
      why: 'public_key is a key for rsa, which key_type ed25519 does not take',
    },
    {
      key_type: 'x509',
      what: 'a key that signs nothing',
      public_key: derOf(x25519),
      why: 'public_key is a key for x25519, which key_type x509 does not take',
    },
    {
      key_type: 'x509',
      what: 'neither key nor certificate',
      public_key: 'AAAA',
      why: 'public_key is no key in SubjectPublicKeyInfo, and no X.509 certificate',
    },
  ])('of $key_type with $what is refused, and says why', async ({ key_type, public_key, why }) => {
    await using cloud = await startCloud();
    const answer = await register(cloud, { key_type, public_key }, () => unsigned);
    expect(answer.status).toBe(400);
    expect(await fieldsOf(answer)).toEqual({
      error: 'invalid_request',
      error_description: `Invalid parameters: ${why}`,
      x_error_code: 'invalid_parameters',
    });
    expect(cloud.deviations).toEqual([expect.stringContaining(why)]);
    expect(cloud.state.endpoints).toEqual([]);
  });
});
