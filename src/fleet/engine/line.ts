/**
 * One connection to one server: a statement at a time, each with a deadline on our clock. The client of `pg` can wait
 * for ever on a line that is open at our end alone, so the socket is ours: at a deadline it is destroyed, and the line
 * with it (F2). What the environment says of PostgreSQL (PGPASSWORD, PGOPTIONS, a .pgpass) has no say here.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getCACertificates } from 'node:tls';
import type { QueryResultRow } from 'pg';
import { Client, types } from 'pg';
import type { EngineAddress, EngineHost } from '../../config/engine-address.ts';
import { WireRefusal, WireWatch } from './wire-watch.ts';

/** `name`: of the prepared statement, and what a problem calls it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Row = Readonly<Record<string, unknown>>;

export interface Line extends Disposable {
  /** `db1.example:5432` */
  readonly place: string;
  /** Rejects with the server's `DatabaseError`, or with what the line was lost by. One at a time. */
  ask(statement: Statement, values: readonly unknown[], deadline: AbortSignal): Promise<readonly Row[]>;
  /** Several statements without values, as one message: outside a transaction of their own they are one. */
  run(script: string, deadline: AbortSignal): Promise<void>;
  /** Heard until the line ends. */
  onNotice(listener: (channel: string, payload: string) => void): void;
  readonly isOver: boolean;
  /** Resolves when it is over, with what ended it. */
  readonly lost: Promise<Error>;
}

/**
 * What the role or the database may be set to, and a claim cannot stand: another isolation makes one of two rivals fail
 * where it should learn who won.
 */
const sessionOptions = '-c default_transaction_isolation=read\\ committed -c TimeZone=UTC';

const int8 = 20;
const parsers: { getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === int8 && format !== 'binary' ? Number : types.getTypeParser(type, format),
};

/** Rejects with the server's `DatabaseError`, the system's error, or the deadline's reason. */
export async function openLine(
  address: EngineAddress,
  host: EngineHost,
  deadline: AbortSignal,
): Promise<Line> {
  deadline.throwIfAborted();
  const line = new WatchedLine(address, host);
  await line.open(deadline);
  return line;
}

class WatchedLine implements Line {
  readonly place: string;
  readonly #isTls: boolean;
  readonly #socket = new Socket();
  readonly #client: Client;
  readonly #watch: WireWatch;
  readonly #lost = Promise.withResolvers<Error>();
  // Not by the promise: it would keep whatever has ever waited.
  readonly #waiting = new Set<(error: Error) => void>();
  #isOver = false;

  constructor(address: EngineAddress, host: EngineHost) {
    this.place = `${host.name}:${host.port}`;
    this.#isTls = address.tls !== undefined;
    this.#client = clientOf(address, host, this.#socket);
    this.#watch = new WireWatch({ isProved: this.#isTls, hasPassword: address.password.reveal() !== '' });
  }

  async open(deadline: AbortSignal): Promise<void> {
    const client = this.#client;
    client.connection.on('sslconnect', () => this.#watchOver(client.connection.stream));
    client.on('error', (error: Error) => this.#lose(error));
    client.on('end', () => this.#lose(new Error('the server closed the connection')));
    try {
      const connecting = client.connect();
      // By TLS its first answer is one octet, and comes before the handshake.
      if (!this.#isTls) this.#watchOver(this.#socket);
      await this.#until(connecting, deadline);
      if (!this.#watch.isSignedIn) throw new WireRefusal('nobody has seen it let us in');
    } catch (error) {
      this.#lose(error as Error);
      throw error;
    }
  }

  async ask(
    { name, text }: Statement,
    values: readonly unknown[],
    deadline: AbortSignal,
  ): Promise<readonly Row[]> {
    this.#watch.asked();
    const answer = this.#client.query<QueryResultRow>({ name, text, values: [...values] });
    const { rows } = await this.#until(answer, deadline);
    return rows;
  }

  async run(script: string, deadline: AbortSignal): Promise<void> {
    this.#watch.asked();
    await this.#until(this.#client.query(script), deadline);
  }

  onNotice(listener: (channel: string, payload: string) => void): void {
    this.#client.on('notification', ({ channel, payload = '' }) => listener(channel, payload));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get lost(): Promise<Error> {
    return this.#lost.promise;
  }

  [Symbol.dispose](): void {
    this.#lose(new Error('closed by us'));
  }

  /** What `pg` cannot read it throws out of here, where nobody would catch it. */
  #watchOver(stream: Duplex): void {
    const readers = stream.listeners('data') as ((chunk: Buffer) => void)[];
    stream.removeAllListeners('data').on('data', (chunk: Buffer) => {
      if (this.#isOver) return;
      try {
        this.#watch.read(chunk);
        for (const read of readers) read(chunk);
      } catch (error) {
        this.#lose(error as Error);
      }
    });
  }

  async #until<T>(answer: Promise<T>, deadline: AbortSignal): Promise<T> {
    const gone = Promise.withResolvers<never>();
    const cut = () => this.#lose(deadline.reason as Error);
    this.#waiting.add(gone.reject);
    deadline.addEventListener('abort', cut, { once: true });
    if (deadline.aborted) cut();
    try {
      return await Promise.race([answer, gone.promise]);
    } finally {
      this.#waiting.delete(gone.reject);
      deadline.removeEventListener('abort', cut);
    }
  }

  #lose(error: Error): void {
    this.#isOver = true;
    this.#lost.resolve(error);
    this.#client.connection.stream.destroy();
    this.#socket.destroy();
    for (const giveUp of this.#waiting) giveUp(error);
  }
}

function clientOf(address: EngineAddress, { name, port }: EngineHost, socket: Socket): Client {
  const { user, password, database, tls } = address;
  return new Client({
    ...{ host: name, port, user, database },
    // A function: an empty password would be looked for elsewhere.
    password: () => password.reveal(),
    // The system's authorities, or the one that the address names and no other.
    ssl: tls
      ? {
          ca: tls.ca ?? [...getCACertificates('default'), ...getCACertificates('system')],
          rejectUnauthorized: true,
        }
      : false,
    stream: () => socket,
    keepAlive: true,
    ...{ application_name: 'platen', client_encoding: 'UTF8', options: sessionOptions },
    types: parsers,
  });
}
