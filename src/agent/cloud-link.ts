/**
 * The agent's link to the service: its configured servers joined into one cloud (src/cloud/README.md 10). `wiring.ts`
 * connects it with the rest of the agent.
 */
import type { CloudServer, CloudDeps } from './cloud-server.ts';
import { cloudServers, createCloudServer } from './cloud-server.ts';
import type { Cloud } from '../cloud/client.ts';
import { createFailOver } from '../cloud/fail-over.ts';
import { isoInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { longest, seconds } from '../core/duration.ts';
import type { Service } from '../core/service.ts';
import type { Conditions } from '../domain/condition.ts';
import type { Obstacle } from '../enrollment/obstacle.ts';
import { foremostObstacle } from '../enrollment/obstacle.ts';
import type { Enrollment } from '../enrollment/runner.ts';
import { GuestDesk } from '../guests/desk.ts';
import type { Store } from '../store/store.ts';
import type { ServiceState } from '../terminal/context.ts';
import { CardReturn } from '../terminal/person/card-return.ts';

export interface CloudLinkDeps extends CloudDeps {
  readonly store: Store;
  /** `true`: the device may act at one server at least. */
  onAuthorized(yes: boolean): void;
  /** Called when `obstacle` may have changed. */
  onObstacle(): void;
  /** Called with every change of how the servers answer, all of them taken together. */
  onService(state: ServiceState): void;
  /** Called when a server was away and is back, so that waiting work can go on. */
  onBack(): void;
}

export interface CloudLink extends AsyncDisposable {
  readonly cloud: Cloud;
  readonly services: readonly Service[];
  readonly guests: GuestDesk;
  readonly cardReturn: CardReturn;
  tokenExpiresIn(): Duration;
  /** Called after a change of the configuration: a server that refused this device is asked again. */
  personActed(): void;
  /** The reason why no server can be used, if there is a known one. */
  obstacle(): Obstacle | undefined;
  /** For the status, which shows the first server only. */
  enrollment(): ReturnType<Enrollment['status']>;
  servers(): readonly ServerStatus[];
  /** The end of each server certificate seen so far: by `host:port`, in wall milliseconds. */
  certificates(): ReadonlyMap<string, number>;
  /** The calls per second that may go to each server at the moment: by `host:port`. */
  callRates(): ReadonlyMap<string, number>;
}

export interface ServerStatus {
  readonly baseUrl: string;
  readonly isUp: boolean;
  /** ISO 8601, UTC: the moment of the last change of `isUp`; `null` before the first call. */
  readonly since: string | null;
  readonly version: string | undefined;
  readonly enrollment: string;
}

export function createCloudLink(deps: CloudLinkDeps): CloudLink {
  const { config, store, conditions, serviceClock, settling, clock, chance, log, lookup } = deps;
  const { dispatcherFor, limitWatch } = deps;
  const addressOf = (index: number) => cloudServers(config())[index];
  let wasAuthorized = false;

  const servers = cloudServers(config()).map((address, index): CloudServer => {
    const isFirst = index === 0;
    return createCloudServer({
      address: () => addressOf(index) ?? address,
      config,
      isFirst,
      conditions,
      serviceClock,
      settling,
      clock,
      chance,
      log,
      ...(lookup === undefined ? {} : { lookup }),
      ...(dispatcherFor === undefined ? {} : { dispatcherFor }),
      ...(limitWatch === undefined ? {} : { limitWatch }),
      device: isFirst ? store.device : store.deviceAt(address.authUrl),
      charging: store.charging,
      isIdle: () => deps.isIdle(),
      onReachability: () => tellConditions(servers, conditions),
      onAuthorization: tellAuthorization,
      onObstacle: () => deps.onObstacle(),
      onUpOrDown: () => deps.onService(stateOf(servers)),
      onBack: () => deps.onBack(),
    });
  });

  function tellAuthorization(): void {
    const isAuthorized = servers.some((server) => server.isAuthorized());
    if (isAuthorized === wasAuthorized) return;
    wasAuthorized = isAuthorized;
    deps.onAuthorized(isAuthorized);
  }

  const [first, ...further] = servers;
  if (!first) throw new Error('the configuration names no server');
  const cloud =
    further.length === 0
      ? first.cloud
      : createFailOver([first.cloud, ...further.map((server) => server.cloud)]);

  const desks = { guests: guestDesk(deps, cloud), cardReturn: returnOfCards(deps, cloud) };
  return {
    cloud,
    ...desks,
    services: [...servicesOf(servers), ...Object.values(desks)],
    personActed: () => servers.forEach(({ enrollment }) => enrollment.personActed()),
    obstacle: () => foremostObstacle(servers.map(({ enrollment }) => enrollment.obstacle())),
    tokenExpiresIn: () =>
      longest(...servers.map(({ enrollment }) => enrollment.status().tokenExpiresIn), seconds(0)),
    enrollment: () => first.enrollment.status(),
    certificates: () => new Map(servers.flatMap(({ certificates }) => [...certificates])),
    callRates: () =>
      new Map(servers.map(({ baseUrl, cloud: server }) => [new URL(baseUrl).host, server.callRate()])),
    servers: () =>
      servers.map(({ baseUrl, cloud: { link }, enrollment }) => ({
        baseUrl,
        isUp: link.isUp(),
        since: instantOf(link.since()),
        version: link.version(),
        enrollment: enrollment.status().state,
      })),
    [Symbol.asyncDispose]: () => cloud[Symbol.asyncDispose](),
  };
}

function stateOf(servers: readonly CloudServer[]): ServiceState {
  const up = servers.filter(({ cloud: { link } }) => link.isUp());
  if (up.length === 0) return 'down';
  return up.every(({ cloud: { link } }) => link.isSlow()) ? 'slow' : 'up';
}

const servicesOf = (servers: readonly CloudServer[]): readonly Service[] =>
  servers.flatMap(({ enrollment, cloud: { link } }) => [enrollment, link]);

function guestDesk(
  { config, store, conditions, clock, chance, log }: CloudLinkDeps,
  cloud: Cloud,
): GuestDesk {
  return new GuestDesk({
    account: () => config().guests,
    logins: cloud.logins,
    book: store.guests,
    service: (token) => cloud.directory(token).guests,
    conditions,
    clock,
    chance,
    log,
  });
}

function returnOfCards({ store, conditions, clock, chance, log }: CloudLinkDeps, cloud: Cloud): CardReturn {
  return new CardReturn({
    owed: store.owedCards,
    logins: cloud.logins,
    conditions,
    clock,
    chance,
    log,
    account: {
      cards: (login, options) => cloud.directory(login.token).ownAccount.cards(login, options),
    },
    users: {
      enrolCard: (user, card, options) => cloud.directory(options.token).users.enrolCard(user, card, options),
    },
  });
}

/** If one of several servers is away, that is only a warning. If all are away, no user can be served. */
function tellConditions(servers: readonly CloudServer[], conditions: Conditions): void {
  const severity = servers.some(({ cloud: { link } }) => !link.trouble()) ? 'warning' : 'error';
  for (const { baseUrl, cloud: server } of servers) {
    const subject = servers.length === 1 ? 'cloud' : `cloud at ${new URL(baseUrl).host}`;
    const trouble = server.link.trouble();
    if (!trouble) conditions.clear('agent', subject);
    else {
      const { code, message: detail } = trouble;
      conditions.raise({ code, severity, scope: 'agent', subject, detail });
    }
  }
}

const instantOf = (wall: number | undefined): string | null => (wall === undefined ? null : isoInstant(wall));
