/**
 * A virtual raw printer on the loopback address (AppSocket, port 9100): one connection at a time, and what
 * `socket-printer-voice.ts` lets it say. `outputs` tells what really came out. Shares nothing with `src/printing`.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import { systemClock } from '../../../core/clock.ts';
import { seconds } from '../../../core/duration.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import { createDeviations } from '../../deviations.ts';
import { habitsFrom } from '../../habit-table.ts';
import type { Audience } from '../../news.ts';
import { createNews } from '../../news.ts';
import { isInquiry, readRawDocument } from './raw-document.ts';
import type { SocketHabitWish } from './habits.ts';
import { socketPrinterHabits } from './habits.ts';
import type { SocketPrinterVoice } from './voice.ts';
import { converse } from './voice.ts';

/**
 * Each lasts until `clear()`. `afterBytes` counts what comes over a connection, mere inquiries left out; Infinity: when it
 * has everything.
 */
export type SocketPrinterBehaviour =
  /** Nobody listens on the port. */
  | { readonly kind: 'refuse-connections' }
  /** No more is read, and the connection stays open. */
  | { readonly kind: 'stop-reading'; readonly afterBytes: number }
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** It ends its half although more comes. */
  | { readonly kind: 'close'; readonly afterBytes: number };

export interface RawOutput {
  readonly jobName: string;
  readonly pjl: readonly string[];
  /** Where the document lies, without its PJL. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The sender ended in order. */
  readonly complete: boolean;
}

export interface SocketPrinterOptions {
  /** 0 or absent: a free one. */
  readonly port?: number;
  readonly host?: '127.0.0.1' | '::1';
  /** To whoever connects while another one is served: has to wait, or nobody listens. */
  readonly whenTaken?: 'queue' | 'refuse';
  /** Where the printed documents go; absent: a temporary folder that goes with the printer. */
  readonly outputFolder?: string;
  /** What it says back; mute unless said. */
  readonly voice?: SocketPrinterVoice;
  /** What it does as real ones do, always (`socket-printer-habits.ts`). */
  readonly habits?: readonly SocketHabitWish[];
  readonly clock?: Clock;
}

export interface VirtualSocketPrinter extends AsyncDisposable, Audience {
  /** `socket://127.0.0.1:…` */
  readonly uri: string;
  readonly outputFolder: string;
  /** The ground truth: everything that came out, in part or whole. */
  readonly outputs: readonly RawOutput[];
  /** Connections so far, those that brought nothing included. */
  connections(): number;
  /** Octets so far of the document whose connection is served. */
  octets(): number;
  /** Everything that came, a connection each; mere inquiries are counted instead. */
  readonly received: readonly Buffer[];
  /** How often somebody only asked how it is. */
  inquiries(): number;
  readonly deviations: readonly string[];
  /** From now on, until `clear`. */
  behave(behaviour: SocketPrinterBehaviour): Promise<void>;
  /** From the next connection on. */
  speak(voice: SocketPrinterVoice): void;
  clear(): Promise<void>;
}

const untitled = { document: Buffer.alloc(0), jobName: 'Untitled', pjl: [] };

