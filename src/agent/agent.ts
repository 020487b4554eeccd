/**
 * The composition root: the one place that constructs adapters and introduces them to the machines. Every arrow of
 * README's picture is a line here or in `station.ts`. Construction opens the store and the listeners; `run` does the
 * rest until it is told to stop.
 */
import type { LookupFunction } from 'node:net';
import { startAgentControl } from './control.ts';
import { agentPages } from './pages.ts';
import { createCloudLink } from './cloud-link.ts';
import { createServiceClock } from '../cloud/link/service-clock.ts';
import { createSettingsDirectory } from '../cloud/settings/settings-directory.ts';
import { rinseParser } from '../cloud/http/rinse.ts';
import { createSurroundings } from '../cloud/surroundings.ts';
import type { ReadConfig, ReloadOutcome } from './reload.ts';
import { createConfigInForce } from './reload.ts';
import type { Config } from '../config/schema/config.ts';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import type { RootLog } from '../core/log.ts';
import { createOblivion } from '../core/oblivion.ts';
import { rinseSockets } from '../core/rinse.ts';
import { runServices } from '../core/service.ts';
import { createSparingLog } from '../core/sparing-log.ts';
import { createLockOut } from '../domain/lock-out.ts';
import { idForSerial } from '../domain/output-port.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { startKiosk } from '../kiosk/server/server.ts';
import { createPrinterTurns } from '../release/turns.ts';
import { createHealth } from '../operations/health.ts';
import { createMetrics } from '../operations/metrics.ts';
import type { InheritedSockets } from '../operations/inherited-sockets.ts';
import { startOperations } from '../operations/server.ts';
import type { ServiceManager } from '../operations/service-manager.ts';
import { createServiceManager } from '../operations/service-manager.ts';
import { statusLine } from '../operations/status-line.ts';
import { createWatchdog } from '../operations/watchdog.ts';
import { createConverter } from '../printing/conversion/converter.ts';
import { createSandbox } from '../printing/conversion/sandbox.ts';
import { emptyPlainFolder, plainFolderIn } from '../printing/spooler/plain-file.ts';
import { openSpool } from '../printing/spool/spool.ts';
import { systemTrust } from '../printing/ipp/system-trust.ts';
import { windowsScheme } from '../printing/spooler/windows-address.ts';
import { createDialIn } from '../readers/tcp/dial-in.ts';
import type { Shared } from '../station/world.ts';
import { createSafeMode } from './safe-mode.ts';
import { openStation } from '../station/running-station.ts';
import { createStations } from '../station/stations.ts';
import { createConditions } from '../status/conditions.ts';
import { recordTimeline } from '../status/timeline-recorder.ts';
import { countSuspects } from '../store/files/crash-suspects.ts';
import { countStart } from '../store/files/start-counter.ts';
import { openStore } from '../store/store.ts';
import { version } from '../core/version.ts';

export interface AgentOptions {
  readonly config: Config;
  /** Where that was read, for the status. */
  readonly configFile?: string;
  /** What `platen reload` reads; what is in force already unless said. */
  readonly readConfig?: ReadConfig;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: RootLog;
  /** How the names of the service's servers are looked up; the system's way unless said. */
  readonly lookup?: LookupFunction;
  /** Who started it and wants to hear how it is; nobody unless said. */
  readonly manager?: ServiceManager;
  /** Those that systemd kept; none unless said. */
  readonly sockets?: InheritedSockets;
}

export interface Agent {
  /** Runs until the signal aborts, then ends in order; rejects when a service or the store failed before that. */
  run(signal: AbortSignal): Promise<void>;
  /** Never rejects: what is wrong with the new configuration is a condition, and the one before stays in force. */
  reload(read: ReadConfig): Promise<ReloadOutcome>;
}

