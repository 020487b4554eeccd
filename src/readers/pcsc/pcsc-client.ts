/**
 * A client of pcscd: one connection to its socket, one exchange at a time, each with a deadline. It is a plain socket
 * and no library of pcsc-lite's: whatever pcscd does or does not do, only this connection waits for it (I8).
 * Protocol: `pcsc-messages.ts`.
 */
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { inSeconds, milliseconds, seconds } from '../../core/duration.ts';
import type { ReaderState } from './pcsc-messages.ts';
import {
  answerSize,
  connectRequest,
  decodeConnected,
  decodeContext,
  decodeReaderStates,
  decodeTransmitted,
  decodeVersion,
  disconnectRequest,
  establishRequest,
  knownMinors,
  longestCardAnswer,
  protocolMajor,
  returnValue,
  stopWaitingRequest,
  transmitRequest,
  versionRequest,
  waitRequest,
} from './pcsc-messages.ts';

/** Where pcscd listens, found as libpcsclite finds it. */
export const pcscdSocket = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env['PCSCLITE_CSOCK_NAME'] ?? '/run/pcscd/pcscd.comm';

const patience = seconds(2);
/** Where a reader or a card takes part: pcscd answers when a reader that was just found is set up, or a card has power. */
const devicePatience = seconds(5);
/** More than any answers that are still to be fetched. Bytes. */
const mostUnread = 8192;

export interface Connected {
  /** Of `returnValue`; the rest holds where it is success. */
  readonly value: number;
  readonly card: number;
  readonly protocol: number;
}

/** Everything rejects when pcscd goes, stays silent or talks nonsense; the connection is of no use then. */
export interface PcscClient extends Disposable {
  /** The readers, as soon as anything changed since they were last told, else after the span. */
  readers(within: Duration): Promise<readonly ReaderState[]>;
  /** Shared with other programs. */
  connect(reader: string): Promise<Connected>;
  transmit(
    to: Pick<Connected, 'card' | 'protocol'>,
    apdu: Uint8Array,
  ): Promise<{ readonly value: number; readonly answer: Buffer }>;
  /** Leaves the card as it is. */
  disconnect(card: number): Promise<void>;
}

interface PcscDeps {
  /** Of its socket. */
  readonly path: string;
  readonly clock: Clock;
}

/** Connected, of one protocol version with pcscd, and with a context of its own there. */
export async function connectToPcscd(deps: PcscDeps, signal: AbortSignal): Promise<PcscClient> {
  const line = new Line(deps, signal);
  try {
    await agreeOnVersion(line);
    const { context, value } = decodeContext(
      await line.ask(establishRequest(), answerSize.establishContext, patience),
    );
    if (value !== returnValue.success) throw refusal('a context', value);
    return clientOn(line, context);
  } catch (cause) {
    line.close();
    throw cause;
  }
}

function clientOn(line: Line, context: number): PcscClient {
  let told: Buffer = Buffer.alloc(0);
  /** From here on pcscd tells of the next change. */
  const tableNow = () => line.ask(waitRequest(), answerSize.readerStates, devicePatience);
  const changed = (within: Duration) => line.hears(answerSize.readerStateChange, within);
  return {
    async readers(within) {
      let table = await tableNow();
      // Who wakes us does not say what happened: the table does, and whoever laid a card down waits for it.
      if (table.equals(told) && (await changed(within))) table = await tableNow();
      told = table;
      // One message ends the waiting: pcscd's, that something changed, or its answer to ours, that we wait no longer.
      if (!(await changed(milliseconds(0)))) {
        await line.ask(stopWaitingRequest(), answerSize.readerStateChange, patience);
      }
      return decodeReaderStates(table);
    },
    connect: async (reader) =>
      decodeConnected(
        await line.ask(connectRequest({ context, reader }), answerSize.connect, devicePatience),
      ),
    async transmit({ card, protocol }, apdu) {
      const request = transmitRequest({ card, protocol, apdu });
      const { length, value } = decodeTransmitted(
        await line.ask(request, answerSize.transmit, devicePatience),
      );
      if (value !== returnValue.success) return { value, answer: Buffer.alloc(0) };
      if (length > longestCardAnswer) throw new Error('pcscd tells a longer answer than was asked for');
      return { value, answer: await line.take(length, patience) };
    },
    async disconnect(card) {
      await line.ask(disconnectRequest(card), answerSize.disconnect, patience);
    },
    [Symbol.dispose]: () => line.close(),
  };
}

