/**
 * The composition root: adapters are constructed and connected with the machines only here. Every arrow of README's
 * picture is a line here, in `ground.ts` or in `station.ts`. No callback is called before `run`.
 */
import type { Cloud } from '../cloud/client.ts';
import { rinseParser } from '../cloud/http/rinse.ts';
import type { ServiceClock } from '../cloud/link/service-clock.ts';
import { createServiceClock } from '../cloud/link/service-clock.ts';
import type { SettingsReading } from '../cloud/settings/settings-reading.ts';
import { createSettingsReading } from '../cloud/settings/settings-reading.ts';
import type { Surroundings } from '../cloud/surroundings.ts';
import { createSurroundings } from '../cloud/surroundings.ts';
import type { Oblivion } from '../core/oblivion.ts';
import { createOblivion } from '../core/oblivion.ts';
import { rinseSockets } from '../core/rinse.ts';
import type { Service } from '../core/service.ts';
import type { Settling } from '../domain/settling.ts';
import { createSettling } from '../domain/settling.ts';
import { runServices } from '../core/service.ts';
import { idUnder } from '../domain/output-port.ts';
import { ownFileAlone } from '../domain/gateway-digest.ts';
import type { Holds } from '../domain/ports/holds.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Kiosk } from '../kiosk/server/server.ts';
import type { FleetNow } from '../operations/fleet-metrics.ts';
import type { Metrics } from '../operations/metrics.ts';
import { statusLine } from '../operations/status-line.ts';
import { createWatchdog } from '../operations/watchdog.ts';
import { openStation } from '../station/running-station.ts';
import { createRoomWatch } from '../status/room-watch.ts';
import { createStateAge } from '../status/state-age.ts';
import { Stations } from '../station/stations.ts';
import type { Shared } from '../station/world.ts';
import type { Courier } from '../store/outbox/courier.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';
import type { CloudLink } from './cloud-link.ts';
import { createCloudLink } from './cloud-link.ts';
import type { AdministratorsDeeds } from './deeds.ts';
import { deedsOf } from './deeds.ts';
import type { OwnDigest } from './digest.ts';
import { digestOf } from './digest.ts';
import type { Ground } from './ground.ts';
import { tellQuarantine } from './ground.ts';
import { metricsOf } from './figures.ts';
import { configurationOf, fleetSeen, fleetServices, holdsOf, portsFor } from './fleet.ts';
import type { Notifying } from './notifying.ts';
import { createNotifying } from './notifying.ts';
import type { Opened, WiredDeps } from './options.ts';
import { agentPages } from './pages.ts';
import type { ReadConfig, ReloadOutcome } from './reload.ts';
import { ConfigInForce } from './reload.ts';
import { sharedOf } from './commons.ts';

export class WiredAgent implements AsyncDisposable {
  readonly #deps: WiredDeps;
  readonly #ground: Ground;
  readonly #kiosk: Kiosk;
  readonly #serviceClock: ServiceClock;
  readonly #settling: Settling;
  readonly #metrics: Metrics;
  readonly #inForce: ConfigInForce;
  readonly #link: CloudLink;
  readonly #cloud: Cloud;
  readonly #oblivion: Oblivion;
  readonly #settingsReading: SettingsReading;
  readonly #courier: Courier;
  readonly #surroundings: Surroundings;
  readonly #fleet: Fleet | undefined;
  readonly #configuration: ReturnType<typeof configurationOf>;
  readonly #holds: Holds;
  readonly #shared: Shared;
  readonly #stations: Stations;
  readonly #deeds: AdministratorsDeeds;
  readonly #digest: OwnDigest;
  readonly #traces: TraceExporter | undefined;
  readonly #notifying: Notifying;

