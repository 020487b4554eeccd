/**
 * A virtual raw printer on the loopback address (AppSocket, port 9100). It serves one connection at a time and answers
 * by `pjl-dialogue.ts`. `outputs` is the ground truth of the printed documents. It shares no code with `src/printing`.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import { systemClock } from '../../../core/clock.ts';
import { seconds } from '../../../core/duration.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { Audience, Deviations, News } from '../../news.ts';
import { createDeviations, createNews } from '../../news.ts';
import type { HabitsOf } from '../../habit-table.ts';
import { habitsFrom } from '../../habit-table.ts';
import { converse, hasJobEnded, isInquiry, readRawDocument } from './pjl-dialogue.ts';
import type { SocketHabitWish } from './socket-habits.ts';
import { socketPrinterHabits } from './socket-habits.ts';
import type { SocketPrinterVoice } from './pjl-dialogue.ts';

/**
 * Each behaviour lasts until `clear()`. `afterBytes` counts the bytes of a connection without mere inquiries. Infinity
 * means after the last byte.
 */
export type SocketPrinterBehaviour =
  /** The printer does not listen on its port. */
  | { readonly kind: 'refuse-connections' }
  /** Reading stops, and the connection stays open. */
  | { readonly kind: 'stop-reading'; readonly afterBytes: number }
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** The printer ends its half although more data comes. */
  | { readonly kind: 'close'; readonly afterBytes: number };

export interface RawOutput {
  readonly jobName: string;
  readonly pjl: readonly string[];
  /** The path of the document, without its PJL. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The sender ended in order. */
  readonly complete: boolean;
}

export interface SocketPrinterOptions {
  /** 0 or absent: a free port. */
  readonly port?: number;
  readonly host?: '127.0.0.1' | '::1';
  /** For a client that connects while another is served: it waits, or it is refused. */
  readonly whenTaken?: 'queue' | 'refuse';
  /** The folder of printed documents. Absent: a temporary folder that is deleted with the printer. */
  readonly outputFolder?: string;
  /** Its answers. By default it is mute. */
  readonly voice?: SocketPrinterVoice;
  /** Its lasting habits, like those of real printers (`habits.ts`). */
  readonly habits?: readonly SocketHabitWish[];
  readonly clock?: Clock;
}

export interface VirtualSocketPrinter extends AsyncDisposable, Audience {
  /** For example `socket://127.0.0.1:…`. */
  readonly uri: string;
  readonly outputFolder: string;
  /** The ground truth: everything that was printed, completely or in part. */
  readonly outputs: readonly RawOutput[];
  /** The number of connections so far, also of empty ones. */
  connections(): number;
  /** The octets of the current document so far. */
  octets(): number;
  /** The data of each connection. Mere inquiries are only counted. */
  readonly received: readonly Buffer[];
  /** The number of connections that only asked for the status. */
  inquiries(): number;
  readonly deviations: readonly string[];
  /** From now until `clear`. */
  behave(behaviour: SocketPrinterBehaviour): Promise<void>;
  /** From the next connection on. */
  speak(voice: SocketPrinterVoice): void;
  clear(): Promise<void>;
}

const untitled = { document: Buffer.alloc(0), jobName: 'Untitled', pjl: [] };

export async function startVirtualSocketPrinter(
  options: SocketPrinterOptions = {},
): Promise<VirtualSocketPrinter> {
  const folder = options.outputFolder ?? (await mkdtemp(join(tmpdir(), 'platen-printer-')));
  await mkdir(folder, { recursive: true });
  const printer = new SocketPrinter(folder, options);
  await printer.listen();
  return printer;
}

class SocketPrinter implements VirtualSocketPrinter {
  readonly outputFolder: string;
  readonly onEvent: Audience['onEvent'];
  readonly waitFor: Audience['waitFor'];
  readonly outputs: RawOutput[] = [];
  readonly received: Buffer[] = [];
  readonly #options: SocketPrinterOptions;
  readonly #clock: Clock;
  readonly #host: '127.0.0.1' | '::1';
  readonly #news: News;
  readonly #deviations: Deviations;
  readonly #habits: HabitsOf<typeof socketPrinterHabits>;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #paused = new WeakSet<Socket>();
  readonly #off = new AbortController();
  #port: number;
  #behaviour: SocketPrinterBehaviour | undefined;
  #voice: SocketPrinterVoice;
  #turn = Promise.resolve();
  #connections = 0;
  #octets = 0;
  #inquiries = 0;
  #putOut = 0;

