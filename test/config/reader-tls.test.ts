/** How the configuration says who a network reader is (INVARIANTS.md T10). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outsideOf } from '../../src/config/outside.ts';
import { reader } from '../../src/config/schema/reader.ts';
import { makeCertificate } from '../support/certificates.ts';
import { temporaryDirectory } from '../support/printer/samples.ts';

const folder = () => {
  const path = temporaryDirectory();
  writeFileSync(join(path, 'house.pem'), makeCertificate({ commonName: 'House' }).pem);
  return path;
};
const read = (tls: object) =>
  reader(outsideOf(folder(), {})).safeParse({ type: 'tcp-connect', address: '10.0.0.21:10002', tls });

const pairs = Array.from({ length: 32 }, () => 'ab');

describe('tls of a reader', () => {
  it.each([
    ['by the authorities of the system', {}, {}],
    ['by its fingerprint', { fingerprint: pairs.join(':') }, { fingerprint: pairs.join(':').toUpperCase() }],
    [
      'by its fingerprint, bare',
      { fingerprint: pairs.join('') },
      { fingerprint: pairs.join(':').toUpperCase() },
    ],
    [
      'by an authority of the house',
      { caFile: 'house.pem' },
      { caFile: expect.stringContaining('BEGIN') as string },
    ],
  ])('recognises it %s', (_, tls, expected) => {
    expect(read(tls).data).toMatchObject({ tls: expected });
  });

  it.each([
    ['a fingerprint that is cut', { fingerprint: 'ab:cd' }, 'must be a SHA-256 fingerprint'],
    ['no such file', { caFile: 'none.pem' }, 'none.pem'],
    ['both', { caFile: 'house.pem', fingerprint: pairs.join('') }, 'must not be set together with caFile'],
    ['a switch to check nothing', { insecure: true }, 'insecure'],
  ])('does not have %s', (_, tls, mistake) => {
    expect(read(tls).error?.message).toContain(mistake);
  });
});
