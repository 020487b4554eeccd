/**
 * Several servers of one service as one (src/cloud/README.md 10). Calls with a device token go to the first server that
 * answers, in the configured order. Calls with a user's token stay at the server that gave it, because other servers do
 * not know it.
 */
import type { Secret } from '../core/secret.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { UserToken } from '../domain/user.ts';
import type { Cloud, ServerCloud } from './client.ts';
import { isAway } from './link/server-link.ts';

/**
 * Whether the call may be made at another server after it failed here. `once`: only if it certainly did nothing here.
 */
type Repeat = 'safe' | 'once';

/** In the order to try; a server that is away, or failed a moment ago, is tried last. */
class Servers {
  readonly #all: readonly [ServerCloud, ...ServerCloud[]];
  readonly #homes = new WeakMap<Secret, ServerCloud>();

  constructor(all: readonly [ServerCloud, ...ServerCloud[]]) {
    this.#all = all;
  }

  /** The server where the user logged in. */
  at({ value }: UserToken): ServerCloud {
    return this.#homes.get(value) ?? this.#all[0];
  }

  settle({ value }: UserToken, server: ServerCloud): void {
    this.#homes.set(value, server);
  }

  inOrder(): readonly ServerCloud[] {
    const isAble = ({ link }: ServerCloud): boolean => link.isAble();
    return [...this.#all.filter(isAble), ...this.#all.filter((one) => !isAble(one))];
  }

  async anywhere<T>(repeat: Repeat, call: (server: ServerCloud) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const server of this.inOrder()) {
      try {
        return await call(server);
      } catch (error) {
        // The first server's failure counts. Another one replaces it unless it only says that the device is not
        // authorized there.
        if (failure === undefined || !isProblem(error, 'terminal-not-authorized')) failure = error;
        if (!mayGoOn(error, repeat)) throw failure;
      }
    }
    throw failure;
  }

  withEither<T>(token: UserToken | undefined, call: (server: ServerCloud) => Promise<T>): Promise<T> {
    return token ? call(this.at(token)) : this.anywhere('safe', call);
  }
}

export function createFailOver(all: readonly [ServerCloud, ...ServerCloud[]]): Cloud {
  const servers = new Servers(all);
  const [first] = all;
  const documentsOf = (token: UserToken) => servers.at(token).documents;
  const balanceOf = (token: UserToken) => servers.at(token).balance;

  return {
    authorization: first.authorization,
    logins: {
      login: (credentials, options) =>
        // A login may use up a password even if its answer is lost.
        servers.anywhere(credentials.kind === 'password' ? 'once' : 'safe', async (server) => {
          const login = await server.logins.login(credentials, options);
          servers.settle(login.token, server);
          return login;
        }),
    },
    documents: {
      ready: (token, options) => documentsOf(token).ready(token, options),
      requireReady: (uuid, token, options) => documentsOf(token).requireReady(uuid, token, options),
      download: (uuid, token, options) => documentsOf(token).download(uuid, token, options),
      remove: (uuid, token, options) => documentsOf(token).remove(uuid, token, options),
      consume: (uuid, token, options) => documentsOf(token).consume(uuid, token, options),
      deliver: (uuid, to, token, options) => documentsOf(token).deliver(uuid, to, token, options),
      statusOf: (uuid, token, options) => documentsOf(token).statusOf(uuid, token, options),
    },
    balance: {
      check: (wanted, options) => balanceOf(wanted.token).check(wanted, options),
      quote: (wanted, options) => balanceOf(wanted.token).quote(wanted, options),
      own: (login, options) => balanceOf(login.token).own(login, options),
    },
    history: {
      post: (record, options) => servers.anywhere('once', ({ history }) => history.post(record, options)),
    },
    outputPorts: {
      list: (options) => servers.withEither(options.token, ({ outputPorts }) => outputPorts.list(options)),
    },
    reports: first.reports && {
      report: (info, target, options) =>
        servers.anywhere('safe', async ({ reports }) => reports?.report(info, target, options)),
    },
    historyRecords: {
      count: (record, outputPortId, options) =>
        servers.withEither(options.token, ({ historyRecords }) =>
          historyRecords.count(record, outputPortId, options),
        ),
      youngest: (port, span, options) =>
        servers.withEither(options.token, ({ historyRecords }) =>
          historyRecords.youngest(port, span, options),
        ),
    },
    terminalConfigs: {
      read: (serialNumber, options) =>
        servers.withEither(options.token, ({ terminalConfigs }) =>
          terminalConfigs.read(serialNumber, options),
        ),
    },
    directory: (token) => (token ? servers.at(token) : (servers.inOrder()[0] ?? first)).directory(token),
    version: (options) => servers.anywhere('safe', (server) => server.version(options)),
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

/** After a definite answer no other server is asked, least of all after a 401 or 403. */
function mayGoOn(error: unknown, repeat: Repeat): boolean {
  if (isProblem(error, 'terminal-not-authorized')) return true;
  return isAway(error) && (repeat === 'safe' || (isProblem(error) && error.delivery === 'not-sent'));
}