/** Strict servers refuse every minor but their own, and tell it: then they are asked once more. */
async function agreeOnVersion(line: Line): Promise<void> {
  const propose = async (minor: number) =>
    decodeVersion(await line.ask(versionRequest(minor), answerSize.version, patience));
  const [first = 0] = knownMinors;
  let server = await propose(first);
  if (server.value === returnValue.success) return;
  if (server.major === protocolMajor && knownMinors.includes(server.minor))
    server = await propose(server.minor);
  if (server.value === returnValue.success) return;
  const known = knownMinors.map((minor) => `${protocolMajor}:${minor}`).join(' and ');
  throw new Error(
    `pcscd speaks version ${server.major}:${server.minor} of its protocol, and Platen ${known}; ` +
      'install a pcsc-lite from 1.8.24 on that speaks one of them',
  );
}

/** Bytes to pcscd and back. */
class Line {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #socket: Socket;
  readonly #leave = (): void => void this.#fail(new Error('the connection to pcscd was closed'));
  #unread: Buffer = Buffer.alloc(0);
  #hasAnswered = false;
  #failure: Error | undefined;
  #wake = (): void => {};

  constructor({ path, clock }: PcscDeps, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    this.#socket = connect({ path });
    this.#socket.on('error', (cause: NodeJS.ErrnoException) => {
      // Where the connection ended, its end says more.
      if (cause.code !== 'EPIPE' && cause.code !== 'ECONNRESET') this.#fail(notConnected(path, cause));
    });
    this.#socket.on('close', () => this.#fail(new Error(this.#hasAnswered ? ended : unwelcome)));
    this.#socket.on('data', (bytes: Buffer) => this.#hear(bytes));
    signal.addEventListener('abort', this.#leave, { once: true });
    if (signal.aborted) this.#leave();
  }

  /** One request, and its answer of so many bytes. */
  async ask(request: Buffer, size: number, within: Duration): Promise<Buffer> {
    if (this.#unread.length > 0) throw this.#fail(new Error('pcscd sends what it was not asked for'));
    this.#socket.write(request);
    return this.take(size, within);
  }

  async take(size: number, within: Duration): Promise<Buffer> {
    const bytes = await this.#heard(size, within);
    if (bytes) return bytes;
    const silence = `pcscd does not answer within ${inSeconds(within)} s`;
    throw this.#fail(new Error(`${silence}; unless another program holds the card: systemctl restart pcscd`));
  }

  /** Whether so many bytes came within the span; they are gone then. */
  async hears(size: number, within: Duration): Promise<boolean> {
    return (await this.#heard(size, within)) !== undefined;
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#leave);
    this.#leave();
  }

  #fail(cause: Error): Error {
    this.#failure ??= cause;
    this.#socket.destroy();
    this.#wake();
    return this.#failure;
  }

  #hear(bytes: Buffer): void {
    this.#hasAnswered = true;
    this.#unread = Buffer.concat([this.#unread, bytes]);
    if (this.#unread.length > mostUnread) this.#fail(new Error('pcscd sends more than it was asked for'));
    this.#wake();
  }

  /** The next bytes, when they have all come within the span. */
  async #heard(size: number, within: Duration): Promise<Buffer | undefined> {
    const until = this.#clock.monotonic() + within;
    for (;;) {
      if (this.#failure) throw this.#failure;
      if (this.#unread.length >= size) break;
      const left = until - this.#clock.monotonic();
      if (left <= 0) return undefined;
      await this.#somethingHappens(left);
    }
    const bytes = this.#unread.subarray(0, size);
    this.#unread = this.#unread.subarray(size);
    return bytes;
  }

  #somethingHappens(within: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#clock.setTimeout(resolve, within);
      this.#wake = () => {
        this.#clock.clearTimeout(timer);
        resolve();
      };
    });
  }
}

const ended = 'pcscd closed the connection. If it does not come back, run: systemctl start pcscd.socket';

const unwelcome =
  'pcscd closed the connection without an answer. If pcscd asks polkit, allow this user ' +
  'org.debian.pcsc-lite.access_pcsc and org.debian.pcsc-lite.access_card';

function notConnected(path: string, cause: NodeJS.ErrnoException): Error {
  switch (cause.code) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return new Error(`pcscd is not running (${path}): systemctl start pcscd.socket`, { cause });
    case 'EACCES':
    case 'EPERM':
      return new Error(`pcscd may not be used by this user (${path})`, { cause });
    default:
      return new Error(`pcscd cannot be reached at ${path}: ${cause.message}`, { cause });
  }
}

/** That pcscd, or its reader, did not give it; the number as in PCSC/pcsclite.h. */
export const refusal = (what: string, value: number): Error =>
  new Error(`pcscd refuses ${what} (0x${value.toString(16).padStart(8, '0')})`);
