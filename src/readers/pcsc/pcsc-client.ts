/**
 * A client of pcscd: one connection to its socket, one exchange at a time, each with a deadline. It uses a plain socket
 * instead of pcsc-lite's library, so that a hanging pcscd blocks only this connection (I8). The protocol is in
 * `pcsc-messages.ts`.
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

/** The socket of pcscd, by the same rule as in libpcsclite. */
export const pcscdSocket = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  env['PCSCLITE_CSOCK_NAME'] ?? '/run/pcscd/pcscd.comm';

const patience = seconds(2);
/**
 * For requests that involve a reader or a card: pcscd answers only when a new reader is set up, or when a card has
 * power.
 */
const devicePatience = seconds(5);
/** In bytes: more than all answers that can be unread at once. */
const mostUnread = 8192;

export interface Connected {
  /** One of `returnValue`. The other fields are valid only on success. */
  readonly value: number;
  readonly card: number;
  readonly protocol: number;
}

/** Every call rejects when pcscd goes, stays silent or sends invalid data. The connection is unusable afterwards. */
export interface PcscClient extends Disposable {
  /** Gives the readers as soon as anything differs from the last answer, at the latest after the span. */
  readers(within: Duration): Promise<readonly ReaderState[]>;
  /** The card is shared with other programs. */
  connect(reader: string): Promise<Connected>;
  transmit(
    to: Pick<Connected, 'card' | 'protocol'>,
    apdu: Uint8Array,
  ): Promise<{ readonly value: number; readonly answer: Buffer }>;
  /** Does not reset or power down the card. */
  disconnect(card: number): Promise<void>;
}

interface PcscDeps {
  /** The path of its socket. */
  readonly path: string;
  readonly clock: Clock;
}

/** Connects, agrees on a protocol version and opens a context of its own at pcscd. */
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
  let lastTable: Buffer = Buffer.alloc(0);
  /** From this request on, pcscd reports the next change. */
  const tableNow = () => line.ask(waitRequest(), answerSize.readerStates, devicePatience);
  const changed = (within: Duration) => line.hears(answerSize.readerStateChange, within);
  return {
    async readers(within) {
      let table = await tableNow();
      // The wake-up does not say what happened, so the table is read again at once: a person may be waiting at the
      // reader.
      if (table.equals(lastTable) && (await changed(within))) table = await tableNow();
      lastTable = table;
      // Exactly one message ends the wait: the report of a change, or the answer to the request to stop waiting.
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

/** A strict pcscd refuses every other minor version and answers with its own. Then its version is proposed once. */
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

/** The socket to pcscd, with a buffer of unread bytes. */
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
      // When the connection has ended, the `close` event gives the better reason.
      if (cause.code !== 'EPIPE' && cause.code !== 'ECONNRESET') this.#fail(notConnected(path, cause));
    });
    this.#socket.on('close', () => this.#fail(new Error(this.#hasAnswered ? ended : unwelcome)));
    this.#socket.on('data', (bytes: Buffer) => this.#hear(bytes));
    signal.addEventListener('abort', this.#leave, { once: true });
    if (signal.aborted) this.#leave();
  }

  /** Sends a request and gives its answer of so many bytes. */
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

  /** Whether so many bytes came within the span. They are consumed. */
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

  /** Gives the next bytes if all of them come within the span. */
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

/** The error for a refusal by pcscd. The number is written as in PCSC/pcsclite.h. */
export const refusal = (what: string, value: number): Error =>
  new Error(`pcscd refuses ${what} (0x${value.toString(16).padStart(8, '0')})`);
