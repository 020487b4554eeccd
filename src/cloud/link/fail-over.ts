/**
 * Several servers of one service as one (api-supplement.md 10): calls with a device token go to the first server that
 * answers, in the configured order; what a user's token came from stays where it came from, because one server's
 * token is nothing to another. A definite answer is never asked for elsewhere, a 401 or 403 least of all.
 */
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Secret } from '../../core/secret.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { UserToken } from '../../domain/user.ts';
import type { Cloud } from '../client.ts';

export interface FailOverServer {
  readonly cloud: Cloud;
  /** As far as its pulse knows; one that is away is tried last. */
  isUp(): boolean;
}

/** So long a server that failed is tried last, whatever its pulse says. */
const rest = seconds(15);

/** May the call be made elsewhere after it failed here? `once`: only if it certainly did nothing here. */
type Repeat = 'safe' | 'once';

export interface FailOverOptions {
  readonly servers: readonly [FailOverServer, ...FailOverServer[]];
  readonly clock: Clock;
}

export function createFailOver({ servers, clock }: FailOverOptions): Cloud {
  const first = servers[0].cloud;
  const restsUntil = new Map<Cloud, number>();
  const homes = new WeakMap<Secret, Cloud>();

  const isAble = ({ cloud, isUp }: FailOverServer): boolean =>
    isUp() && (restsUntil.get(cloud) ?? 0) <= clock.monotonic();
  const inOrder = (): readonly Cloud[] =>
    [...servers.filter(isAble), ...servers.filter((one) => !isAble(one))].map(({ cloud }) => cloud);

  async function anywhere<T>(repeat: Repeat, call: (cloud: Cloud) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const cloud of inOrder()) {
      try {
        const result = await call(cloud);
        restsUntil.delete(cloud);
        return result;
      } catch (error) {
        if (isAway(error)) restsUntil.set(cloud, clock.monotonic() + rest);
        // What the first server said counts, unless another one knows better than that it is not signed in there.
        if (failure === undefined || !isProblem(error, 'terminal-not-authorized')) failure = error;
        if (!mayGoOn(error, repeat)) throw failure;
      }
    }
    throw failure;
  }

  const at = ({ value }: UserToken): Cloud => homes.get(value) ?? first;
  const withEither = <T>(token: UserToken | undefined, call: (cloud: Cloud) => Promise<T>): Promise<T> =>
    token ? call(at(token)) : anywhere('safe', call);

  return {
    authorization: first.authorization,
    logins: {
      login: (credentials, options) =>
        // A password may be spent by a login whose answer is lost.
        anywhere(credentials.kind === 'password' ? 'once' : 'safe', async (cloud) => {
          const login = await cloud.logins.login(credentials, options);
          homes.set(login.token.value, cloud);
          return login;
        }),
    },
    documents: {
      ready: (token, options) => at(token).documents.ready(token, options),
      requireReady: (uuid, token, options) => at(token).documents.requireReady(uuid, token, options),
      download: (uuid, token, options) => at(token).documents.download(uuid, token, options),
      remove: (uuid, token, options) => at(token).documents.remove(uuid, token, options),
      consume: (uuid, token, options) => at(token).documents.consume(uuid, token, options),
      deliver: (uuid, to, token, options) => at(token).documents.deliver(uuid, to, token, options),
      statusOf: (uuid, token, options) => at(token).documents.statusOf(uuid, token, options),
    },
    balance: {
      check: (wanted, options) => at(wanted.token).balance.check(wanted, options),
      quote: (wanted, options) => at(wanted.token).balance.quote(wanted, options),
      own: (login, options) => at(login.token).balance.own(login, options),
    },
    history: { post: (record, options) => anywhere('once', (cloud) => cloud.history.post(record, options)) },
    outputPorts: {
      list: (options) => withEither(options.token, (cloud) => cloud.outputPorts.list(options)),
    },
    reports: first.reports && {
      report: (info, target, options) =>
        anywhere('safe', async (cloud) => cloud.reports?.report(info, target, options)),
    },
    historyRecords: {
      count: (record, outputPortId, options) =>
        withEither(options.token, (cloud) => cloud.historyRecords.count(record, outputPortId, options)),
    },
    terminalConfigs: {
      read: (serialNumber, options) =>
        withEither(options.token, (cloud) => cloud.terminalConfigs.read(serialNumber, options)),
    },
    directory: (token) => (token ? at(token) : (inOrder()[0] ?? first)).directory(token),
    version: (options) => anywhere('safe', (cloud) => cloud.version(options)),
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map(({ cloud }) => cloud[Symbol.asyncDispose]()));
    },
  };
}

/** The server cannot be reached, or what stands before it cannot reach it. */
const isAway = (error: unknown): boolean =>
  isProblem(error, 'cloud-unreachable') || (isProblem(error) && [502, 503, 504].includes(error.status ?? 0));

function mayGoOn(error: unknown, repeat: Repeat): boolean {
  if (isProblem(error, 'terminal-not-authorized')) return true;
  return isAway(error) && (repeat === 'safe' || (isProblem(error) && error.delivery === 'not-sent'));
}
