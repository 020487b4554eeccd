/**
 * The composition root: adapters are constructed and connected with the machines only here. `wireAgent` builds the
 * pieces in order, so that each piece is given only what exists. What a piece tells those that come later goes over a
 * channel, and `hear` connects the channels in the end. No piece tells anything before `open`.
 */
import { rinseParser } from '../cloud/http/rinse.ts';
import { createServiceClock } from '../cloud/link/service-clock.ts';
import { createSettingsReading } from '../cloud/settings/settings-reading.ts';
import { createSurroundings } from '../cloud/surroundings.ts';
import { Channel } from '../core/channel.ts';
import { createOblivion } from '../core/oblivion.ts';
import { rinseSockets } from '../core/rinse.ts';
import type { Service } from '../core/service.ts';
import { runServices } from '../core/service.ts';
import { ownFileAlone } from '../domain/gateway-digest.ts';
import { idUnder } from '../domain/output-port.ts';
import { createSettling } from '../domain/settling.ts';
import type { GuestDesk } from '../guests/desk.ts';
import { createMetrics } from '../operations/metrics.ts';
import type { OperationsPages } from '../operations/pages.ts';
import { statusLine } from '../operations/service-manager.ts';
import { createWatchdog } from '../operations/watchdog.ts';
import { OnTheWay } from '../release/on-the-way.ts';
import { Roster } from '../station/roster.ts';
import { openStation } from '../station/running-station.ts';
import { Stations } from '../station/stations.ts';
import { createRoomWatch, createStateAge } from '../status/state-watch.ts';
import type { ServiceState } from '../terminal/context.ts';
import { createCloudLink } from './cloud-link.ts';
import { sharedOf } from './commons.ts';
import type { AdministratorsDeeds } from './deeds.ts';
import { deedsOf } from './deeds.ts';
import { digestOf } from './digest.ts';
import { figuresOf } from './figures.ts';
import { configurationOf, fleetSeen, fleetServices, holdsOf, portsFor } from './fleet.ts';
import { tellQuarantine } from './ground.ts';
import { createNotifying } from './notifying.ts';
import type { Opened, WiredDeps } from './options.ts';
import { agentPages } from './pages.ts';
import type { ReadConfig, ReloadOutcome } from './reload.ts';
import { ConfigInForce, Reloading } from './reload.ts';

export interface WiredAgent extends AsyncDisposable {
  readonly guests: GuestDesk;
  readonly settle: AdministratorsDeeds['settle'];
  readonly pages: OperationsPages;
  /** Opens the terminals of the configuration. */
  open(): Promise<void>;
  reload(read?: ReadConfig, by?: number): Promise<ReloadOutcome>;
  /** Runs until the signal aborts, then ends the terminals first. */
  run(signal: AbortSignal): Promise<void>;
}

