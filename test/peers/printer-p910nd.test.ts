/**
 * Raw printing against p910nd, a print server that serves one client at a time and lets the next one connect and wait,
 * as most printers do. It locks in /run, of which it gets one of its own, and listens at one of ten ports, on a machine
 * of its own as far as the network goes.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openRawPrinter, sendBytes } from '../support/printer/raw-printers.ts';
import { pdfOf } from '../support/printer/samples.ts';
import { makeNetwork } from '../support/cable.ts';
import { needsNamespaces, needsPeer } from '../support/needs.ts';
import { startProcess, whenReady } from '../support/process-group.ts';
import { eventually, withoutLimit } from '../support/patience.ts';

interface P910nd extends AsyncDisposable {
  readonly uri: string;
  /** A connection of somebody else. */
  connect(): Promise<Socket>;
  /** What came out last, over what came before: it writes each document from the beginning of its file. */
  output(): Promise<Buffer>;
}

async function startP910nd(): Promise<P910nd> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-p910nd-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const out = join(folder, 'out');
  await writeFile(out, '');
  const { enter, cables } = opening.use(makeNetwork(1));
  const host = cables[0]?.there ?? '';
  const own = 'mount -t tmpfs none /run && mkdir -p /run/lock/p910nd && exec p910nd -d -f "$OUT" 0';
  const [program, ...args] = [...enter, 'unshare', '-m', '--pid', '--fork', '--kill-child', 'sh', '-c', own];
  const peer = opening.use(
    await startProcess(program, args, { OUT: out, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }),
  );
  // unshare does not hear SIGTERM.
  opening.defer(() => peer.signal('SIGKILL'));
  const reach = async () => {
    const socket = connect({ host, port: 9100 });
    await once(socket, 'connect');
    return socket;
  };
  await whenReady('p910nd', async () => (await reach()).destroy(), peer);
  const running = opening.move();
  return {
    uri: `socket://${host}:9100`,
    connect: reach,
    output: () => (existsSync(out) ? readFile(out) : Promise.resolve(Buffer.alloc(0))),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function setUp() {
  const peer = await startP910nd();
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return peer;
}

needsPeer('p910nd', 'p910nd')('p910nd', () => {
  needsNamespaces()('in a mount namespace of its own', () => {
    it('is looked at when a person asks, and prints one document after the other, unchanged', async () => {
      const peer = await setUp();
      const printer = openRawPrinter(peer.uri, { pjl: 'off' });
      expect(await printer.describe({ ...withoutLimit(), isAskedFor: true })).toMatchObject({ ready: true });
      for (const length of [1000, 1_000_000]) {
        expect(await sendBytes(printer, pdfOf(length))).toBeUndefined();
        await eventually(async () => expect((await peer.output()).equals(pdfOf(length))).toBe(true));
      }
    });

    it('that says nothing in PJL is known as mute, and takes the document between PJL', async () => {
      const peer = await setUp();
      const printer = openRawPrinter(peer.uri);
      expect(await sendBytes(printer, pdfOf(1000))).toBeUndefined();
      expect(await printer.describe(withoutLimit())).toMatchObject({
        capabilities: { backChannel: 'silent' },
      });
      await eventually(async () => expect((await peer.output()).includes(pdfOf(1000))).toBe(true));
    });

    it.each(['auto', 'off'] as const)(
      'held by somebody else gets the document on the one connection that it has, when its turn comes (pjl: %s)',
      async (pjl) => {
        const peer = await setUp();
        const printer = openRawPrinter(peer.uri, { pjl });
        const other = await held(peer);
        let given = 0;
        const sent = sendBytes(printer, pdfOf(1000), { onProgress: () => (given += 1) });
        await eventually(() => expect(given).toBeGreaterThan(0));
        expect((await peer.output()).toString('latin1')).toMatch(/^a job that goes on/);
        other.end();
        expect(await sent).toBeUndefined();
        await eventually(async () => expect((await peer.output()).includes(pdfOf(1000))).toBe(true));
      },
    );

    it('held by somebody else who does not leave is unknown ground: what the kernel took may yet come out', async () => {
      const peer = await setUp();
      const other = await held(peer);
      await expect(sendBytes(openRawPrinter(peer.uri), pdfOf(1000))).rejects.toMatchObject({
        code: 'printer-stalled',
        delivery: 'perhaps',
      });
      other.end();
    });
  });
});

async function held(peer: P910nd) {
  const other = await peer.connect();
  onTestFinished(() => void other.destroy());
  other.write('a job that goes on');
  await eventually(async () => expect((await peer.output()).length).toBeGreaterThan(0));
  return other;
}
