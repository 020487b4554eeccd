/** Which printer is printed on: its certificate and its identity (INVARIANTS.md D9, T12, T13). */
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { Secret } from '../../../src/core/secret.ts';
import { textWithoutLanguage, uri as uriValue } from '../../../src/ipp/values.ts';
import { attribute } from '../../../src/ipp/message.ts';
import type { KnownPrinter, PrinterHabits, PrinterMemory } from '../../../src/domain/ports/printer-memory.ts';
import { isProblem } from '../../../src/domain/problem/problem.ts';
import { createAcquaintance, judgeCertificate } from '../../../src/printing/ipp/wire/acquaintance.ts';
import { ippAddress } from '../../../src/printing/ipp/wire/ipp-address.ts';
import { learnNameCut } from '../../../src/printing/ipp/job/job-looks.ts';
import type { SeenCertificate } from '../../../src/printing/ipp/wire/acquaintance.ts';
import type { PrinterAccess } from '../../../src/printing/ipp/ipp-session.ts';
import type { Certificate } from '../../support/certificates.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { password, startGuardedPrinter } from '../../support/printer/guarded-printer.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { openPrinter, sendTo } from '../../support/printer/printers.ts';
import { pdfOf, spooled } from '../../support/printer/samples.ts';
import {
  answer,
  idlePrinter,
  jobAnswer,
  startHttp,
  startScriptedPrinter,
} from '../../support/printer/scripted-printer.ts';
import { buffer } from 'node:stream/consumers';
import { decodeMessage } from '../../../src/ipp/decode.ts';
import { withoutLimit } from '../../support/patience.ts';

/** What it gives, or the code of the problem it throws. */
function verdictOf(judge: () => string): string {
  try {
    return judge();
  } catch (error) {
    if (!isProblem(error)) throw error;
    return error.code;
  }
}

/** One printer, whatever its address: the ports of these tests are taken anew. */
function memoryOf(known?: Partial<KnownPrinter>) {
  let held: KnownPrinter | undefined = known && { uri: '', ...known };
  const memory: PrinterMemory = {
    recall: () => held,
    keep: (_, next) => {
      held = next;
    },
    all: () => (held ? [held] : []),
  };
  return { memory, held: () => held };
}

const accessWith = (memory: PrinterMemory, more: Partial<PrinterAccess> = {}): PrinterAccess => ({
  memory,
  tls: { trust: 'auto' },
  chance: systemChance,
  ...more,
});

