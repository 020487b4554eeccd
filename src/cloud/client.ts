/**
 * The cloud as the rest of Platen meets it: two servers ({base_url} and {auth_url}), one adapter for each port, built
 * from one set of options and closed as one.
 */
import type { LookupFunction } from 'node:net';
import type { Settling } from '../domain/settling.ts';
import type { Secret } from '../core/secret.ts';
import type { Rate } from '../core/token-bucket.ts';
import type { Env } from '../domain/env.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { DeviceAuthorization, DeviceTokenSource } from '../domain/ports/enrollment.ts';
import type {
  Balance,
  Documents,
  HistoryPoster,
  HistoryRecords,
  PortHistory,
  Logins,
  OutputPorts,
  TerminalConfigs,
  TerminalReports,
} from '../domain/ports/service.ts';
import type { UserToken } from '../domain/user.ts';
import { createApi } from './http/api.ts';
import type { ResourceDeps } from './http/caller.ts';
import type { Directory } from './directory.ts';
import { createDirectory } from './directory.ts';
import { openDispatcher } from './http/dispatcher.ts';
import { createLimiter } from './http/limiter.ts';
import type { Client } from './oauth/oauth-messages.ts';
import { createAuthorization } from './oauth/oauth.ts';
import type { LinkNews } from './link/server-link.ts';
import { ServerLink } from './link/server-link.ts';
import type { BalanceDeps } from './resources/balance.ts';
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
import type { Transport, TransportDeps } from './http/transport.ts';
import { createTransport } from './http/transport.ts';

export interface CloudClientDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** Read for each call: it may change meanwhile, and so may `limits`. */
  readonly apiKey: Secret;
  /** PEM, added to the roots. */
  readonly ca?: string;
  readonly proxyUrl?: Secret;
  /** Name lookup; the system's unless said. */
  readonly lookup?: LookupFunction;
  /** What carries the calls; connections of its own unless said. */
  readonly dispatcherFor?: typeof openDispatcher;
  /** For each server. */
  readonly limits: Rate;
  readonly clientType: Client['clientType'];
  readonly description: string;
  /** Of Platen, for the User-Agent. */
  readonly version: string;
  readonly report: ReportCall | 'off';
  readonly deviceTokens: DeviceTokenSource;
  /** `auto` unless said. */
  readonly balanceOnError?: BalanceDeps['onError'];
  /** Kept in memory unless said. */
  readonly charging?: BalanceDeps['charging'];
  /** Of its own unless said. */
  readonly serviceClock?: ServiceClock;
  /** Absent: nobody else uses the service. */
  readonly settling?: Settling;
  /** One of several servers tries a login once: the next server is the next try. */
  readonly loginTries?: number;
  /** Something is new of the `link`. */
  onNews?(news: LinkNews): void;
  /** Somebody is signed in. */
  isAttended?(): boolean;
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
  readonly historyRecords: HistoryRecords & PortHistory;
  /** At the server a user's token came from, else at the first that is up. */
  directory(token?: UserToken): Directory;
  version(options: CallOptions): Promise<ServerVersion>;
}

/** One server, and whether it is up. */
export interface ServerCloud extends Cloud {
  readonly link: ServerLink;
}

export function createCloud(deps: CloudClientDeps): ServerCloud {
  const { clock, chance, log, deviceTokens: tokens } = deps;
  const serviceClock = deps.serviceClock ?? createServiceClock(clock);
  const link = new ServerLink({
    ask: (call) => askVersion({ api, tokens, clock, urgency: 'probe' }, call),
    onNews: (news) => deps.onNews?.(news),
    isAttended: () => deps.isAttended?.() ?? false,
    ...(deps.settling === undefined ? {} : { settling: deps.settling }),
    clock,
    chance,
    log,
  });
  const apiServer = transportTo(deps.baseUrl, { gate: link.api, connection: 'keep-alive' });
  const authServer = transportTo(deps.authUrl, { gate: link.oauth, connection: 'close' });
  const client = clientOf(deps);
  const api = createApi({ transport: apiServer, client, clock });

  function transportTo(url: string, way: Pick<TransportDeps, 'gate' | 'connection'>): Transport {
    const base = new URL(url);
    const { ca, proxyUrl, lookup, limits, version, dispatcherFor = openDispatcher } = deps;
    return createTransport({
      ...way,
      base,
      serviceClock,
      clock,
      log,
      dispatcher: dispatcherFor({
        url: base,
        ...(ca === undefined ? {} : { ca }),
        ...(proxyUrl === undefined ? {} : { proxyUrl }),
        ...(lookup === undefined ? {} : { lookup }),
        onCertificate: (end) => deps.onCertificate?.(base.host, end),
      }),
      limiter: createLimiter({ limits, clock }),
      userAgent: `Platen/${version}`,
    });
  }

  return {
    link,
    authorization: createAuthorization({ transport: authServer, client, clock }),
    ...portsOver({ api, tokens, serviceTime: serviceClock, clock, log }, deps),
    version: (call) => askVersion({ api, tokens, clock, urgency: 'background' }, call),
    async [Symbol.asyncDispose]() {
      await Promise.all([apiServer[Symbol.asyncDispose](), authServer[Symbol.asyncDispose]()]);
    },
  };
}

/** How this installation presents itself. */
const clientOf = (deps: CloudClientDeps): Client => ({
  get apiKey() {
    return deps.apiKey;
  },
  clientType: deps.clientType,
  description: deps.description,
});

function portsOver(
  deps: ResourceDeps,
  { chance, report, loginTries, balanceOnError = 'auto', charging = chargingInMemory() }: CloudClientDeps,
): Omit<Cloud, 'authorization' | 'version' | typeof Symbol.asyncDispose> {
  const { api, tokens, clock, log } = deps;
  const owners: TokenOwners = new WeakMap();
  const directory = createDirectory(deps);
  return {
    logins: createLogins({
      api,
      tokens,
      owners,
      clock,
      chance,
      ...(loginTries === undefined ? {} : { tries: loginTries }),
    }),
    documents: createDocuments({ api, owners, clock, chance, log }),
    balance: createBalance({ api, onError: balanceOnError, charging, clock, log }),
    history: createHistoryPoster(deps),
    outputPorts: createOutputPorts(deps),
    reports: report === 'off' ? undefined : createTerminalReports({ api, tokens, clock, report }),
    historyRecords: createHistoryRecords(deps),
    terminalConfigs: createTerminalConfigs(deps),
    directory: () => directory,
  };
}
