/**
 * One connection to one server: a statement at a time, each with a deadline on our clock. The client of `pg` can wait
 * for ever on a line that is open at our end only. So the socket is ours: at a deadline it is destroyed, and the line
 * with it (F2).
 */
import { Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { QueryResultRow } from 'pg';
import { Client, types } from 'pg';
import type { EngineAddress, EngineHost } from '../../config/engine-address.ts';
import { watchStream, WireRefusal, WireWatch } from './wire-watch.ts';

/** `name` is the name of the prepared statement, and appears in problems. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Row = Readonly<Record<string, unknown>>;

export interface Line extends Disposable {
  /** `db1.example:5432` */
  readonly place: string;
  /** Rejects with the server's `DatabaseError`, or with the error that ended the line. Only one at a time. */
  ask(statement: Statement, values: readonly unknown[], deadline: AbortSignal): Promise<readonly Row[]>;
  /**
   * Several statements without values, as one message: without a transaction of their own they run in a single
   * transaction.
   */
  run(script: string, deadline: AbortSignal): Promise<void>;
  /** Hears notices until the line ends. */
  onNotice(listener: (channel: string, payload: string) => void): void;
  readonly isOver: boolean;
  /** Resolves when it is over, with the error that ended it. */
  readonly lost: Promise<Error>;
}

/** In the form in which the server reports it. */
export const sessionTimeout = '2500ms';
/**
 * The role or the database may have other settings, which a claim does not tolerate. With another isolation one of two
 * rivals fails, although it should learn which won. A deed takes milliseconds; compiling or planning it again would
 * take longer. A server process that waits for a lock must not outlive the member that waits for its answer.
 */
const sessionOptions = [
  'default_transaction_isolation=read\\ committed',
  'TimeZone=UTC',
  'jit=off',
  'plan_cache_mode=force_generic_plan',
  'lock_timeout=2000',
  `statement_timeout=${sessionTimeout}`,
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

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
  const socket = new Socket();
  const client = clientOf(address, host, socket);
  const watch = watchOf(address);
  const lost = Promise.withResolvers<Error>();
  const waiting = new Waiting();
  let isOver = false;
  const lose = (error: Error) => {
    isOver = true;
    lost.resolve(error);
    client.connection.stream.destroy();
    socket.destroy();
    waiting.end(error);
  };
  client.connection.on('sslconnect', () => watchStream(client.connection.stream, watch, lose));
  client.on('error', lose);
  client.on('end', () => lose(new Error('the server closed the connection')));
  const until = <T>(answer: Promise<T>, limit: AbortSignal) => waiting.until(answer, { limit, lose });
  try {
    const connecting = client.connect();
    // With TLS the first answer is one octet, and comes before the handshake.
    if (!address.tls) watchStream(socket, watch, lose);
    await until(connecting, deadline);
    if (!watch.isSignedIn) throw new WireRefusal('nobody has seen it let us in');
  } catch (error) {
    lose(error as Error);
    throw error;
  }
  return {
    place: `${host.name}:${host.port}`,
    async ask({ name, text }, values, limit) {
      watch.asked();
      const { rows } = await until(client.query<QueryResultRow>({ name, text, values: [...values] }), limit);
      return rows;
    },
    async run(script, limit) {
      watch.asked();
      await until(client.query(script), limit);
    },
    onNotice: (listener) =>
      void client.on('notification', ({ channel, payload = '' }) => listener(channel, payload)),
    get isOver() {
      return isOver;
    },
    lost: lost.promise,
    [Symbol.dispose]: () => lose(new Error('closed by us')),
  };
}

/**
 * The callers that wait for an answer. A shared promise of the end would keep every caller that ever waited in memory.
 */
class Waiting {
  readonly #waiting = new Set<(error: Error) => void>();

  async until<T>(
    answer: Promise<T>,
    { limit, lose }: { readonly limit: AbortSignal; lose(error: Error): void },
  ): Promise<T> {
    const gone = Promise.withResolvers<never>();
    const cut = () => lose(limit.reason as Error);
    this.#waiting.add(gone.reject);
    limit.addEventListener('abort', cut, { once: true });
    if (limit.aborted) cut();
    try {
      return await Promise.race([answer, gone.promise]);
    } finally {
      this.#waiting.delete(gone.reject);
      limit.removeEventListener('abort', cut);
    }
  }

  end(error: Error): void {
    for (const giveUp of this.#waiting) giveUp(error);
  }
}

const watchOf = ({ tls, password }: EngineAddress): WireWatch =>
  new WireWatch({ isProved: tls !== undefined, hasPassword: password.reveal() !== '' });

/** PostgreSQL's settings in the environment (PGPASSWORD, PGOPTIONS, a .pgpass) are not used. */
function clientOf(address: EngineAddress, { name, port }: EngineHost, socket: Socket): Client {
  const { user, password, database, tls } = address;
  return new Client({
    host: name,
    port,
    user,
    database,
    // A function, because `pg` would look for an empty password elsewhere.
    password: () => password.reveal(),
    // The system's authorities, or only the one that the address names.
    ssl: tls
      ? {
          ca: tls.ca ?? [...getCACertificates('default'), ...getCACertificates('system')],
          rejectUnauthorized: true,
        }
      : false,
    stream: () => socket,
    keepAlive: true,
    application_name: 'platen',
    client_encoding: 'UTF8',
    options: sessionOptions,
    types: parsers,
  });
}