const tlsOf = ({ pem, key }: Certificate) => ({
  cert: pem,
  key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
const fingerprintOf = ({ pem }: Certificate) => new X509Certificate(pem).fingerprint256;
const ownSigned = (more: object = {}) =>
  makeCertificate({ commonName: 'printer', hosts: ['printer'], ...more });

async function startTlsPrinter(certificate: Certificate) {
  let requests = 0;
  const uri = await startHttp(async (request, response) => {
    requests += 1;
    answer(response, decodeMessage(await buffer(request)).message, idlePrinter());
  }, tlsOf(certificate));
  return { uri, requests: () => requests };
}

describe('the certificate of a printer', () => {
  it('that signs for itself is pinned at its first use, told, and from then on must be that one', async () => {
    const { memory, held } = memoryOf();
    const first = ownSigned();
    const { uri } = await startTlsPrinter(first);
    const { printer, recorded } = openPrinter(uri, { access: accessWith(memory) });
    const { certificate } = await printer.describe(withoutLimit());
    expect(certificate).toMatchObject({ fingerprint: fingerprintOf(first), trustedBy: 'pin' });
    await printer.describe(withoutLimit());
    expect(recorded.records('printer certificate pinned')).toEqual([
      expect.objectContaining({ level: 'warn', printer: uri, fingerprint: fingerprintOf(first) }),
    ]);

    const second = ownSigned();
    const impostor = await startTlsPrinter(second);
    const refusal = openPrinter(impostor.uri, { access: accessWith(memory) }).printer.describe(
      withoutLimit(),
    );
    await expect(refusal).rejects.toMatchObject({
      code: 'printer-certificate-changed',
      delivery: 'not-sent',
      message: `the certificate of localhost was ${fingerprintOf(first)} and is ${fingerprintOf(second)}`,
    });
    expect(impostor.requests()).toBe(0);
    expect(held()?.certificate?.fingerprint).toBe(fingerprintOf(first));
  });

  it('approved meanwhile is accepted at once: the memory is asked at each connection', async () => {
    const { memory } = memoryOf({ certificate: { fingerprint: 'AB', trustedBy: 'pin' } });
    const certificate = ownSigned();
    const { uri } = await startTlsPrinter(certificate);
    const { printer } = openPrinter(uri, { access: accessWith(memory) });
    await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
      code: 'printer-certificate-changed',
    });
    memory.keep('', { uri, certificate: { fingerprint: fingerprintOf(certificate), trustedBy: 'pin' } });
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true });
  });

  it('that the authority of its caFile has signed for this name needs no pin', async () => {
    const { memory, held } = memoryOf();
    const authority = makeCertificate({ commonName: 'House' });
    const signed = makeCertificate({ commonName: 'printer', hosts: ['localhost'], issuer: authority });
    const { uri } = await startTlsPrinter(signed);
    const access = accessWith(memory, { tls: { trust: 'ca', caFile: authority.pem } });
    const { certificate } = await openPrinter(uri, { access }).printer.describe(withoutLimit());
    expect(certificate?.trustedBy).toBe('ca');
    expect(held()?.certificate?.trustedBy).toBe('ca');
  });

  it('that nobody vouches for is refused where authorities alone are trusted', async () => {
    const { uri, requests } = await startTlsPrinter(ownSigned());
    const access = accessWith(memoryOf().memory, { tls: { trust: 'ca' } });
    await expect(openPrinter(uri, { access }).printer.describe(withoutLimit())).rejects.toMatchObject({
      code: 'printer-certificate-refused',
      reasons: ['DEPTH_ZERO_SELF_SIGNED_CERT'],
    });
    expect(requests()).toBe(0);
  });

  const day = 86_400_000;
  const seen = (more: Partial<SeenCertificate> = {}): SeenCertificate => ({
    fingerprint: 'AA',
    subject: '',
    issuer: '',
    validFrom: 0,
    validTo: 100 * day,
    ...more,
  });
  const pin = { fingerprint: 'AA', trustedBy: 'pin' } as const;
  const ca = { fingerprint: 'AA', trustedBy: 'ca' } as const;
  const fault = 'CERT_HAS_EXPIRED';

  it.each<[string, SeenCertificate, typeof pin | typeof ca | undefined, number, string]>([
    ['an authority stands for it', seen(), undefined, 1, 'ca'],
    ['an authority stands for it, whatever was pinned', seen({ fingerprint: 'BB' }), pin, 1, 'ca'],
    ['first use', seen({ fault }), undefined, 1, 'pin'],
    ['first use of one that has run out', seen({ fault }), undefined, 101, 'printer-certificate-refused'],
    [
      'first use before its time',
      seen({ fault, validFrom: 2 * day }),
      undefined,
      1,
      'printer-certificate-refused',
    ],
    ['pinned', seen({ fault }), pin, 1, 'pin'],
    ['pinned, and run out since', seen({ fault }), pin, 101, 'pin'],
    ['of an authority, and run out since', seen({ fault }), ca, 101, 'printer-certificate-refused'],
    ['another than the pinned', seen({ fault, fingerprint: 'BB' }), pin, 1, 'printer-certificate-changed'],
    [
      'self-signed after an authority',
      seen({ fault, fingerprint: 'BB' }),
      ca,
      1,
      'printer-certificate-changed',
    ],
  ])('%s', (_, certificate, known, days, verdict) => {
    const judged = verdictOf(() =>
      judgeCertificate(certificate, known, { trust: 'auto', host: 'p', now: days * day }),
    );
    expect(judged).toBe(verdict);
  });

  it.each([
    ['never used', undefined],
    ['vouched for before', ca],
  ])('that has run out and was %s is refused with the command that helps', (_, known) => {
    const judge = () =>
      judgeCertificate(seen({ fault }), known, { trust: 'auto', host: 'p', now: 101 * day });
    expect(judge).toThrow(/platen trust --printer/);
  });
});

it('credentials are not shown to whoever stands there with another certificate (T12)', async () => {
  const { memory } = memoryOf();
  const access = accessWith(memory, { credentials: { username: 'alice', password: new Secret(password) } });
  const own = ownSigned();
  const real = await startGuardedPrinter({ scheme: 'Basic', tls: tlsOf(own) });
  const approved = { fingerprint: fingerprintOf(own), trustedBy: 'pin', approved: true } as const;
  memory.keep('', { uri: real.uri, certificate: approved });
  await openPrinter(real.uri, { access }).printer.describe(withoutLimit());
  expect(real.visits.at(-1)).toMatchObject({ status: 200 });

  const collector = await startGuardedPrinter({ scheme: 'Basic', tls: tlsOf(ownSigned()) });
  const { printer } = openPrinter(collector.uri, { access });
  await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
    code: 'printer-certificate-changed',
  });
  expect(collector.visits).toEqual([]);
});

