/**
 * The cloud as the rest of Platen meets it: two servers ({base_url} and {auth_url}), one adapter for each port, built
 * from one set of options and closed as one.
 */
import type { LookupFunction } from 'node:net';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Secret } from '../core/secret.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { DeviceAuthorization, DeviceTokenSource } from '../domain/ports/enrollment.ts';
import type {
  Balance,
  Documents,
  HistoryPoster,
  HistoryRecords,
  Logins,
  OutputPorts,
  TerminalConfigs,
  TerminalReports,
} from '../domain/ports/service.ts';
import type { UserToken } from '../domain/user.ts';
import { createApi } from './http/api.ts';
import { createBreaker } from './link/breaker.ts';
import type { Directory } from './directory.ts';
import { createDirectory } from './directory.ts';
import { openDispatcher } from './http/dispatcher.ts';
import type { Limits } from './http/limiter.ts';
import { createLimiter } from './http/limiter.ts';
import type { Client } from './oauth/oauth-messages.ts';
import { createAuthorization } from './oauth/oauth.ts';
import type { Reachability } from './link/reachability.ts';
import { onAllReachable } from './link/reachability.ts';
import type { BalanceParts } from './resources/balance.ts';
import { chargingInMemory, createBalance } from './resources/balance.ts';
import { createDocuments } from './resources/documents.ts';
import { createHistoryRecords } from './resources/history-records.ts';
import { createHistoryPoster } from './resources/history.ts';
import type { TokenOwners } from './resources/login.ts';
import { createLogins } from './resources/login.ts';
import { createOutputPorts } from './resources/output-ports.ts';
import { createTerminalConfigs } from './resources/terminal-config.ts';
import type { ReportCall } from './resources/terminal-info.ts';
import { createTerminalReports } from './resources/terminal-info.ts';
import type { ServerVersion } from './resources/version.ts';
import { askVersion } from './resources/version.ts';
import type { ServiceClock } from './link/service-clock.ts';
import { createServiceClock } from './link/service-clock.ts';
import type { Transport, TransportParts } from './http/transport.ts';
import { createTransport } from './http/transport.ts';

export interface CloudOptions {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** Read for each call: it may change meanwhile, and so may `limits`. */
  readonly apiKey: Secret;
  /** PEM, added to the roots. */
  readonly ca?: string;
  readonly proxyUrl?: Secret;
  /** Name lookup; the system's unless said. */
  readonly lookup?: LookupFunction;
  /** For each server. */
  readonly limits: Limits;
  readonly clientType: Client['clientType'];
  readonly description: string;
  /** Of Platen, for the User-Agent. */
  readonly version: string;
  readonly report: ReportCall | 'off';
  readonly deviceTokens: DeviceTokenSource;
  /** `auto` unless said. */
  readonly balanceOnError?: BalanceParts['onError'];
  /** Kept in memory unless said. */
  readonly charging?: BalanceParts['charging'];
  /** Of its own unless said. */
  readonly serviceClock?: ServiceClock;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** One of several servers tries a login once: the next server is the next try. */
  readonly loginTries?: number;
  /** Told after every call: both servers are up, or what kept one from answering. */
  onReachable?(state: Reachability): void;
  /** The same of the API alone: without it nobody can be served, while a device token outlives the OAuth side. */
  onApiReachable?(state: Reachability): void;
  /** The server at that `host:port` showed a certificate that ends then; wall milliseconds. */
  onCertificate?(host: string, end: number): void;
}

export interface Cloud extends AsyncDisposable {
  readonly authorization: DeviceAuthorization;
  readonly logins: Logins;
  readonly documents: Documents;
  readonly balance: Balance;
  readonly history: HistoryPoster;
  readonly outputPorts: OutputPorts;
  readonly terminalConfigs: TerminalConfigs;
  /** `undefined` where reporting is switched off. */
  readonly reports: TerminalReports | undefined;
  readonly historyRecords: HistoryRecords;
  /** At the server a user's token came from, else at the first that is up. */
  directory(token?: UserToken): Directory;
  version(options: CallOptions): Promise<ServerVersion>;
}

export function createCloud(options: CloudOptions): Cloud {
  const { clock, chance, log, report, deviceTokens: tokens } = options;
  const serviceClock = options.serviceClock ?? createServiceClock(clock);
  const reachable = onAllReachable((state) => options.onReachable?.(state));

  const transportTo = (
    url: string,
    connection: TransportParts['connection'],
    onReachable: (state: Reachability) => void,
  ): Transport => {
    const base = new URL(url);
    const { ca, proxyUrl, lookup, limits, version } = options;
    return createTransport({
      base,
      dispatcher: openDispatcher({
        url: base,
        ...(ca === undefined ? {} : { ca }),
        ...(proxyUrl === undefined ? {} : { proxyUrl }),
        ...(lookup === undefined ? {} : { lookup }),
        onCertificate: (end) => options.onCertificate?.(base.host, end),
      }),
      limiter: createLimiter({ limits, clock }),
      // Enrollment spaces its calls itself, and its one recovery try must go at once (B.2 step 6).
      ...(connection === 'close' ? {} : { breaker: createBreaker(clock) }),
      ...{ serviceClock, clock, log },
      userAgent: `Platen/${version}`,
      connection,
      onReachable,
    });
  };
  const apiIs = reachable('api');
  const apiServer = transportTo(options.baseUrl, 'keep-alive', (state) => {
    apiIs(state);
    options.onApiReachable?.(state);
  });
  const authServer = transportTo(options.authUrl, 'close', reachable('oauth'));

  const api = createApi({
    transport: apiServer,
    get apiKey() {
      return options.apiKey;
    },
    clock,
  });
  const parts = { api, tokens, serviceTime: serviceClock, clock, log };
  const directory = createDirectory(parts);
  const owners: TokenOwners = new WeakMap();
  const client = {
    get apiKey() {
      return options.apiKey;
    },
    clientType: options.clientType,
    description: options.description,
  };

  return {
    authorization: createAuthorization({ transport: authServer, client, clock }),
    logins: createLogins({
      ...{ api, tokens, owners, clock, chance },
      ...(options.loginTries === undefined ? {} : { tries: options.loginTries }),
    }),
    documents: createDocuments({ api, owners, clock, chance, log }),
    balance: createBalance({
      api,
      onError: options.balanceOnError ?? 'auto',
      charging: options.charging ?? chargingInMemory(),
      clock,
      log,
    }),
    history: createHistoryPoster(parts),
    outputPorts: createOutputPorts(parts),
    reports: report === 'off' ? undefined : createTerminalReports({ api, tokens, clock, report }),
    historyRecords: createHistoryRecords(parts),
    terminalConfigs: createTerminalConfigs(parts),
    directory: () => directory,
    version: (callOptions) => askVersion({ api, tokens, clock }, callOptions),
    async [Symbol.asyncDispose]() {
      await Promise.all([apiServer[Symbol.asyncDispose](), authServer[Symbol.asyncDispose]()]);
    },
  };
}