  constructor(outputFolder: string, options: SocketPrinterOptions) {
    const { clock = systemClock, host = '127.0.0.1', port = 0, voice = { kind: 'mute' } } = options;
    this.outputFolder = outputFolder;
    this.#options = options;
    this.#clock = clock;
    this.#host = host;
    this.#port = port;
    this.#voice = voice;
    this.#news = createNews();
    ({ onEvent: this.onEvent, waitFor: this.waitFor } = this.#news.audience);
    this.#habits = habitsFrom(socketPrinterHabits, options.habits ?? []);
    this.#deviations = createDeviations((sentence) => this.#news.tell(`deviation: ${sentence}`));
    // Without this, an answer would wait in the system until earlier data is acknowledged.
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (socket) =>
      this.#take(socket),
    );
  }

  get uri(): string {
    return `socket://${this.#host === '::1' ? '[::1]' : this.#host}:${this.#port}`;
  }

  get deviations(): readonly string[] {
    return this.#deviations.list;
  }

  connections(): number {
    return this.#connections;
  }

  octets(): number {
    return this.#octets;
  }

  inquiries(): number {
    return this.#inquiries;
  }

  speak(voice: SocketPrinterVoice): void {
    this.#voice = voice;
  }

  async behave(behaviour: SocketPrinterBehaviour): Promise<void> {
    this.#behaviour = behaviour;
    if (behaviour.kind === 'refuse-connections') this.#server.close();
    else await this.listen();
    this.#news.tell(`printer: told to ${behaviour.kind}`);
  }

