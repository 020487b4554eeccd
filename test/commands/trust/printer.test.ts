/** `platen trust --printer`: the approval of a printer, by what somebody has compared (INVARIANTS.md T13). */
import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { decodeMessage } from '../../../src/ipp/decode.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { textWithoutLanguage, uri as uriValue } from '../../../src/ipp/values.ts';
import { createPrinterMemory } from '../../../src/store/files/printer-memory.ts';
import { makeCertificate } from '../../support/certificates.ts';
import {
  answer,
  idlePrinter,
  startHttp,
  startScriptedPrinter,
} from '../../support/printer/scripted-printer.ts';
import { commandHere } from '../../support/command-here.ts';
import { withoutLimit } from '../../support/patience.ts';

async function setUp(uri: string, ...others: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-trust-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const stateDir = join(folder, 'state');
  await mkdir(stateDir);
  const config = join(folder, 'platen.yaml');
  const url = 'http://127.0.0.1:9';
  const settings = {
    cloud: { baseUrl: url, authUrl: url, apiKey: 'key' },
    stateDir: 'state',
    terminals: [
      {
        id: 'annex',
        serialNumber: 'SN-1',
        ...(others.length === 0
          ? { printer: { uri } }
          : { printers: [uri, ...others].map((one) => ({ name: one, uri: one })) }),
      },
    ],
  };
  await writeFile(config, stringify(settings));
  const trust = (...more: readonly string[]) =>
    commandHere(['trust', '-c', config, '--printer', ...more], withoutLimit().signal);
  return { trust, memory: createPrinterMemory({ stateDir, terminal: 'annex' }), place: new URL(uri).host };
}

const identity = [
  attribute('printer-uuid', uriValue('urn:uuid:2')),
  attribute('printer-device-id', textWithoutLanguage('MFG:A;SN:S2;')),
];

async function startTlsPrinter() {
  const { pem, key } = makeCertificate({ commonName: 'the printer', hosts: ['printer'] });
  const uri = await startHttp(
    async (request, response) => {
      expect(request.headers.authorization).toBeUndefined();
      answer(response, decodeMessage(await buffer(request)).message, idlePrinter(...identity));
    },
    { cert: pem, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() },
  );
  return { uri, fingerprint: new X509Certificate(pem).fingerprint256 };
}

it('shows what the printer offers beside what is remembered, and approves exactly what was compared', async () => {
  const { uri, fingerprint } = await startTlsPrinter();
  const { trust, memory, place } = await setUp(uri);
  const before = {
    uri,
    certificate: { fingerprint: 'AA:AA', trustedBy: 'pin' },
    identity: { uuid: 'urn:uuid:1' },
  } as const;
  memory.keep(place, before);

  const { code, out } = await trust('annex');
  expect(code).toBe(0);
  const rows = out.split('\n').map((line) => line.split(/ {2,}/));
  expect(rows).toContainEqual(['SHA-256 fingerprint', fingerprint, 'AA:AA']);
  expect(rows).toContainEqual(['printer-uuid', 'urn:uuid:2', 'urn:uuid:1']);
  expect(rows).toContainEqual(['subject', 'CN=the printer', '-']);
  expect(memory.recall(place)).toEqual(before);

  const other = await trust('annex', '--fingerprint', 'ab'.repeat(32));
  expect([other.code, other.error]).toEqual([1, expect.stringContaining('nothing was approved')]);
  expect(memory.recall(place)).toEqual(before);

  const approval = await trust('annex', '--fingerprint', fingerprint.replaceAll(':', '').toLowerCase());
  expect([approval.code, approval.out]).toEqual([0, expect.stringContaining(`approved: ${uri}`)]);
  expect(memory.recall(place)).toEqual({
    uri,
    certificate: { fingerprint, trustedBy: 'pin', approved: true },
    identity: { uuid: 'urn:uuid:2', serialNumber: 'S2' },
  });
});

it('a printer without a certificate is approved by the digest of its identity', async () => {
  const uri = await startScriptedPrinter(() => idlePrinter(...identity));
  const { trust, memory, place } = await setUp(uri);
  const [{ offered }] = JSON.parse((await trust('annex', '--json')).out) as [
    { offered: { fingerprint: string } },
  ];
  expect((await trust('annex', '--fingerprint', offered.fingerprint)).code).toBe(0);
  expect(memory.recall(place)?.identity).toEqual({ uuid: 'urn:uuid:2', serialNumber: 'S2' });
});

it('of several printers each that shows who it is is shown, and the one that was compared is approved', async () => {
  const [first, second] = [await startTlsPrinter(), await startTlsPrinter()];
  const { trust, memory } = await setUp(first.uri, 'socket://127.0.0.1:9', second.uri);
  const met = JSON.parse((await trust('annex', '--json')).out) as { uri: string }[];
  expect(met.map(({ uri }) => uri)).toEqual([first.uri, second.uri]);
  expect((await trust('annex', '--fingerprint', second.fingerprint)).code).toBe(0);
  expect(memory.all()).toMatchObject([{ uri: second.uri }]);
});

it.each([
  [['nowhere'], 1, 'There is no terminal nowhere'],
  [['annex', '--user', 'admin'], 64, 'give --printer only with --fingerprint and --json'],
  [['annex'], 1, 'no answer from 127.0.0.1'],
])('%j is told what is wrong', async (options, code, message) => {
  const { trust } = await setUp('ipp://127.0.0.1:9/ipp/print');
  const said = await trust(...options);
  expect([said.code, said.error]).toEqual([code, expect.stringContaining(message)]);
});