  constructor(deps: WiredDeps, { ground, kiosk, fleet, traces }: Opened) {
    const { clock, chance, log } = deps;
    this.#deps = deps;
    this.#ground = ground;
    this.#kiosk = kiosk;
    this.#fleet = fleet;
    this.#traces = traces;
    this.#serviceClock = createServiceClock(clock, ground.conditions);
    this.#settling = createSettling({ clock, chance, gateways: () => fleet?.headcount.size() ?? 1 });
    this.#metrics = this.#createMetrics();
    this.#inForce = this.#createConfigInForce();
    this.#link = this.#createLink();
    this.#cloud = this.#link.cloud;
    this.#oblivion = this.#createOblivion();
    this.#settingsReading = this.#createSettingsReading();
    this.#courier = this.#createCourier();
    const gateway = { ...deps, settling: this.#settling };
    this.#surroundings = createSurroundings({ ...gateway, directory: () => this.#cloud.directory() });
    this.#configuration = configurationOf(fleet, gateway, () => this.reload(deps.readConfig));
    const onServing = () => this.#notifying.servingChanged();
    this.#holds = holdsOf(fleet, () => this.#stations, onServing);
    this.#shared = this.#share();
    this.#stations = this.#createStations();
    const config = () => this.#inForce.current();
    this.#deeds = deedsOf({ ...deps, configNow: config, ground });
    this.#digest = this.#createDigest();
    const { conditions, health } = ground;
    this.#notifying = createNotifying({ config, conditions, holds: this.#holds, health, clock, chance, log });
  }

  get guests() {
    return this.#link.guests;
  }

  get settle() {
    return this.#deeds.settle;
  }

  async open(): Promise<void> {
    tellQuarantine(this.#ground.store, this.#ground.conditions);
    this.#ground.safeMode.start();
    this.#inForce.start();
    await this.#stations.apply(this.#deps.config);
  }

  get pages() {
    return agentPages({
      overview: this.#digest.overview,
      gateways: this.#fleet && this.#digest.gateways,
      fleet: () => this.#fleet && this.#fleetNow(this.#fleet),
      born: this.#ground.born,
      inForce: this.#inForce,
      stations: this.#stations,
      link: this.#link,
      surroundings: this.#surroundings,
      store: this.#ground.store,
      metrics: this.#metrics,
      health: this.#ground.health,
      settling: this.#settling,
      acknowledgements: this.#deeds.acknowledgements,
    });
  }

  reload(read: ReadConfig = () => this.#inForce.current(), by?: number): Promise<ReloadOutcome> {
    return this.#inForce.reload(read, by);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { fatal, health, start } = this.#ground;
    const stopBack = new AbortController();
    const stopTerminals = new AbortController();
    const ending = AbortSignal.any([signal, fatal, stopTerminals.signal]);
    const backRuns = runServices(this.#back(), stopBack.signal, health);
    const terminalRuns = this.#stations.run(ending);
    try {
      await Promise.race([terminalRuns, backRuns]);
      fatal.throwIfAborted();
      start.forget();
    } finally {
      this.#deps.manager.stopping();
      stopTerminals.abort();
      await terminalRuns.catch(() => {});
      stopBack.abort();
      await backRuns;
      this.#deps.log.info('agent stopped');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stations[Symbol.asyncDispose]();
    await this.#link[Symbol.asyncDispose]();
  }

  /** The services for all terminals. They run until the last terminal has ended. */
  #back(): readonly Service[] {
    const { manager, clock, chance, log, config } = this.#deps;
    const { stateDir } = config;
    const { conditions } = this.#ground;
    return [
      ...this.#link.services,
      this.#surroundings,
      ...this.#settingsReading.services,
      this.#courier,
      this.#oblivion,
      ...this.#digest.services,
      createRoomWatch({ stateDir, conditions, clock, chance }),
      // In a fleet other gateways print at the same output ports.
      ...(this.#fleet ? [] : [this.#createStateAge()]),
      this.#notifying,
      ...(this.#traces ? [this.#traces] : []),
      ...fleetServices(this.#fleet, { heir: this.#stations.heir, onEngine: () => this.#courier.retryNow() }),
      ...(this.#configuration?.services ?? []),
      ...this.#holds.services,
      createWatchdog({
        manager,
        health: this.#ground.health,
        clock,
        log,
        describe: () => this.#describe(),
        onBlocked: (span) => this.#metrics.eventLoopBlocked(span),
      }),
    ];
  }

  #createStateAge(): Service {
    const { clock, chance, log } = this.#deps;
    const { store, conditions } = this.#ground;
    return createStateAge({
      lastSign: store.lastSign,
      history: this.#cloud.historyRecords,
      conditions,
      clock,
      chance,
      log,
      ports: () =>
        this.#stations.list().flatMap(({ id: terminal }) => {
          const { port } = this.#settingsReading.of(terminal);
          return port ? [{ terminal, port }] : [];
        }),
    });
  }

  #describe(): string {
    const { conditions, store } = this.#ground;
    const terminals = this.#stations.list();
    return statusLine({ terminals, conditions: conditions.list(), ...store.outboxCounts() });
  }

  #isIdle(): boolean {
    return this.#stations.list().every(({ terminal }) => terminal.isIdle());
  }

  #fleetNow(fleet: Fleet): FleetNow {
    const terminals = this.#stations.list().map(({ id }) => id);
    return fleetSeen(fleet, { holds: this.#holds, terminals, configuration: this.#configuration });
  }

  #createMetrics(): Metrics {
    const fleet = this.#fleet;
    return metricsOf({
      ...this.#deps,
      ground: this.#ground,
      traces: this.#traces,
      link: () => this.#link,
      stations: () => this.#stations,
      fleetNow: fleet && (() => this.#fleetNow(fleet)),
    });
  }

  #createConfigInForce(): ConfigInForce {
    const { config, configFile: file, manager, clock, log } = this.#deps;
    return new ConfigInForce({
      config,
      file,
      conditions: this.#ground.conditions,
      manager,
      clock,
      log,
      describe: () => this.#describe(),
      stations: () => this.#stations,
      onChange: (changed) => {
        log.levels.configure(changed.log.level);
        this.#link.personActed();
        this.#configuration?.again();
        if (changed.fleet) this.#fleet?.engine.follow(changed.fleet.engine.url);
        this.#notifying.configChanged();
      },
    });
  }

  #createLink(): CloudLink {
    const { lookup, clock, chance, log } = this.#deps;
    const { store, conditions } = this.#ground;
    return createCloudLink({
      config: () => this.#inForce.current(),
      store,
      conditions,
      clock,
      chance,
      log,
      ...(lookup === undefined ? {} : { lookup }),
      serviceClock: this.#serviceClock,
      settling: this.#settling,
      limitWatch: {
        waited: (urgency, span) =>
          this.#metrics.callWaited(urgency === 'background' ? 'background' : 'person', span),
        refused: () => this.#metrics.callRefused(),
      },
      isIdle: () => this.#isIdle(),
      onAuthorized: (yes) => {
        if (yes) this.#surroundings.look();
        this.#stations.authorized(yes);
      },
      onObstacle: () => this.#stations.list().forEach((station) => station.obstacleChanged()),
      onService: (state) => {
        this.#metrics.cloudIs(state);
        this.#stations.cloudIs(state);
      },
      onBack: () => {
        this.#courier.retryNow();
        this.#settingsReading.readAgain();
        for (const station of this.#stations.list()) station.serviceIsBack();
      },
    });
  }

  #createOblivion(): Oblivion {
    return createOblivion({
      isBusy: () => this.#shared.inHand.size > 0 || !this.#isIdle(),
      rinse: [() => rinseSockets(this.#deps.chance), rinseParser],
      clock: this.#deps.clock,
    });
  }

  #createSettingsReading(): SettingsReading {
    const { clock, chance, log } = this.#deps;
    const { store, conditions } = this.#ground;
    return createSettingsReading({
      ports: portsFor(this.#fleet, this.#cloud.outputPorts, this.#deps.config),
      configs: this.#cloud.terminalConfigs,
      store: store.settings,
      conditions,
      settling: this.#settling,
      clock,
      chance,
      log,
      onChange: (terminal) => this.#stations.of(terminal)?.settingsChanged(),
    });
  }

  #createCourier(): Courier {
    const { store, conditions } = this.#ground;
    const { history, historyRecords: records } = this.#cloud;
    return store.courier({
      poster: {
        post: (record, call) => history.post(record, call).finally(() => this.#oblivion.due()),
      },
      records,
      serviceTime: this.#serviceClock,
      conditions,
      wills: this.#fleet?.wills,
      settling: this.#settling,
      portIdOf: ({ terminal, record }) => idUnder(this.#settingsReading.of(terminal).port, record),
    });
  }

  #share(): Shared {
    return sharedOf({
      ...this.#deps,
      config: () => this.#inForce.current(),
      startedWith: this.#deps.config,
      ground: this.#ground,
      cloud: this.#cloud,
      fleet: this.#fleet,
      holds: this.#holds,
      settingsReading: this.#settingsReading,
      metrics: this.#metrics,
      settling: this.#settling,
      traces: this.#traces,
      serviceTime: this.#serviceClock,
      link: this.#link,
    });
  }

  #createStations(): Stations {
    const shared = this.#shared;
    return new Stations({
      shared,
      open: (plan, hooks) => openStation(plan, { shared, kiosk: this.#kiosk, ...hooks }),
      onChange: () => {
        this.#oblivion.due();
        this.#digest.changed();
      },
    });
  }

  #createDigest(): OwnDigest {
    return digestOf({
      ...this.#deps,
      configNow: () => this.#inForce.current(),
      ground: this.#ground,
      stations: this.#stations,
      link: this.#link,
      fleet: this.#fleet,
      deeds: this.#deeds,
      standing: () => this.#configuration?.standing() ?? ownFileAlone,
    });
  }
}
