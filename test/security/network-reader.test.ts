/**
 * Who stands between a network reader and the terminal: listens, answers in its place, or says again what it has heard
 * (INVARIANTS.md T10; P4).
 */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import type { ReaderTls } from '../../src/readers/tcp/tcp-connect.ts';
import { openDialledReader } from '../../src/readers/tcp/tcp-connect.ts';
import { startWaitingReader } from '../../src/simulator/reader/network-reader.ts';
import type { Certificate } from '../support/certificates.ts';
import { identityOf, makeCertificate } from '../support/certificates.ts';
import { runReader, until } from '../contracts/reader.ts';

const readerAt = (port: number, tls: ReaderTls) =>
  runReader(
    (options) =>
      openDialledReader({
        ...options,
        chance: systemChance,
        trust: systemTrust(),
        address: { host: '127.0.0.1', port },
        tls,
      }),
    { signals: { accepted: 'beep' } },
  );

const fingerprintOf = ({ pem }: Certificate) => new X509Certificate(pem).fingerprint256;
const selfSigned = (host = '127.0.0.1') => makeCertificate({ commonName: 'reader', hosts: [host] });
const house = makeCertificate({ commonName: 'House' });
const ofHouse = (host: string) => makeCertificate({ commonName: 'reader', hosts: [host], issuer: house });
const real = selfSigned();

describe('somebody in the place of the reader', () => {
  it.each<[string, Certificate, ReaderTls, RegExp]>([
    [
      'with a certificate of its own',
      selfSigned(),
      { fingerprint: fingerprintOf(real) },
      /another certificate/,
    ],
    [
      'with one that nobody stands for',
      selfSigned(),
      {},
      /no trusted authority has signed .*tls\.fingerprint: [0-9A-F:]{95}$/,
    ],
    [
      'with one of the house, for another',
      ofHouse('10.0.0.22'),
      { caFile: house.pem },
      /ERR_TLS_CERT_ALTNAME_INVALID/,
    ],
  ])('%s has no badge taken, and is told nothing', async (_, certificate, tls, why) => {
    await using rogue = await startWaitingReader({ tls: identityOf(certificate) });
    const { cards, counts, recorded, signal } = readerAt(rogue.port, tls);
    void rogue.tap('04A1B2C3D4');
    await until(() => expect(counts.down).toBe(1));
    signal('accepted');
    expect(recorded.records('reader down')).toMatchObject([
      { error: { message: expect.stringMatching(why) as string } },
    ]);
    expect([cards, counts.up, rogue.received()]).toEqual([[], 0, '']);
  });

  it('without TLS has no badge taken', async () => {
    await using rogue = await startWaitingReader();
    const { cards, counts, recorded } = readerAt(rogue.port, { fingerprint: fingerprintOf(real) });
    void rogue.write('04A1B2C3D4\r\n'.repeat(10));
    await until(() => expect(counts.down).toBe(1));
    expect(recorded.text()).toContain('speaks no TLS');
    expect([cards, counts.up]).toEqual([[], 0]);
  });
});

/** Passes everything on and keeps what the reader says; then hangs up, and says it again to whoever dials. */
async function startRecorder(readerPort: number) {
  const heard: Buffer[] = [];
  const open = new Set<Socket>();
  let isReplaying = false;
  let replays = 0;
  const server = createServer((caller) => {
    caller.on('error', () => {});
    open.add(caller);
    if (isReplaying) {
      replays += 1;
      caller.write(Buffer.concat(heard));
      return;
    }
    const reader = connect(readerPort, '127.0.0.1').on('error', () => {});
    reader.on('data', (bytes) => void heard.push(bytes));
    reader.pipe(caller);
    caller.pipe(reader);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hangUp = () => {
    for (const one of open) one.destroy();
  };
  onTestFinished(() => {
    hangUp();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    text: () => Buffer.concat(heard).toString('latin1'),
    replays: () => replays,
    replay() {
      isReplaying = true;
      hangUp();
    },
  };
}

it('who listens in hears no badge, and what was heard opens nothing when it is said again (T10)', async () => {
  await using reader = await startWaitingReader({ tls: identityOf(real) });
  const between = await startRecorder(reader.port);
  const { cards, counts } = readerAt(between.port, { fingerprint: fingerprintOf(real) });
  await until(() => expect(counts.up).toBe(1));
  await reader.tap('04A1B2C3D4');
  await until(() => expect(cards).toEqual(['04A1B2C3D4']));
  expect(between.text()).not.toContain('04A1B2C3D4');
  between.replay();
  await until(() => expect(between.replays()).toBeGreaterThan(1));
  expect([cards, counts.up]).toEqual([['04A1B2C3D4'], 1]);
});
