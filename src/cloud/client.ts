/**
 * The cloud as the rest of Platen uses it: two servers ({base_url} and {auth_url}), and one adapter for each port. All
 * is built from one set of options and closed together.
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
  /** Read for each call, like `limits`: both may change while the client is in use. */
  readonly apiKey: Secret;
  /** PEM, added to the roots. */
  readonly ca?: string;
  readonly proxyUrl?: Secret;
  /** Name lookup; by default the system's. */
  readonly lookup?: LookupFunction;
  /** Carries the calls; by default connections of its own. */
  readonly dispatcherFor?: typeof openDispatcher;
  /** For each server on its own. */
  readonly limits: Rate;
  readonly limitWatch?: TransportDeps['limitWatch'];
  readonly clientType: Client['clientType'];
  readonly description: string;
  readonly version: string;
  readonly report: ReportCall | 'off';
  readonly deviceTokens: DeviceTokenSource;
  /** `auto` by default. */
  readonly balanceOnError?: BalanceDeps['onError'];
  /** By default in memory only. */
  readonly charging?: BalanceDeps['charging'];
  /** By default one of its own. */
  readonly serviceClock?: ServiceClock;
  /** Absent: no other gateway uses the service. */
  readonly settling?: Settling;
  /** With several servers each tries a login once: the next server is the next try. */
  readonly loginTries?: number;
  onNews?(news: LinkNews): void;
  /** `true`: a user is signed in. */
  isAttended?(): boolean;
  /** The server at `host:port` showed a certificate with this end, in wall milliseconds. */
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
  /** `undefined` if reporting is switched off. */
  readonly reports: TerminalReports | undefined;
  readonly historyRecords: HistoryRecords & PortHistory;
  /** At the server that gave the user's token, else at the first that is up. */
  directory(token?: UserToken): Directory;
  version(options: CallOptions): Promise<ServerVersion>;
}

export interface ServerCloud extends Cloud {
  readonly link: ServerLink;
  /** The calls per second that may go to its API at the moment. */
  callRate(): number;
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
  const limiter = createLimiter({ limits: deps.limits, clock });
  const apiServer = transportTo(deps.baseUrl, { gate: link.api, limiter, connection: 'keep-alive' });
  const authServer = transportTo(deps.authUrl, {
    gate: link.oauth,
    limiter: createLimiter({ limits: deps.limits, clock }),
    connection: 'close',
  });
  const client = clientOf(deps);
  const api = createApi({ transport: apiServer, client, clock });

  function transportTo(url: string, way: Pick<TransportDeps, 'gate' | 'limiter' | 'connection'>): Transport {
    const base = new URL(url);
    const { ca, proxyUrl, lookup, limitWatch, version, dispatcherFor = openDispatcher } = deps;
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
      ...(limitWatch === undefined ? {} : { limitWatch }),
      userAgent: `Platen/${version}`,
    });
  }

  return {
    link,
    callRate: () => limiter.rate(),
    authorization: createAuthorization({ transport: authServer, client, clock }),
    ...portsOver({ api, tokens, serviceTime: serviceClock, clock, log }, deps),
    version: (call) => askVersion({ api, tokens, clock, urgency: 'background' }, call),
    async [Symbol.asyncDispose]() {
      await Promise.all([apiServer[Symbol.asyncDispose](), authServer[Symbol.asyncDispose]()]);
    },
  };
}

/** A getter, because the API key may change while the client is in use. */
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
