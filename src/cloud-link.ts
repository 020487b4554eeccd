/**
 * The agent's link to the service: for each configured server a client, a device token and its enrollment, joined
 * into one cloud (api-supplement.md 10). Part of the composition root; what runs over the link is wired in `agent.ts`.
 */
import type { LookupFunction } from 'node:net';
import type { Cloud } from './cloud/client.ts';
import { createCloud } from './cloud/client.ts';
import { createFailOver } from './cloud/fail-over.ts';
import type { Pulse } from './cloud/pulse.ts';
import { createPulse } from './cloud/pulse.ts';
import type { Reachability } from './cloud/reachability.ts';
import { createTrustCheck } from './cloud/trust-check.ts';
import type { Config } from './config/schema.ts';
import type { Chance } from './core/chance.ts';
import type { Clock } from './core/clock.ts';
import type { Duration } from './core/duration.ts';
import { longest, seconds } from './core/duration.ts';
import type { Log } from './core/log.ts';
import type { Service } from './core/service.ts';
import type { Conditions } from './domain/condition.ts';
import { DeviceTokenHolder } from './machines/device-tokens.ts';
import type { Enrollment } from './machines/enrollment-service.ts';
import { createEnrollment } from './machines/enrollment-service.ts';
import type { Store } from './store/store.ts';
import { version } from './version.ts';

export interface CloudLinkOptions {
  readonly config: Config;
  readonly store: Store;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly lookup?: LookupFunction;
  /** Nobody is in a session at any terminal. */
  isIdle(): boolean;
  /** The device may act at one server at least, or at none. */
  onAuthorized(yes: boolean): void;
  /** One server at least answers, or none; with every change. */
  onUp(isUp: boolean): void;
  /** A server was away and is back: what waits for it may go on. */
  onBack(): void;
}

export interface CloudLink extends AsyncDisposable {
  readonly cloud: Cloud;
  readonly services: readonly Service[];
  tokenExpiresIn(): Duration;
  /** What the status shows of the first server's enrollment. */
  enrollment(): ReturnType<Enrollment['status']>;
  servers(): readonly ServerStatus[];
}

export interface ServerStatus {
  readonly baseUrl: string;
  readonly isUp: boolean;
  readonly version: string | undefined;
  readonly enrollment: string;
}

interface Server {
  readonly baseUrl: string;
  readonly cloud: Cloud;
  readonly pulse: Pulse;
  readonly enrollment: Enrollment;
  reachability: Reachability;
  isAuthorized: boolean;
}

export function createCloudLink(options: CloudLinkOptions): CloudLink {
  const { config, store, conditions, clock, chance, log } = options;
  const servers: Server[] = [];
  const isUp = () => servers.some(({ pulse }) => pulse.isUp());

  for (const [index, address] of cloudServers(config).entries()) {
    const isFirst = index === 0;
    const host = new URL(address.baseUrl).host;
    const deviceTokens = new DeviceTokenHolder();
    const cloud = createCloud({
      ...address,
      ...clientOf(config),
      ...{ deviceTokens, clock, chance, log },
      charging: store.charging,
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
      ...(config.cloud.fallbacks.length === 0 ? {} : { loginTries: 1 }),
      onReachable: (state) => {
        server.reachability = state;
        tellConditions();
      },
      onApiReachable: (state) => server.pulse.heard(state),
    });
    const pulse = createPulse({
      ask: (call) => cloud.version(call),
      onChange: () => options.onUp(isUp()),
      onBack: () => {
        server.enrollment.serviceIsBack();
        options.onBack();
      },
      ...{ clock, chance, log },
    });
    const device = isFirst ? store.device : store.deviceAt(address.authUrl);
    const enrollment = createEnrollment({
      authorization: cloud.authorization,
      store: device,
      holder: deviceTokens,
      ...(isFirst ? {} : { furtherServer: host }),
      conditions,
      poll: {
        first: seconds(config.device.poll.firstSeconds),
        longest: seconds(config.device.poll.longestSeconds),
      },
      ...{ clock, chance, log },
      isIdle: () => options.isIdle(),
      onAuthorized: (yes) => {
        const before = servers.some((one) => one.isAuthorized);
        server.isAuthorized = yes;
        const now = servers.some((one) => one.isAuthorized);
        if (now !== before) options.onAuthorized(now);
      },
    });
    const checkTrust = createTrustCheck({
      trust: cloud.directory().endpoints,
      clientId: device.facts().identity.clientId,
      ...{ clock, log },
      doubt: () => enrollment.doubtTrust(),
    });
    deviceTokens.onDenied(() => void checkTrust());
    const server: Server = {
      baseUrl: address.baseUrl,
      ...{ cloud, pulse, enrollment },
      reachability: 'up',
      isAuthorized: false,
    };
    servers.push(server);
  }

  /** One server of several that is away is a warning; when none is left, nobody can be served. */
  function tellConditions(): void {
    const severity = servers.some(({ reachability }) => reachability === 'up') ? 'warning' : 'error';
    for (const { baseUrl, reachability } of servers) {
      const subject = servers.length === 1 ? 'cloud' : `cloud at ${new URL(baseUrl).host}`;
      if (reachability === 'up') conditions.clear('agent', subject);
      else {
        const { code, message: detail } = reachability;
        conditions.raise({ code, severity, scope: 'agent', subject, detail });
      }
    }
  }

  const [first, ...further] = servers;
  if (!first) throw new Error('the configuration names no server');
  const inTurn = ({ cloud, pulse }: Server) => ({ cloud, isUp: () => pulse.isUp() });
  const cloud =
    further.length === 0
      ? first.cloud
      : createFailOver({ servers: [inTurn(first), ...further.map(inTurn)], clock });

  return {
    cloud,
    services: servers.flatMap(({ enrollment, pulse }) => [enrollment, pulse]),
    tokenExpiresIn: () =>
      longest(...servers.map(({ enrollment }) => enrollment.status().tokenExpiresIn), seconds(0)),
    enrollment: () => first.enrollment.status(),
    servers: () =>
      servers.map(({ baseUrl, pulse, enrollment }) => ({
        baseUrl,
        isUp: pulse.isUp(),
        version: pulse.version()?.version,
        enrollment: enrollment.status().state,
      })),
    [Symbol.asyncDispose]: () => cloud[Symbol.asyncDispose](),
  };
}

/** Where the servers are and how they are reached, in the order to try. */
export function cloudServers({ cloud }: Config) {
  const { limits, proxyUrl, fallbacks } = cloud;
  return [cloud, ...fallbacks].map(({ baseUrl, authUrl, apiKey, caFile }) => ({
    baseUrl,
    authUrl,
    apiKey: apiKey ?? cloud.apiKey,
    limits,
    ...(caFile === undefined ? {} : { ca: caFile }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  }));
}

/** How this installation presents itself to every server. */
export const clientOf = ({ balance, device, status }: Config) => ({
  clientType: device.clientType,
  description: device.description,
  version,
  report: status.report,
  balanceOnError: balance.onError,
});
