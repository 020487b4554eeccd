/** The user's story at readers on the network: a badge over TCP prints, and nobody else's bytes do. */
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { VirtualNetworkReader } from '../../src/simulator/reader/network-reader.ts';
import { startDiallingReader, startWaitingReader } from '../../src/simulator/reader/network-reader.ts';
import { identityOf, makeCertificate } from '../support/certificates.ts';
import { commandHere } from '../support/command-here.ts';
import { freePort } from '../support/ports.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

interface SeenReader {
  readonly name: string;
  readonly kind: string;
  readonly state: string;
  readonly frames: number;
  readonly garbage: number;
}

const seenBy = async (operations: string): Promise<readonly SeenReader[]> => {
  const status = (await (await fetch(`${operations}/status`)).json()) as {
    terminals: readonly { readers: readonly SeenReader[] }[];
  };
  return status.terminals.flatMap(({ readers }) => readers);
};

describe('a reader on the network', () => {
  it.each<
    [
      string,
      () => Promise<{
        reader: { readonly type: string };
        name: string;
        checked: string;
        start(): Promise<VirtualNetworkReader>;
      }>,
    ]
  >([
    [
      'that dials in, and says which one it is',
      async () => {
        const port = await freePort();
        return {
          reader: { type: 'tcp-listen', listen: `127.0.0.1:${port}`, from: ['127.0.0.2'], hello: 'LOBBY' },
          name: `tcp-listen 127.0.0.1:${port} 127.0.0.2 LOBBY`,
          checked: 'can dial in when platen runs',
          start: async () =>
            startDiallingReader({ host: '127.0.0.1', port, from: '127.0.0.2', hello: 'LOBBY' }),
        };
      },
    ],
    [
      'that is dialled, and frames its numbers with STX and ETX',
      async () => {
        const port = await freePort();
        return {
          reader: { type: 'tcp-connect', address: `127.0.0.1:${port}`, framing: { kind: 'stx-etx' } },
          name: `127.0.0.1:${port}`,
          checked: 'does not answer. Check the reader, its network and the address',
          start: () => startWaitingReader({ port }),
        };
      },
    ],
  ])('%s, lets a badge print; it is in check, status and metrics (T10)', async (_, describeReader) => {
    const { reader, name, checked, start } = await describeReader();
    await using stage = await setStage({ terminal: { session: { autoRelease: true }, readers: [reader] } });
    const { cloud, configFile, printer } = stage;
    const agent = await stage.start();
    await agent.told('terminal ready');
    await using virtual = await start();
    await agent.told('reader up', (record) => record['reader'] === name);

    await virtual.write('\x02\xff\x03\x02');
    await virtual.write(`${aliceCard}\x03`);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    await cloud.waitFor(() => cloud.state.history.length > 0);
    expect(printer.outputs.length).toBeGreaterThan(0);
    expect(await seenBy(agent.operations)).toEqual([
      { name, kind: reader.type, state: 'up', frames: 2, garbage: 1, reconnects: 0 },
    ]);
    const figures = await (await fetch(`${agent.operations}/metrics`)).text();
    const labels = `terminal="lobby",reader="${name}"`;
    expect(figures).toContain(`platen_reader_frames_total{${labels},verdict="accepted"} 1`);
    expect(figures).toContain(`platen_reader_openings_total{${labels}} 1`);

    await agent.stop();
    await virtual[Symbol.asyncDispose]();
    const examined = await commandHere(['check', '-c', configFile]);
    expect(examined.out).toContain(`${name} ${checked}`);
    expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
  });
});

it('a reader over TLS lets a badge print, and check tells who answers in its place (T10)', async () => {
  const port = await freePort();
  const own = makeCertificate({ commonName: 'reader', hosts: ['127.0.0.1'] });
  const { fingerprint256: fingerprint } = new X509Certificate(own.pem);
  const reader = { type: 'tcp-connect', address: `127.0.0.1:${port}`, tls: { fingerprint } };
  await using stage = await setStage({ terminal: { session: { autoRelease: true }, readers: [reader] } });
  const check = async () => (await commandHere(['check', '-c', stage.configFile])).out;
  {
    await using virtual = await startWaitingReader({ port, tls: identityOf(own) });
    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    await virtual.tap(aliceCard);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    await agent.stop();
    expect(await check()).toContain(
      `127.0.0.1:${port} accepts connections over TLS, and its certificate is correct`,
    );
  }
  const other = makeCertificate({ commonName: 'reader', hosts: ['127.0.0.1'] });
  await using _rogue = await startWaitingReader({ port, tls: identityOf(other) });
  expect(await check()).toContain('shows another certificate than that of tls.fingerprint');
});