  async clear(): Promise<void> {
    this.#behaviour = undefined;
    await this.listen();
    this.#news.tell('printer: well again');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#off.abort();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
    await this.#turn;
    if (this.#options.outputFolder === undefined)
      await rm(this.outputFolder, { recursive: true, force: true });
  }

  /** Listens if it should and does not. The first call chooses the port, which then stays the same. */
  async listen(): Promise<void> {
    const isRefusing = this.#behaviour?.kind === 'refuse-connections';
    if (this.#server.listening || this.#off.signal.aborted || isRefusing) return;
    this.#server.listen(this.#port, this.#host);
    try {
      await once(this.#server, 'listening');
    } catch (cause) {
      throw new Problem('port-taken', `cannot listen on ${this.#host}:${this.#port}`, { cause });
    }
    ({ port: this.#port } = this.#server.address() as AddressInfo);
  }

  #take(socket: Socket): void {
    const refusesOthers = this.#options.whenTaken === 'refuse';
    this.#connections += 1;
    this.#sockets.add(socket);
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    if (this.#putOut < (this.#habits.number('puts-out') ?? 0)) {
      this.#putOut += 1;
      socket.destroy();
      return;
    }
    if (this.#habits.has('half-shut')) socket.end();
    if (refusesOthers) this.#server.close();
    const before = this.#turn;
    this.#turn = (async () => {
      await before;
      await this.#serve(socket);
      if (refusesOthers) await this.listen();
    })();
  }

  async #serve(socket: Socket): Promise<void> {
    const chunks: Buffer[] = [];
    this.#octets = 0;
    try {
      await this.#meet(socket, 0);
      await this.#hear(socket, chunks);
      if (this.#octets > 0) await this.#meet(socket, Infinity);
      await this.#printOut(Buffer.concat(chunks), true);
      const late = this.#habits.number('closes-late');
      // Only switching the printer off ends this wait early.
      if (late !== undefined) {
        await this.#clock.sleep(seconds(late), { signal: this.#off.signal }).catch(() => {});
      }
      if (this.#habits.has('resets-at-end')) socket.resetAndDestroy();
      // A printer that closed first drops further data.
      else socket.end().resume();
    } catch {
      // The sender or this printer broke off. Only the data so far exists.
      await this.#printOut(Buffer.concat(chunks), false);
    }
  }

  /** Reads until the sender ends or this printer leaves. */
  async #hear(socket: Socket, chunks: Buffer[]): Promise<void> {
    const speaks = this.#habitualVoice() ?? this.#voice;
    const talk = converse(socket, speaks);
    // The end of reading must not end the connection, because the answer is still to come.
    for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (this.#octets === 0 && isInquiry(Buffer.concat([...chunks, chunk]))) {
        chunks.push(chunk);
        talk.hear(chunk);
        continue;
      }
      const part = chunk.subarray(0, this.#untilLimit());
      chunks.push(part);
      this.#octets += part.length;
      talk.hear(part);
      this.#news.changed();
      if (talk.hasLeft() || (this.#habits.has('closes-first') && hasJobEnded(Buffer.concat(chunks)))) return;
      await this.#pauseOnce(socket);
      await this.#meet(socket, this.#octets);
      if (part.length < chunk.length) {
        chunks.push(chunk.subarray(part.length));
        this.#octets += chunk.length - part.length;
      }
    }
  }

  #habitualVoice(): SocketPrinterVoice | undefined {
    const wanted = this.#habits.number('wants-paper') ?? this.#habits.number('online-in-trouble');
    const stands = this.#habits.number('stands-for-paper');
    if (this.#habits.has('answers-nothing')) return { kind: 'mute' };
    if (this.#habits.has('talks-of-others')) return { kind: 'talks-of-others' };
    if (this.#habits.has('answers-no-question')) return { kind: 'tells' };
    if (this.#habits.has('never-online')) return { kind: 'talks', online: false };
    if (wanted !== undefined) return { kind: 'talks', code: wanted, online: true };
    return stands === undefined ? undefined : { kind: 'talks', code: stands, online: false };
  }

  /** Pauses once in the middle of each document. */
  async #pauseOnce(socket: Socket): Promise<void> {
    const pause = this.#habits.number('pauses');
    if (pause === undefined || this.#paused.has(socket)) return;
    this.#paused.add(socket);
    await this.#clock.sleep(seconds(pause), { signal: this.#off.signal });
  }

  /** The octets that are left until the ordered behaviour begins. */
  #untilLimit(): number {
    const behaviour = this.#behaviour;
    const limit = behaviour && 'afterBytes' in behaviour ? behaviour.afterBytes : Infinity;
    return Math.max(0, limit - this.#octets);
  }

  /** Carries out the ordered behaviour when this many bytes have come. */
  async #meet(socket: Socket, bytes: number): Promise<void> {
    const behaviour = this.#behaviour;
    if (behaviour === undefined || !('afterBytes' in behaviour) || bytes < behaviour.afterBytes) return;
    switch (behaviour.kind) {
      case 'reset':
        socket.resetAndDestroy();
        throw new Error('this printer broke off');
      case 'close':
        socket.end();
        return;
      case 'stop-reading':
        await this.#news.until(() => this.#behaviour?.kind !== 'stop-reading', this.#off.signal);
    }
  }

  async #printOut(all: Buffer, complete: boolean): Promise<void> {
    const isMereInquiry = all.length > 0 && this.#octets === 0;
    if (isMereInquiry) this.#inquiries += 1;
    else this.received.push(all);
    this.#news.changed();
    const read = isMereInquiry ? undefined : readRawDocument(all, complete);
    for (const what of read?.deviations ?? []) {
      this.#deviations.note({ call: 'raw job', what, section: 'PJL' });
    }
    const isEmpty = read === undefined || read.document.length === 0;
    if (isEmpty && !(complete && this.#habits.has('prints-empty-connections'))) return;
    const { document, jobName, pjl } = read && !isEmpty ? read : untitled;
    const file = join(this.outputFolder, `${this.outputs.length + 1}.prn`);
    await writeFile(file, document);
    const sha256 = createHash('sha256').update(document).digest('hex');
    this.outputs.push({ jobName, pjl, file, bytes: document.length, sha256, complete });
    this.#news.tell(`printer: ${document.length} octets ${complete ? 'printed' : 'came, then no more'}`);
  }
}
