/**
 * The cloud as the rest of Platen meets it: two servers ({base_url} and {auth_url}), one adapter for each port, built
 * from one set of options and closed as one.
 */
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
  Logins,
  OutputPorts,
  TerminalReports,
} from '../domain/ports/service.ts';
import { createApi } from './api.ts';
import { createBalance } from './resources/balance.ts';
import { openDispatcher } from './dispatcher.ts';
import { createDocuments } from './resources/documents.ts';
import { createHistoryPoster } from './resources/history.ts';
import type { Limits } from './limiter.ts';
import { createLimiter } from './limiter.ts';
import type { TokenOwners } from './resources/login.ts';
import { createLogins } from './resources/login.ts';
import { createAuthorization } from './oauth.ts';
import type { Client } from './oauth-messages.ts';
import { createOutputPorts } from './resources/output-ports.ts';
import type { Reachability } from './reachability.ts';
import { onAllReachable } from './reachability.ts';
import type { ReportCall } from './resources/terminal-info.ts';
import { createTerminalReports } from './resources/terminal-info.ts';
import type { Transport, TransportParts } from './transport.ts';
import { createTransport } from './transport.ts';
import type { ServerVersion } from './resources/version.ts';
import { askVersion } from './resources/version.ts';

export interface CloudOptions {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly apiKey: Secret;
  /** PEM, added to the roots. */
  readonly ca?: string;
  readonly proxyUrl?: string;
  /** For each server. */
  readonly limits: Limits;
  readonly clientType: Client['clientType'];
  readonly description: string;
  /** Of Platen, for the User-Agent. */
  readonly version: string;
  readonly report: ReportCall | 'off';
  readonly deviceTokens: DeviceTokenSource;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** Told after every call, downloads apart: the service is up, or what kept it from answering. */
  onReachable?(state: Reachability): void;
}

export interface Cloud extends AsyncDisposable {
  readonly authorization: DeviceAuthorization;
  readonly logins: Logins;
  readonly documents: Documents;
  readonly balance: Balance;
  readonly history: HistoryPoster;
  readonly outputPorts: OutputPorts;
  /** `undefined` where reporting is switched off. */
  readonly reports: TerminalReports | undefined;
  version(options: CallOptions): Promise<ServerVersion>;
}

export function createCloud(options: CloudOptions): Cloud {
  const { apiKey, clock, chance, log, report, deviceTokens: tokens } = options;
  const reachable = onAllReachable((state) => options.onReachable?.(state));

  const transportTo = (url: string, connection: TransportParts['connection']): Transport => {
    const base = new URL(url);
    const { ca, proxyUrl, limits, version } = options;
    return createTransport({
      base,
      dispatcher: openDispatcher({
        url: base,
        ...(ca === undefined ? {} : { ca }),
        ...(proxyUrl === undefined ? {} : { proxyUrl }),
      }),
      limiter: createLimiter({ limits, clock }),
      clock,
      userAgent: `Platen/${version}`,
      connection,
      onReachable: reachable(url),
    });
  };
  const apiServer = transportTo(options.baseUrl, 'keep-alive');
  const authServer = transportTo(options.authUrl, 'close');

  const api = createApi({ transport: apiServer, apiKey, clock });
  const owners: TokenOwners = new WeakMap();
  const client = { apiKey, clientType: options.clientType, description: options.description };

  return {
    authorization: createAuthorization({ transport: authServer, client, clock }),
    logins: createLogins({ api, tokens, owners, clock, chance }),
    documents: createDocuments({ api, owners, clock, chance, log }),
    balance: createBalance({ api, clock }),
    history: createHistoryPoster({ api, tokens, clock }),
    outputPorts: createOutputPorts({ api, tokens, clock, log }),
    reports: report === 'off' ? undefined : createTerminalReports({ api, tokens, clock, report }),
    version: (callOptions) => askVersion({ api, clock }, callOptions),
    async [Symbol.asyncDispose]() {
      await Promise.all([apiServer[Symbol.asyncDispose](), authServer[Symbol.asyncDispose]()]);
    },
  };
}
