/**
 * How long the kiosk takes for a command of its page, each on a connection of its own, while others do their worst: 500
 * callers that drip (T28), a document that is converted, one made to hurt the converter (T17), and thousands of sockets
 * to find the caller's user among (T03). Callers and kiosk share a process.
 */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import type { Conversion } from '../../src/domain/ports/printing.ts';
import { createConverter } from '../../src/printing/conversion/converter.ts';
import { createSandbox } from '../../src/printing/conversion/sandbox.ts';
import { openSpool } from '../../src/printing/spool/spool.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { commandTime, drip } from '../kiosk/crowd.ts';
import { startKioskStage } from '../kiosk/kiosk-stage.ts';
import { openPage } from '../kiosk/open-stream.ts';
import { bombPdf } from '../support/printer/hostile-documents.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile } from './figures.ts';

const commands = 300;
const limit = 200;
/** Each has two ends. */
const connections = 2500;
const drips = 500;

interface Scene {
  readonly what: string;
  /** The answer ends it. */
  begin(port: number): Promise<() => void>;
  readonly user?: number;
}

const nothing = async () => () => {};
const scenes: readonly Scene[] = [
  { what: 'nothing else', begin: nothing },
  { what: `${drips} dripping callers`, begin: beginDripping },
  {
    what: 'a conversion',
    begin: () => beginConverting(samplePdf({ title: 'Sample', pages: 300 }), 'converted'),
  },
  { what: 'a bomb in the converter', begin: () => beginConverting(bombPdf(), 'refused') },
  { what: 'kiosk.user', begin: nothing, user: process.getuid?.() ?? 0 },
  {
    what: `kiosk.user, ${2 * connections} sockets`,
    begin: beginConnections,
    user: process.getuid?.() ?? 0,
  },
];

export async function measureKioskServer(): Promise<Measurement> {
  const measured: { what: string; times: readonly number[] }[] = [];
  for (const scene of scenes) measured.push({ what: scene.what, times: await timesIn(scene) });
  const at = (share: number, times: readonly number[]) => inMilliseconds(percentile(times, share));
  return {
    title: 'A command to the kiosk',
    how: `${commands} commands one after the other, each on a new connection, from its opening to the end of the answer.`,
    rows: [
      ['beside', 'median', 'p99', 'longest'],
      ...measured.map(({ what, times }) => [what, at(0.5, times), at(0.99, times), at(1, times)]),
    ],
    goals: measured.map(({ what, times }) => ({
      what: `p99 beside ${what}`,
      figure: percentile(times, 0.99),
      unit: 'ms',
      limit,
    })),
  };
}

async function timesIn({ begin, user }: Scene): Promise<readonly number[]> {
  await using stage = await startKioskStage(user === undefined ? {} : { user });
  const cookie = await openPage(stage);
  stage.show({ generation: 2, state: 'choosing', sentence: '', waiting: 0 });
  const end = await begin(stage.port);
  const times: number[] = [];
  try {
    while (times.length < commands) {
      times.push(await commandTime(stage, cookie));
      // Twenty commands a second are allowed, by the stage's own clock.
      await stage.clock.advance(seconds(0.1));
    }
  } finally {
    end();
  }
  return times;
}

async function beginDripping(port: number): Promise<() => void> {
  const sockets = await Promise.all(Array.from({ length: drips }, () => drip(port)));
  return () => sockets.forEach((socket) => socket.destroy());
}

/** Of others, on this machine. */
async function beginConnections(): Promise<() => void> {
  const accepted = new Set<Socket>();
  const server = createServer((socket) => void accepted.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const opened: Socket[] = [];
  while (opened.length < connections) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    opened.push(socket);
  }
  return () => {
    server.close();
    for (const socket of [...opened, ...accepted]) socket.resetAndDestroy();
  };
}

/** Again and again, until it is ended. */
/** Begins when a first try ended as it should: the converter is at work indeed. */
async function beginConverting(pdf: Buffer, end: 'converted' | 'refused'): Promise<() => void> {
  const directory = temporaryDirectory();
  const spool = await openSpool({ directory: join(directory.path, 'spool'), chance: systemChance });
  const converter = createConverter({
    sandbox: createSandbox({
      clock: systemClock,
      chance: systemChance,
      programs: { ghostscript: 'gs', qpdf: 'qpdf' },
      atLeast: 'limits',
    }),
    spool,
    clock: systemClock,
  });
  const ended = new AbortController();
  const call = { signal: ended.signal };
  const convert = async (): Promise<void> => {
    using document = await spool.store(
      { length: pdf.length, bytes: Readable.from([pdf], { objectMode: false }) },
      call,
    );
    using _converted = await converter.convert(document, inGrey, call);
  };
  const first = await convert().then(
    () => 'converted',
    () => 'refused',
  );
  if (first !== end) throw new Error(`the document of the bench was ${first}`);
  const converting = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      // The bomb is refused, and the last one is cut off.
      await convert().catch(() => {});
    }
    spool[Symbol.dispose]();
    directory[Symbol.dispose]();
  };
  void converting();
  return () => ended.abort();
}

const inGrey: Conversion = {
  format: 'application/pdf',
  color: 'grey',
  order: 'as-is',
  copies: 1,
  collated: true,
  rasterType: undefined,
  backs: undefined,
  sides: undefined,
  resolution: 300,
  media: undefined,
  recordedPages: undefined,
};