export function wireAgent(deps: WiredDeps, { ground, kiosk, fleet, traces }: Opened): WiredAgent {
  const { clock, chance, log, manager } = deps;
  const { store, conditions, health } = ground;

  const authorizations = new Channel<boolean>();
  const obstacles = new Channel();
  const serviceStates = new Channel<ServiceState>();
  const serviceReturns = new Channel();
  const servings = new Channel();
  const settingsChanges = new Channel<string>();
  const rests = new Channel();

  const inForce = new ConfigInForce(deps.config);
  const config = inForce.current;
  const roster = new Roster();
  const metrics = createMetrics({ clock });
  const serviceClock = createServiceClock(clock, conditions);
  const settling = createSettling({ clock, chance, gateways: () => fleet?.headcount.size() ?? 1 });
  const link = createCloudLink({
    config,
    store,
    conditions,
    clock,
    chance,
    log,
    ...(deps.lookup === undefined ? {} : { lookup: deps.lookup }),
    serviceClock,
    settling,
    limitWatch: {
      waited: (urgency, span) => metrics.callWaited(urgency === 'person' ? 'person' : 'background', span),
      refused: () => metrics.callRefused(),
    },
    isIdle: () => roster.isUnattended(),
    onAuthorized: authorizations.tell,
    onObstacle: obstacles.tell,
    onService: serviceStates.tell,
    onBack: serviceReturns.tell,
  });
  const { cloud } = link;
  const surroundings = createSurroundings({ ...deps, settling, directory: () => cloud.directory() });
  const settingsReading = createSettingsReading({
    ports: portsFor(fleet, cloud.outputPorts, deps.config),
    configs: cloud.terminalConfigs,
    store: store.settings,
    conditions,
    settling,
    clock,
    chance,
    log,
    onChange: settingsChanges.tell,
  });
  const onTheWay = new OnTheWay();
  const oblivion = createOblivion({
    isBusy: () => onTheWay.isAnyInHand() || !roster.isUnattended(),
    rinse: [() => rinseSockets(chance), rinseParser],
    clock,
  });
  const courier = store.courier({
    poster: {
      post: (record, call) => cloud.history.post(record, call).finally(() => oblivion.due()),
    },
    records: cloud.historyRecords,
    serviceTime: serviceClock,
    conditions,
    wills: fleet?.wills,
    settling,
    portIdOf: ({ terminal, record }) => idUnder(settingsReading.of(terminal).port, record),
  });
  const holds = holdsOf(fleet, roster, servings.tell);
  const notifying = createNotifying({ config, conditions, holds, health, clock, chance, log });
  const shared = sharedOf({
    ...deps,
    config,
    startedWith: deps.config,
    ground,
    cloud,
    fleet,
    holds,
    onTheWay,
    settingsReading,
    metrics,
    settling,
    traces,
    serviceTime: serviceClock,
    link,
  });
  const stations = new Stations({
    roster,
    shared,
    open: (plan, hooks) => openStation(plan, { shared, kiosk, ...hooks }),
    onChange: rests.tell,
  });
  const describe = () =>
    statusLine({ terminals: roster.list(), conditions: conditions.list(), ...store.outboxCounts() });
  const reloading = new Reloading({
    inForce,
    file: deps.configFile,
    stations,
    conditions,
    manager,
    clock,
    log,
    describe,
  });
  const reload = (read: ReadConfig = config, by?: number) => reloading.reload(read, by);
  const configuration = configurationOf(fleet, { ...deps, settling }, () => reload(deps.readConfig));
  const deeds = deedsOf({ ...deps, configNow: config, ground });
  const digest = digestOf({
    ...deps,
    configNow: config,
    ground,
    roster,
    link,
    fleet,
    deeds,
    standing: () => configuration?.standing() ?? ownFileAlone,
  });
  const fleetNow =
    fleet && (() => fleetSeen(fleet, { holds, terminals: roster.list().map(({ id }) => id), configuration }));
  metrics.readFrom(figuresOf({ ...deps, ground, traces, link, roster, fleetNow }));

  authorizations.hear((yes) => {
    if (yes) surroundings.look();
    stations.authorized(yes);
  });
  obstacles.hear(() => roster.list().forEach((station) => station.obstacleChanged()));
  serviceStates.hear((state) => {
    metrics.cloudIs(state);
    stations.cloudIs(state);
  });
  serviceReturns.hear(() => {
    courier.retryNow();
    settingsReading.readAgain();
    for (const station of roster.list()) station.serviceIsBack();
  });
  servings.hear(stations.servingChanged);
  servings.hear(() => notifying.servingChanged());
  settingsChanges.hear((terminal) => roster.of(terminal)?.settingsChanged());
  rests.hear(() => {
    oblivion.due();
    digest.changed();
  });
  inForce.changes.hear((changed) => {
    log.levels.configure(changed.log.level);
    link.personActed();
    configuration?.again();
    if (changed.fleet) fleet?.engine.follow(changed.fleet.engine.url);
    notifying.configChanged();
  });

  const stateAge = () =>
    createStateAge({
      lastSign: store.lastSign,
      history: cloud.historyRecords,
      conditions,
      clock,
      chance,
      log,
      ports: () =>
        roster.list().flatMap(({ id: terminal }) => {
          const { port } = settingsReading.of(terminal);
          return port ? [{ terminal, port }] : [];
        }),
    });
  /** The services for all terminals. They run until the last terminal has ended. */
  const back = (): readonly Service[] => [
    ...link.services,
    surroundings,
    ...settingsReading.services,
    courier,
    oblivion,
    ...digest.services,
    createRoomWatch({ stateDir: deps.config.stateDir, conditions, clock, chance }),
    // In a fleet other gateways print at the same output ports.
    ...(fleet ? [] : [stateAge()]),
    notifying,
    ...(traces ? [traces] : []),
    ...fleetServices(fleet, { heir: stations.heir, onEngine: () => courier.retryNow() }),
    ...(configuration?.services ?? []),
    ...holds.services,
    createWatchdog({
      manager,
      health,
      clock,
      log,
      describe,
      onBlocked: (span) => metrics.eventLoopBlocked(span),
    }),
  ];

  return {
    guests: link.guests,
    settle: deeds.settle,
    pages: agentPages({
      overview: digest.overview,
      gateways: fleet && digest.gateways,
      fleet: () => fleetNow?.(),
      born: ground.born,
      reloading,
      roster,
      link,
      surroundings,
      store,
      metrics,
      health,
      settling,
      acknowledgements: deeds.acknowledgements,
    }),
    async open() {
      tellQuarantine(store, conditions);
      ground.safeMode.start();
      reloading.start();
      await stations.apply(deps.config);
    },
    reload,
    async run(signal) {
      const { fatal, start } = ground;
      const stopBack = new AbortController();
      const stopTerminals = new AbortController();
      const ending = AbortSignal.any([signal, fatal, stopTerminals.signal]);
      const backRuns = runServices(back(), stopBack.signal, health);
      const terminalRuns = stations.run(ending);
      try {
        await Promise.race([terminalRuns, backRuns]);
        fatal.throwIfAborted();
        start.forget();
      } finally {
        manager.stopping();
        stopTerminals.abort();
        await terminalRuns.catch(() => {});
        stopBack.abort();
        await backRuns;
        log.info('agent stopped');
      }
    },
    async [Symbol.asyncDispose]() {
      await stations[Symbol.asyncDispose]();
      await link[Symbol.asyncDispose]();
    },
  };
}