export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { config, clock, chance, log, lookup } = options;
  const { manager = createServiceManager({ env: {}, clock, log }), sockets = new Map() } = options;
  await using opened = new AsyncDisposableStack();
  const fatal = new AbortController();
  const born = { pid: process.pid, startedAt: isoInstant(clock.now()) };

  const store = opened.use(
    await openStore({
      stateDir: config.stateDir,
      sealingKey: config.device.sealingKey,
      clientId: config.device.clientId,
      clock,
      chance,
      log,
      onFatal: (problem: Problem) => fatal.abort(problem),
    }),
  );
  opened.use(recordTimeline({ log, clock, add: store.timeline.add }));
  const conditions = createConditions({ clock, log: createSparingLog({ log, clock }) });
  const start = countStart({ stateDir: config.stateDir, clock, log });
  // One that fails is no crash: no document was in hand.
  using failing = new DisposableStack();
  failing.defer(start.forget);
  const suspects = countSuspects({
    ...{ stateDir: config.stateDir, wasCrash: start.isAfterCrash, clock, log },
    open: store.ledger.open().map(({ documentUuid }) => documentUuid),
  });
  const safeMode = opened.use(
    createSafeMode({ start, suspects, quarantine: store.quarantine, conditions, clock }),
  );
  const health = createHealth({ clock });
  const metrics = createMetrics({
    version,
    outbox: () => store.outboxCounts(),
    outboxOldest: () => store.outboxOldest(),
    tokenExpiresIn: () => link.tokenExpiresIn(),
    conditions: () => conditions.list(),
    internalFaults: () => log.errors('internal'),
    certificates: () => link.certificates(),
    terminalsNow: () => stations.list().map((station) => station.measured()),
    stateDir: config.stateDir,
    clock,
  });

  const describe = () =>
    statusLine({ terminals: stations.list(), conditions: conditions.list(), ...store.outboxCounts() });
  const inForce = createConfigInForce({
    ...{ config, file: options.configFile, describe, conditions, manager, clock, log },
    stations: () => stations,
    onChange(changed) {
      log.levels.configure(changed.log.level);
      link.personActed();
    },
  });
  const serviceClock = createServiceClock(clock, conditions);
  const link = opened.use(
    createCloudLink({
      ...{ config: () => inForce.current(), store, conditions, serviceClock, clock, chance, log },
      ...(lookup === undefined ? {} : { lookup }),
      isIdle: () => stations.list().every(({ terminal }) => terminal.isIdle()),
      onAuthorized: (yes) => {
        if (yes) surroundings.look();
        stations.authorized(yes);
      },
      onObstacle: () => stations.list().forEach((station) => station.obstacleChanged()),
      onUp: (isUp) => {
        const state = isUp ? 'up' : 'down';
        metrics.cloudIs(state);
        stations.cloudIs(state);
      },
      onBack: () => {
        courier.retryNow();
        directory.readAgain();
        for (const station of stations.list()) station.serviceIsBack();
      },
    }),
  );
  const { cloud } = link;
  const oblivion = createOblivion({
    isBusy: () => shared.inHand.size > 0 || stations.list().some(({ terminal }) => !terminal.isIdle()),
    ...{ rinse: [() => rinseSockets(chance), rinseParser], clock },
  });
  const courier = store.courier({
    poster: {
      post: (record, call) => cloud.history.post(record, call).finally(() => oblivion.due()),
    },
    records: cloud.historyRecords,
    portIdOf: ({ terminal, record }) => idForSerial(directory.of(terminal).port, record.serialNumber),
    ...{ serviceTime: serviceClock, conditions },
  });
  const surroundings = createSurroundings({ directory: () => cloud.directory(), clock, chance, log });

  const directory = createSettingsDirectory({
    ports: cloud.outputPorts,
    configs: cloud.terminalConfigs,
    store: store.settings,
    conditions,
    clock,
    chance,
    log,
    onChange: (terminal) => stations.of(terminal)?.settingsChanged(),
  });

  // Nothing lies in the clear but while the spooler of Windows reads it (I4).
  if (config.terminals.some(({ printer }) => printer.uri.startsWith(windowsScheme))) {
    await emptyPlainFolder(plainFolderIn(config.stateDir));
  }
  const spool = opened.use(await openSpool({ directory: store.spoolPath, chance }));
  const shared: Shared = {
    ...{
      config: () => inForce.current(),
      cloud,
      store,
      directory,
      conditions,
      metrics,
      health,
      serviceTime: serviceClock,
      clock,
      chance,
      log,
    },
    inHand: new Set<string>(),
    setAside: safeMode.setAside,
    turns: createPrinterTurns(),
    lockOut: createLockOut({ key: chance.bytes(32) }),
    spool,
    converter: safeMode.guard(
      createConverter({
        sandbox: createSandbox({
          ...{ clock, chance, programs: config.conversion },
          atLeast: config.conversion.require,
        }),
        ...{ spool, clock },
      }),
    ),
    trust: systemTrust(),
    dialIn: createDialIn({ clock, log }),
    obstacle: () => link.obstacle(),
  };

  const kiosk = opened.use(
    await startKiosk({
      listen: config.kiosk.listen,
      kept: sockets.get('kiosk'),
      user: config.kiosk.user,
      secrets: store.kiosk,
      ...{ clock, chance, log },
    }),
  );
  const stations = opened.use(
    createStations({
      shared,
      open: (plan, hooks) => openStation(plan, { shared, kiosk, ...hooks }),
      onChange: () => oblivion.due(),
    }),
  );
  await stations.apply(config);
  const pages = agentPages({
    ...{ born, inForce, stations, link, surroundings, store, conditions, health, metrics },
  });
  const operations = opened.use(
    await startOperations({
      ...config.operations,
      ...{ kept: sockets.get('operations'), names: config.operations.hosts, pages, log },
    }),
  );
  opened.use(
    await startAgentControl({
      ...{ config, log, pages, kiosk, secrets: store.kiosk, launchSocket: sockets.get('launch') },
      retryOutbox: (releaseId, by) => store.retryOutbox(releaseId, by),
      reload: (by) => inForce.reload(options.readConfig ?? inForce.current, by),
    }),
  );

  const held = opened.move();
  failing.move();
  log.info('agent started', {
    version,
    afterCrash: start.isAfterCrash,
    kiosk: `${kiosk.address.host}:${kiosk.address.port}`,
    operations: `${operations.address.host}:${operations.address.port}`,
  });
  void manager.ready();

  const back = [
    ...link.services,
    surroundings,
    ...directory.services,
    courier,
    oblivion,
    createWatchdog({
      ...{ manager, health, clock, log, describe, onBlocked: metrics.eventLoopBlocked },
    }),
  ];

  return {
    reload: (read) => inForce.reload(read),
    async run(signal) {
      await using _ = held;
      const stopBack = new AbortController();
      const stopTerminals = new AbortController();
      const ending = AbortSignal.any([signal, fatal.signal, stopTerminals.signal]);
      const backRuns = runServices(back, stopBack.signal, health);
      const terminalRuns = stations.run(ending);
      try {
        await Promise.race([terminalRuns, backRuns]);
        fatal.signal.throwIfAborted();
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
  };
}
