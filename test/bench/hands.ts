/**
 * Readers of each kind for a whole agent to have, and the hand that holds badges to them, pulls their plug and puts it
 * back. A keyboard wedge is not among them: its grab needs a kernel's event node, which not every machine has.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualNetworkReader } from '../../src/simulator/reader/network-reader.ts';
import { startDiallingReader, startWaitingReader } from '../../src/simulator/reader/network-reader.ts';
import { setRawStage } from '../contracts/hid-stage.ts';
import { freePort } from '../support/ports.ts';
import { createSocatPair } from '../peers/socat.ts';
import { createPcscDaemon } from '../support/reader/pcsc-daemon.ts';

export interface Hand {
  /** The reader's name in the log. */
  readonly name: string;
  /** Its place in a configuration. */
  readonly config: object;
  tap(card: string): void | Promise<void>;
  /** Where a card is not gone by itself. */
  lift?(): void;
  plugIn(): Promise<void>;
  unplug(): Promise<void>;
}

/** So many readers, plugged in; they go with the stack. */
export type Way = (count: number, opened: AsyncDisposableStack) => Promise<Hand[]>;

export const ways: Readonly<Record<string, Way>> = {
  'serial (socat)': oneByOne(async (opened) => {
    const pair = opened.use(await createSocatPair());
    await pair.plugIn();
    return {
      name: pair.path,
      config: { type: 'serial', path: pair.path },
      tap: (card) => pair.write(`${card}\r\n`),
      plugIn: pair.plugIn,
      unplug: () => pair.unplug('SIGTERM'),
    };
  }),
  'tcp-listen': oneByOne(async (opened) => {
    const port = await freePort();
    const hello = 'LOBBY';
    const start = async () => startDiallingReader({ host: '127.0.0.1', port, hello });
    const listen = `127.0.0.1:${port}`;
    return {
      name: `tcp-listen ${listen} ${hello}`,
      config: { type: 'tcp-listen', listen, hello },
      ...(await onNetwork(start, opened)),
    };
  }),
  'tcp-connect': oneByOne(async (opened) => {
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    return {
      name: address,
      config: { type: 'tcp-connect', address },
      ...(await onNetwork(() => startWaitingReader({ port }), opened)),
    };
  }),
  'hid, raw reports (FIFO)': oneByOne(async (opened) => {
    const { path, plugIn, unplug, write } = opened.use(await setRawStage());
    const layout = 'microscan-barcode';
    return {
      name: path,
      config: { type: 'hid', path, layout },
      plugIn,
      unplug,
      tap: (card) => write(Buffer.concat([Buffer.from([1, card.length]), Buffer.from(card)], 64)),
    };
  }),
  'pcsc (pcscd of the tests)': async (count, opened) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-pcscd-'));
    opened.defer(() => rm(folder, { recursive: true }));
    const daemon = opened.use(createPcscDaemon(join(folder, 'pcscd.comm')));
    await daemon.start();
    process.env['PCSCLITE_CSOCK_NAME'] = daemon.path;
    return Array.from({ length: count }, (_, at): Hand => {
      const reader = `Reader ${at}`;
      daemon.readers.push({ name: reader, events: 0, bits: 2, answers: '' });
      return {
        name: `pcsc ${reader}`,
        config: { type: 'pcsc', reader },
        tap: (card) => daemon.lay(`${card}9000`, at),
        lift: () => daemon.take(at),
        plugIn: daemon.start,
        unplug: daemon.kill,
      };
    });
  },
};

function oneByOne(open: (opened: AsyncDisposableStack) => Promise<Hand>): Way {
  return async (count, opened) => {
    const hands: Hand[] = [];
    while (hands.length < count) hands.push(await open(opened));
    return hands;
  };
}

/** Unplugged, such a reader is gone from the network, its address with it. */
async function onNetwork(start: () => Promise<VirtualNetworkReader>, opened: AsyncDisposableStack) {
  let reader = await start();
  const unplug = async () => reader[Symbol.asyncDispose]();
  opened.defer(unplug);
  return {
    tap: (card: string) => reader.tap(card),
    unplug,
    async plugIn() {
      reader = await start();
    },
  };
}
