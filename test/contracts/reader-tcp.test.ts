/** The reader's contract over real TCP connections, in both directions. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { createDialIn } from '../../src/readers/tcp/dial-in.ts';
import type { ReaderTls } from '../../src/readers/tcp/tcp-connect.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import { openDialledReader } from '../../src/readers/tcp/tcp-connect.ts';
import { openDiallingReader } from '../../src/readers/tcp/tcp-listen.ts';
import type { VirtualNetworkReader } from '../../src/simulator/reader/network-reader.ts';
import { startDiallingReader, startWaitingReader } from '../../src/simulator/reader/network-reader.ts';
import { identityOf, makeCertificate } from '../support/certificates.ts';
import { freePort } from '../support/ports.ts';
import type { OpenReader, ReaderTime } from './reader.ts';
import { leapingTime, openReaderOn, runReader, survives } from './reader.ts';
import type { SignallingStage } from './signalling-reader.ts';
import { signallingReaderContract } from './signalling-reader.ts';
import { asLines, textReaderContract } from './text-reader.ts';

interface NetworkStage extends SignallingStage {
  readonly virtual: VirtualNetworkReader;
}

const connectTo =
  (port: number, tls?: ReaderTls): OpenReader =>
  (options) =>
    openDialledReader({
      ...options,
      chance: systemChance,
      trust: systemTrust(),
      address: { host: '127.0.0.1', port },
      tls,
    });

const listenAt =
  (port: number): OpenReader =>
  (options) =>
    openDiallingReader({
      ...options,
      listen: { host: '127.0.0.1', port },
      from: [],
      hello: undefined,
      dialIn: createDialIn(options),
    });

const stageOf = (virtual: VirtualNetworkReader, open: OpenReader): NetworkStage => ({
  virtual,
  open,
  write: virtual.write,
  received: virtual.received,
  [Symbol.asyncDispose]: () => virtual[Symbol.asyncDispose](),
});

async function dialled(): Promise<NetworkStage> {
  const virtual = await startWaitingReader();
  return stageOf(virtual, connectTo(virtual.port));
}

async function dialledOverTls(): Promise<NetworkStage> {
  const house = makeCertificate({ commonName: 'House' });
  const own = makeCertificate({ commonName: 'reader', hosts: ['127.0.0.1'], issuer: house });
  const virtual = await startWaitingReader({ tls: identityOf(own) });
  return stageOf(virtual, connectTo(virtual.port, { caFile: house.pem }));
}

async function dialling({ clock }: ReaderTime): Promise<NetworkStage> {
  const port = await freePort();
  const virtual = startDiallingReader({ host: '127.0.0.1', port, clock });
  return stageOf(virtual, listenAt(port));
}

const withBadges = (setStage: (time: ReaderTime) => Promise<NetworkStage>) => async (time: ReaderTime) => {
  const stage = await setStage(time);
  return { ...stage, badge: asLines(stage) };
};

describe.each([
  ['is dialled', dialled],
  ['is dialled over TLS', dialledOverTls],
  ['dials in', dialling],
])('a network reader that %s', (_, setStage) => {
  textReaderContract(setStage, leapingTime);
  signallingReaderContract(setStage, leapingTime);
  const openReader = () => openReaderOn(withBadges(setStage), leapingTime);

  it('comes back 200 times (B.4, 1 Badge read; I7)', async () => {
    const time = leapingTime();
    const stage = await setStage(time);
    onTestFinished(() => stage[Symbol.asyncDispose]());
    const reader = runReader(stage.open, { clock: time.clock });
    await survives(200, {
      reader,
      time,
      badge: asLines(stage),
      comeBack: async () => {},
      goAway: async () => stage.virtual.hangUp(),
    });
  });

  it('takes no half of a number from before the connection broke', async () => {
    const { stage, time, counts, cards } = await openReader();
    await stage.write('9999');
    stage.virtual.hangUp();
    await time.later(() => expect(counts.up).toBe(2));
    await stage.write('4711\r');
    await time.until(() => expect(cards).toEqual(['4711']));
  });

  it('reads a megabyte of noise no faster than a reader can send it, and lives (I8)', async () => {
    const { stage, time, verdicts, stop } = await openReader();
    const frame = '\xff\r';
    await stage.write(Buffer.from(frame.repeat(500_000), 'latin1'));
    await time.until(() => expect(verdicts).toContain('flood'));
    await stop();
    expect(verdicts.length).toBeLessThan(250_000);
  });
});

it('a network reader that is dialled is waited for while nothing answers', async () => {
  const port = await freePort();
  const time = leapingTime();
  const { counts, recorded } = runReader(connectTo(port), { clock: time.clock });
  await time.until(() => expect(counts.down).toBe(1));
  expect(recorded.records('reader down')).toMatchObject([
    { reader: 'front', error: { code: 'reader-unavailable' } },
  ]);
  await using _virtual = await startWaitingReader({ port });
  await time.later(() => expect(counts.up).toBe(1));
});