describe('the identity of a printer (T13)', () => {
  const identity = (more: { uuid?: string; id?: string; model?: string }) => [
    ...(more.uuid === undefined ? [] : [attribute('printer-uuid', uriValue(more.uuid))]),
    ...(more.id === undefined ? [] : [attribute('printer-device-id', textWithoutLanguage(more.id))]),
    ...(more.model === undefined
      ? []
      : [attribute('printer-make-and-model', textWithoutLanguage(more.model))]),
  ];
  const one = { uuid: 'urn:uuid:1', id: 'MFG:A;SN:S1;', model: 'A' };

  it('is kept at the first use; another printer between list and print is refused, and gets no job', async () => {
    const { memory } = memoryOf();
    let present: Parameters<typeof identity>[0] = one;
    const operations: (string | undefined)[] = [];
    const uri = await startScriptedPrinter((_, operation) => {
      operations.push(operation);
      return operation === 'Get-Printer-Attributes' ? idlePrinter(...identity(present)) : jobAnswer();
    });
    const { printer } = openPrinter(uri, { access: accessWith(memory) });
    await printer.describe(withoutLimit());
    present = { ...one, id: 'MFG:A;SN:S2;' };
    const document = await spooled(pdfOf(1000));
    await expect(printer.prepare(sampleTicket(), document, withoutLimit())).rejects.toMatchObject({
      code: 'printer-swapped',
      retry: 'after-repair',
      message: 'another printer answers: serial number was S1 and is S2',
    });
    expect(operations).toEqual(['Get-Printer-Attributes', 'Get-Printer-Attributes']);
    present = one;
    await sendTo({ printer }, pdfOf(1000));
  });

  it.each<[string, object, boolean]>([
    ['the same', one, true],
    ['another uuid, the same serial number', { ...one, uuid: 'urn:uuid:2' }, true],
    ['another uuid alone', { uuid: 'urn:uuid:2' }, false],
    ['another serial number', { ...one, id: 'MFG:A;SERN:S2' }, false],
    ['new firmware, another name of the model', { ...one, model: 'A (v2)' }, true],
    ['one that tells its uuid alone', { uuid: one.uuid }, true],
    ['one that tells nothing any more', {}, false],
  ])('%s', async (_, present, isSame) => {
    const known = { uuid: 'urn:uuid:1', serialNumber: 'S1', makeAndModel: 'A' };
    const { memory, held } = memoryOf({ identity: known });
    const uri = await startScriptedPrinter(() => idlePrinter(...identity(present)));
    const { printer, recorded } = openPrinter(uri, { access: accessWith(memory) });
    const end = await printer.describe(withoutLimit()).then(
      () => 'described',
      (error: unknown) => isProblem(error) && error.code,
    );
    expect(end).toBe(isSame ? 'described' : 'printer-swapped');
    expect(held()?.identity).toMatchObject({
      uuid: isSame && 'uuid' in present ? present.uuid : 'urn:uuid:1',
      serialNumber: 'S1',
    });
    const hasNewName = 'model' in present && present.model !== 'A';
    expect(recorded.records('printer model changed')).toHaveLength(hasNewName ? 1 : 0);
  });

  it('of a printer that never told one is not asked after', async () => {
    const { memory } = memoryOf();
    const uri = await startScriptedPrinter(() => idlePrinter());
    const { printer } = openPrinter(uri, { access: accessWith(memory) });
    await printer.describe(withoutLimit());
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true });
  });

  const counting = { counts: 'while-printing' } as const;

  it.each<[string, object, boolean]>([
    ['has kept its firmware', {}, true],
    ['has other firmware', { firmware: '2.1' }, false],
    ['is of another model', { makeAndModel: 'B' }, false],
  ])(
    'is that of the printer whose habits are remembered; one that %s keeps them: %s',
    async (_, change, keeps) => {
      const firmware = attribute('printer-firmware-string-version', textWithoutLanguage('2.0'));
      const known = { uuid: one.uuid, serialNumber: 'S1', makeAndModel: 'A', firmware: '2.0', ...change };
      const { memory, held } = memoryOf({ identity: known, habits: counting });
      const uri = await startScriptedPrinter(() => idlePrinter(...identity(one), firmware));
      await openPrinter(uri, { access: accessWith(memory) }).printer.describe(withoutLimit());
      expect(held()?.habits).toEqual(keeps ? counting : undefined);
      expect(held()?.identity?.firmware).toBe('2.0');
    },
  );

  it('approved anew while we run has no habits of the printer that stood there before', () => {
    const reported = { uuid: one.uuid };
    const { memory, held } = memoryOf({ identity: reported, habits: counting });
    const { log } = recordLog();
    const address = ippAddress('ipp://printer/ipp/print');
    const acquaintance = createAcquaintance({ address, memory, trust: 'auto', clock: systemClock, log });
    acquaintance.recognise(reported);
    expect(acquaintance.habits()).toEqual(counting);
    memory.keep('', { uri: '', identity: reported });
    acquaintance.recognise(reported);
    acquaintance.learn({ cutsNamesAt: 30 });
    expect(held()?.habits).toEqual({ cutsNamesAt: 30 });
  });
});

describe('where a printer cuts names', () => {
  it.each([
    ['is learned of a name that it cut', 'x'.repeat(40), undefined, 40],
    ['is learned anew of one that it cut later', 'x'.repeat(40), 30, 40],
    ['is forgotten by one that it left whole', `${'x'.repeat(60)} [7f3a9c21]`, 40, undefined],
    ['is not learned of a name of its own', 'Document', undefined, undefined],
  ])('%s', (_, shownName, before, after) => {
    let habits: PrinterHabits = { cutsNamesAt: before };
    const learn = (change: PrinterHabits) => {
      habits = { ...habits, ...change };
    };
    const job = { jobId: 1, jobUri: '', jobName: `${'x'.repeat(60)} [7f3a9c21]` };
    learnNameCut({ habits: () => habits, learn }, job, { shownName });
    expect(habits.cutsNamesAt).toBe(after);
  });
});
