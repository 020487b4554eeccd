/**
 * One server of the service with its client, its device token and its enrollment. After a 403 it checks whether the
 * server still trusts the device. `cloud-link.ts` joins several servers.
 */
import type { LookupFunction } from 'node:net';
import type { CloudClientDeps, ServerCloud } from '../cloud/client.ts';
import { createCloud } from '../cloud/client.ts';
import type { ServiceClock } from '../cloud/link/service-clock.ts';
import { createTrustCheck } from '../cloud/link/trust-check.ts';
import type { Config } from '../config/schema/config.ts';
import { seconds } from '../core/duration.ts';
import type { Rate } from '../core/token-bucket.ts';
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
  readonly cloud: ServerCloud;
  readonly enrollment: Enrollment;
  /** The end of each certificate the server shows, also on its OAuth side: by `host:port`, in wall milliseconds. */
  readonly certificates: ReadonlyMap<string, number>;
  isAuthorized(): boolean;
}

export interface CloudDeps extends Env {
  /** The configuration in force at this moment. */
  config(): Config;
  readonly serviceClock: ServiceClock;
  readonly settling: Settling;
  readonly lookup?: LookupFunction;
  readonly dispatcherFor?: CloudClientDeps['dispatcherFor'];
  readonly limitWatch?: CloudClientDeps['limitWatch'];
  /** `true`: no user is in a session at any terminal. */
  isIdle(): boolean;
}

export interface CloudServerDeps extends CloudDeps {
  /** Read at every use: its API key and limits may change while the agent runs. */
  address(): ServerAddress;
  readonly device: DeviceStore;
  readonly charging: Store['charging'];
  /** Trouble at the further servers is a warning only. */
  readonly isFirst: boolean;
  onReachability(): void;
  onAuthorization(): void;
  /** Called when the obstacle to using the device there may have changed. */
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
    ...(deps.limitWatch === undefined ? {} : { limitWatch: deps.limitWatch }),
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

/** Read at every use: the limits may change while the agent runs. */
const limitsNow = ({ address }: CloudServerDeps) => ({
  get requestsPerSecond() {
    return address().limits.requestsPerSecond;
  },
  get burst() {
    return address().limits.burst;
  },
});

/** A person with one document makes five calls. With `auto` a large gateway may make more calls than a small one. */
const usualLimits = { requestsPerSecond: 50, burst: 100 } as const;
const usualTerminals = 25;
const perFurtherTerminal = 2;

export function limitsOf({
  cloud: { limits },
  terminals,
}: {
  readonly cloud: Pick<Config['cloud'], 'limits'>;
  readonly terminals: { readonly length: number };
}): Rate {
  if (limits !== 'auto') return limits;
  const further = Math.max(0, terminals.length - usualTerminals);
  return {
    ...usualLimits,
    requestsPerSecond: usualLimits.requestsPerSecond + perFurtherTerminal * further,
  };
}

/** The servers with their addresses and keys, in the order in which they are tried. */
export function cloudServers(config: Pick<Config, 'cloud' | 'terminals'>) {
  const { cloud } = config;
  const { proxyUrl, fallbacks } = cloud;
  const limits = limitsOf(config);
  return [cloud, ...fallbacks].map(({ baseUrl, authUrl, apiKey, caFile }) => ({
    baseUrl,
    authUrl,
    apiKey: apiKey ?? cloud.apiKey,
    limits,
    ...(caFile === undefined ? {} : { ca: caFile }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  }));
}

export const clientOf = ({ balance, device, status }: Config) => ({
  clientType: device.clientType,
  description: device.description,
  version,
  report: status.report,
  balanceOnError: balance.onError,
});