export async function startVirtualSocketPrinter(
  options: SocketPrinterOptions = {},
): Promise<VirtualSocketPrinter> {
  const { clock = systemClock, host = '127.0.0.1', whenTaken = 'queue' } = options;
  const folder = options.outputFolder ?? (await mkdtemp(join(tmpdir(), 'platen-printer-')));
  await mkdir(folder, { recursive: true });
  const news = createNews(clock);
  const habits = habitsFrom(socketPrinterHabits, options.habits ?? []);
  const deviations = createDeviations((sentence) => news.tell(`deviation: ${sentence}`));
  const outputs: RawOutput[] = [];
  const sockets = new Set<Socket>();
  const off = new AbortController();
  let behaviour: SocketPrinterBehaviour | undefined;
  let turn = Promise.resolve();
  let connections = 0;
  let octets = 0;
  let inquiries = 0;
  let voice: SocketPrinterVoice = options.voice ?? { kind: 'mute' };
  const received: Buffer[] = [];

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    if (whenTaken === 'refuse') server.close();
    turn = servedAfter(turn, socket);
  });

  async function servedAfter(before: Promise<void>, socket: Socket): Promise<void> {
    await before;
    await serve(socket);
    if (whenTaken === 'refuse') await listen();
  }

  async function listen(): Promise<void> {
    if (server.listening || off.signal.aborted || behaviour?.kind === 'refuse-connections') return;
    server.listen(port, host);
    try {
      await once(server, 'listening');
    } catch (cause) {
      throw new Problem('port-taken', `cannot listen on ${host}:${port}`, { cause });
    }
  }

  async function serve(socket: Socket): Promise<void> {
    const chunks: Buffer[] = [];
    const speaks: SocketPrinterVoice = habits.has('answers-nothing') ? { kind: 'mute' } : voice;
    const talk = converse(socket, speaks);
    octets = 0;
    try {
      await meet(socket, 0);
      // Its end is not the end of the connection: what this printer answers is still to be decided.
      for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (octets === 0 && isInquiry(Buffer.concat([...chunks, chunk]))) {
          chunks.push(chunk);
          talk.hear(Buffer.concat(chunks));
          continue;
        }
        const limit = behaviour && 'afterBytes' in behaviour ? behaviour.afterBytes : Infinity;
        const part = chunk.subarray(0, Math.max(0, limit - octets));
        chunks.push(part);
        octets += part.length;
        if (speaks.kind !== 'mute') talk.hear(Buffer.concat(chunks));
        news.changed();
        if (talk.hasLeft()) break;
        await meet(socket, octets);
        if (part.length < chunk.length) {
          chunks.push(chunk.subarray(part.length));
          octets += chunk.length - part.length;
        }
      }
      if (octets > 0) await meet(socket, Infinity);
      await printOut(Buffer.concat(chunks), true);
      const late = habits.number('closes-late');
      // Only being switched off ends this early.
      if (late !== undefined) await clock.sleep(seconds(late), { signal: off.signal }).catch(() => {});
      socket.end();
    } catch {
      // The sender broke off, or this printer did; what has arrived is all there is.
      await printOut(Buffer.concat(chunks), false);
    }
  }

  /** Does what it is told to do when so much has come. */
  async function meet(socket: Socket, bytes: number): Promise<void> {
    if (behaviour === undefined || !('afterBytes' in behaviour) || bytes < behaviour.afterBytes) return;
    switch (behaviour.kind) {
      case 'reset':
        socket.resetAndDestroy();
        throw new Error('this printer broke off');
      case 'close':
        socket.end();
        return;
      case 'stop-reading':
        await news.until(() => behaviour?.kind !== 'stop-reading', off.signal);
    }
  }

  async function printOut(all: Buffer, complete: boolean): Promise<void> {
    const isMereInquiry = all.length > 0 && octets === 0;
    if (isMereInquiry) inquiries += 1;
    else received.push(all);
    news.changed();
    const read = isMereInquiry ? undefined : readRawDocument(all, complete);
    for (const what of read?.deviations ?? []) deviations.note({ call: 'raw job', what, section: 'PJL' });
    const isEmpty = read === undefined || read.document.length === 0;
    if (isEmpty && !(complete && habits.has('prints-empty-connections'))) return;
    const { document, jobName, pjl } = read && !isEmpty ? read : untitled;
    const file = join(folder, `${outputs.length + 1}.prn`);
    await writeFile(file, document);
    const sha256 = createHash('sha256').update(document).digest('hex');
    outputs.push({ jobName, pjl, file, bytes: document.length, sha256, complete });
    news.tell(
      `printer: ${document.length} octets ${complete ? 'printed' : 'came, then the sender broke off'}`,
    );
  }

  let port = options.port ?? 0;
  await listen();
  ({ port } = server.address() as AddressInfo);

  const change = async (next: SocketPrinterBehaviour | undefined) => {
    behaviour = next;
    if (next?.kind === 'refuse-connections') server.close();
    else await listen();
    news.tell(next ? `printer: told to ${next.kind}` : 'printer: well again');
  };
  return {
    ...news.audience,
    uri: `socket://${host === '::1' ? '[::1]' : host}:${port}`,
    outputFolder: folder,
    outputs,
    connections: () => connections,
    octets: () => octets,
    received,
    inquiries: () => inquiries,
    deviations: deviations.list,
    behave: change,
    speak(next) {
      voice = next;
    },
    clear: () => change(undefined),
    async [Symbol.asyncDispose]() {
      off.abort();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
      await turn;
      if (options.outputFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
