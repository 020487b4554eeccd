/** When the certificates of a configuration end: its own chain, and each file of authorities once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { certificateEnds } from '../../src/config/certificate-ends.ts';
import { checkConfig } from '../../src/config/load.ts';
import { identityOf, makeCertificate } from '../support/certificates.ts';

const inYear = (year: number) => new Date(Date.UTC(year, 0, 1));
const authority = (year: number) => makeCertificate({ commonName: 'authority', notAfter: inYear(year) });

it('of its own chain all count, and of a file of authorities the last', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-ends-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const issuer = authority(2040);
  const own = makeCertificate({ commonName: 'gw', hosts: ['gw.example'], issuer, notAfter: inYear(2031) });
  writeFileSync(join(folder, 'own.crt'), own.pem + issuer.pem);
  writeFileSync(join(folder, 'own.key'), identityOf(own).key, { mode: 0o600 });
  writeFileSync(join(folder, 'authorities.pem'), `old ones\n${authority(2020).pem}${authority(2035).pem}`);
  writeFileSync(join(folder, 'administrators.pem'), authority(2033).pem);
  const config = checkConfig(
    `
cloud:
  baseUrl: https://print.example
  authUrl: https://print.example
  apiKey: a key
  caFile: authorities.pem
terminals:
  - id: lobby
    serialNumber: SN-0001
    printer: { uri: 'ipps://10.0.0.7/ipp/print', tls: { caFile: authorities.pem } }
operations:
  tls: { certificateFile: own.crt, key: { file: own.key }, clientCaFile: administrators.pem }
`,
    { file: join(folder, 'platen.yaml'), env: {} },
  );
  const years = certificateEnds(config).map(({ key, end }) => `${key} ${new Date(end).getUTCFullYear()}`);
  expect(years.toSorted()).toEqual([
    'cloud.caFile 2035',
    'operations.tls.certificateFile 2031',
    'operations.tls.certificateFile 2040',
    'operations.tls.clientCa 2033',
  ]);
});
