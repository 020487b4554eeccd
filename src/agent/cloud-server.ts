/**
 * One server of the service as the agent uses it: a client, a device token and its enrollment, and the look at its
 * trust after a 403. Several are joined in `cloud-link.ts`.
 */
import type { LookupFunction } from 'node:net';
import type { CloudClientDeps, ServerCloud } from '../cloud/client.ts';
import { createCloud } from '../cloud/client.ts';
import type { ServiceClock } from '../cloud/link/service-clock.ts';
import { createTrustCheck } from '../cloud/link/trust-check.ts';
import type { Config } from '../config/schema/config.ts';
import { seconds } from '../core/duration.ts';
import type { Settling } from '../domain/settling.ts';
import type { DeviceStore } from '../domain/ports/enrollment.ts';
import { DeviceTokenHolder } from '../enrollment/tokens.ts';
import { Enrollment } from '../enrollment/runner.ts';
import type { Store } from '../store/store.ts';
import { version } from '../core/version.ts';
import type { Env } from '../domain/env.ts';

export type ServerAddress = ReturnType<typeof cloudServers>[number];

export interface CloudServer {
  readonly baseUrl: string;
  /** Its `link` tells whether it is up. */
  readonly cloud: ServerCloud;
  readonly enrollment: Enrollment;
  /** When the certificates end that it shows, its OAuth side included: by `host:port`, wall milliseconds. */
  readonly certificates: ReadonlyMap<string, number>;
  isAuthorized(): boolean;
}

/** What all servers of one agent share. */
export interface CloudDeps extends Env {
  /** What is in force at this moment. */
  config(): Config;
  readonly serviceClock: ServiceClock;
  readonly settling: Settling;
  readonly lookup?: LookupFunction;
  readonly dispatcherFor?: CloudClientDeps['dispatcherFor'];
  /** Nobody is in a session at any terminal. */
  isIdle(): boolean;
}

export interface CloudServerDeps extends CloudDeps {
  /** Of this moment: its API key and limits may change while it runs. */
  address(): ServerAddress;
  /** Registration and tokens of this server. */
  readonly device: DeviceStore;
  readonly charging: Store['charging'];
  /** The others are told of as warnings only. */
  readonly isFirst: boolean;
  onReachability(): void;
  onAuthorization(): void;
  /** What keeps the device from being used there may be another thing. */
  onObstacle(): void;
  onUpOrDown(): void;
  onBack(): void;
}

export function createCloudServer(deps: CloudServerDeps): CloudServer {
  const { device, isFirst, conditions, settling, clock, chance, log } = deps;
  const config = deps.config();
  const address = deps.address();
  const { poll } = config.device;
  const deviceTokens = new DeviceTokenHolder();
  let isAuthorized = false;
  const certificates = new Map<string, number>();

  const cloud = createCloud({
    ...address,
    ...clientOf(config),
    get apiKey() {
      return deps.address().apiKey;
    },
    limits: limitsNow(deps),
    deviceTokens,
    settling,
    clock,
    chance,
    log,
    charging: deps.charging,
    serviceClock: deps.serviceClock,
    ...(deps.lookup === undefined ? {} : { lookup: deps.lookup }),
    ...(deps.dispatcherFor === undefined ? {} : { dispatcherFor: deps.dispatcherFor }),
    ...(config.cloud.fallbacks.length === 0 ? {} : { loginTries: 1 }),
    onNews: (news) => {
      if (news === 'trouble') return deps.onReachability();
      if (news !== 'back') return deps.onUpOrDown();
      settling.begin();
      enrollment.serviceIsBack();
      deps.onBack();
    },
    isAttended: () => !deps.isIdle(),
    onCertificate: (host, end) => certificates.set(host, end),
  });
  const enrollment = new Enrollment({
    authorization: cloud.authorization,
    store: device,
    holder: deviceTokens,
    ...(isFirst ? {} : { furtherServer: new URL(address.baseUrl).host }),
    poll: { first: seconds(poll.firstSeconds), longest: seconds(poll.longestSeconds) },
    conditions,
    settling,
    clock,
    chance,
    log,
    isIdle: () => deps.isIdle(),
    onAuthorized: (yes) => {
      isAuthorized = yes;
      deps.onAuthorization();
    },
    onObstacle: () => deps.onObstacle(),
  });
  const checkTrust = createTrustCheck({
    trust: cloud.directory().endpoints,
    clientId: device.facts().identity.clientId,
    clock,
    log,
    doubt: () => enrollment.doubtTrust(),
  });
  deviceTokens.onDenied(() => void checkTrust());

  return {
    baseUrl: address.baseUrl,
    cloud,
    enrollment,
    certificates,
    isAuthorized: () => isAuthorized,
  };
}

/** As they are when they are looked at. */
const limitsNow = ({ address }: CloudServerDeps) => ({
  get requestsPerSecond() {
    return address().limits.requestsPerSecond;
  },
  get burst() {
    return address().limits.burst;
  },
});

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
