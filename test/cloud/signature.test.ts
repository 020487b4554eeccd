/** The published vector of src/cloud/README.md 2, and what must not verify. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { publicKey, sign } from '../../src/cloud/oauth/oauth-messages.ts';
import { Secret } from '../../src/core/secret.ts';

const seed = new Secret('pP20r1Hmqf5NTO8Rd7Truipu5f8aR+Em47cTvWleTc8=');
const text =
  'client_id=0966a26c-a5fc-4276-9c6b-587d02aceb91&client_secret=mykey&grant_type=device_code&device_code=wVgzOcLwemGJPfY_d01E3PA8H3k';
const signature = 'MKS1dCmgp4rLbZ2oaQeFb9pultWjI0zU7si5lb3oLCJWH8t8jgps4LLz/isPSa5OWfQAtFB3NAu04axirmF9CA==';

describe('the published vector', () => {
  const spki = Buffer.from('MCowBQYDK2VwAyEAHUUtnCdtG1x9oiSI4ODtvIEmI/qp7lFknsu1lpVk8T8=', 'base64');
  const verifies = (body: Buffer) =>
    verify(
      null,
      body,
      createPublicKey({ key: spki, format: 'der', type: 'spki' }),
      Buffer.from(signature, 'base64'),
    );

  it('is the signature made', () => {
    expect(Buffer.byteLength(text)).toBe(129);
    expect(sign(seed, Buffer.from(text))).toBe(signature);
  });

  it('has the public key derived from the seed', () => {
    expect(publicKey(seed)).toBe('HUUtnCdtG1x9oiSI4ODtvIEmI/qp7lFknsu1lpVk8T8=');
  });

  it('verifies for the very bytes, and for no others', () => {
    expect(verifies(Buffer.from(text))).toBe(true);
    expect(verifies(Buffer.from(`${text}\n`))).toBe(false);
    expect(verifies(Buffer.from(text.replace('mykey', 'mykez')))).toBe(false);
    expect(verifies(createHash('sha256').update(text).digest())).toBe(false);
  });
});
