/**
 * The composition root: the one place that constructs adapters and introduces them to the machines. Every arrow of
 * README's picture is a line here or in `station.ts`. Construction opens the store and the listeners; `run` does the
 * rest until it is told to stop.
 */
import type { LookupFunction } from 'node:net';
import { createCloudLink } from './cloud-link.ts';
import type { WantedSettings } from './cloud/settings-directory.ts';
import { createSettingsDirectory } from './cloud/settings-directory.ts';
import { createSurroundings } from './cloud/surroundings.ts';
import { readerName } from './config/reader-schema.ts';
import type { Config } from './config/schema.ts';
import type { Chance } from './core/chance.ts';
import type { Clock } from './core/clock.ts';
import { seconds } from './core/duration.ts';
import type { Log } from './core/log.ts';
import { runServices } from './core/service.ts';
import { createSparingLog } from './core/sparing-log.ts';
import { createLockOut } from './domain/lock-out.ts';
import type { Problem } from './domain/problem.ts';
import { startKiosk } from './kiosk/server.ts';
import { createPrinterTurns } from './machines/printer-turns.ts';
import { createHealth } from './operations/health.ts';
import { createMetrics } from './operations/metrics.ts';
import { startOperations } from './operations/server.ts';
import { createAddressGuard } from './printing/address-guard.ts';
import { createConverter } from './printing/conversion/converter.ts';
import { createSandbox } from './printing/conversion/sandbox.ts';
import { emptyPlainFolder, plainFolderIn } from './printing/windows/plain-file.ts';
import { openSpool } from './printing/spool/spool.ts';
import { systemTrust } from './printing/ipp/system-trust.ts';
import { windowsScheme } from './printing/windows/windows-address.ts';
import { createDialIn } from './readers/dial-in.ts';
import type { Shared } from './station/world.ts';
import type { Station } from './station/station.ts';
import { createStation } from './station/station.ts';
import { createConditions } from './status/conditions.ts';
import { openStore } from './store/store.ts';
import { version } from './core/version.ts';

export interface AgentOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** How the names of the service's servers are looked up; the system's way unless said. */
  readonly lookup?: LookupFunction;
}

export interface Agent {
  /** Runs until the signal aborts, then ends in order; rejects when a service or the store failed before that. */
  run(signal: AbortSignal): Promise<void>;
}

/** How long a stop waits for releases that are past their intent; the whole stop stays below 5 s. */
const stopGrace = seconds(3);

export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { config, clock, chance, log, lookup } = options;
  await using opened = new AsyncDisposableStack();
  const fatal = new AbortController();

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

  const conditions = createConditions({ clock, log: createSparingLog({ log, clock }) });
  if (store.quarantine) {
    const { path, reason } = store.quarantine;
    conditions.raise({
      code: 'ledger-quarantined',
      severity: 'error',
      scope: 'agent',
      subject: 'ledger',
      detail: `every document asks before it prints: the ledger was damaged (${reason}) and lies in ${path}`,
    });
  }
  const health = createHealth({ clock });
  const metrics = createMetrics({
    version,
    terminals: config.terminals.map(({ id, readers }) => ({
      id,
      readers: readers.map(readerName),
    })),
    outbox: () => store.outboxCounts(),
    tokenExpiresIn: () => link.tokenExpiresIn(),
  });

  const stations: Station[] = [];
  let isAuthorized = false;
  const link = opened.use(
    createCloudLink({
      ...{ config, store, conditions, clock, chance, log },
      ...(lookup === undefined ? {} : { lookup }),
      isIdle: () => stations.every(({ terminal }) => terminal.isIdle()),
      onAuthorized: (yes) => {
        isAuthorized = yes;
        if (yes) surroundings.look();
        // A terminal is ready when it knows its output port, as far as it can: autoRelease may stand there.
        const known = yes ? directory.look() : Promise.resolve();
        void known.then(() => stations.forEach((station) => station.authorized(isAuthorized)));
      },
      onObstacle: () => stations.forEach((station) => station.obstacleChanged()),
      onUp: (isUp) => {
        const state = isUp ? 'up' : 'down';
        metrics.cloudIs(state);
        for (const { terminal } of stations) terminal.cloudIs(state);
      },
      onBack: () => {
        courier.retryNow();
        directory.readAgain();
        for (const station of stations) station.serviceIsBack();
      },
    }),
  );
  const { cloud } = link;
  const courier = store.courier(cloud.history, conditions, cloud.historyRecords);
  const surroundings = createSurroundings({ directory: () => cloud.directory(), clock, chance, log });

  const directory = createSettingsDirectory({
    ports: cloud.outputPorts,
    configs: cloud.terminalConfigs,
    store: store.settings,
    wanted: config.terminals.map(wantedSettings),
    conditions,
    clock,
    chance,
    log,
    onChange: (terminal) => stations.find(({ id }) => id === terminal)?.settingsChanged(),
  });

  // Nothing lies in the clear but while the spooler of Windows reads it (I4).
  if (config.terminals.some(({ printer }) => printer.uri.startsWith(windowsScheme))) {
    await emptyPlainFolder(plainFolderIn(config.stateDir));
  }
  const spool = opened.use(await openSpool({ directory: store.spoolPath, chance }));
  const shared: Shared = {
    ...{ config, cloud, store, directory, conditions, metrics, health, clock, chance, log },
    inHand: new Set<string>(),
    turns: createPrinterTurns(),
    lockOut: createLockOut({ key: chance.bytes(32) }),
    spool,
    converter: createConverter({
      programs: config.conversion,
      sandbox: createSandbox({ clock }),
      spool,
      clock,
    }),
    trust: systemTrust(),
    guard: createAddressGuard({ network: config.printerNetwork }),
    dialIn: createDialIn({ clock, log }),
    obstacle: () => link.obstacle(),
  };
  for (const terminal of config.terminals) stations.push(opened.use(createStation(terminal, shared)));

  const kiosk = opened.use(
    await startKiosk({
      listen: config.kiosk.listen,
      user: config.kiosk.user,
      terminals: new Map(stations.map(({ id, terminal }) => [id, terminal])),
      secrets: store.kiosk,
      onPages: (terminal, state) => stations.find(({ id }) => id === terminal)?.pagesAre(state),
      ...{ clock, chance, log },
    }),
  );
  const operations = opened.use(
    await startOperations({
      listen: config.operations.listen,
      health,
      metrics,
      ready: () => ({
        ready: stations.some((station) => station.isReady()),
        terminals: Object.fromEntries(stations.map((station) => [station.id, station.isReady()])),
      }),
      status: () => ({
        version,
        ready: stations.some((station) => station.isReady()),
        enrollment: link.enrollment(),
        servers: link.servers(),
        surroundings: surroundings.seen() ?? null,
        outbox: store.outboxCounts(),
        conditions: conditions.list(),
        terminals: stations.map((station) => station.status()),
      }),
      log,
    }),
  );

  const held = opened.move();
  log.info('agent started', {
    version,
    kiosk: `${kiosk.address.host}:${kiosk.address.port}`,
    operations: `${operations.address.host}:${operations.address.port}`,
  });

  const front = stations.flatMap((station) => station.front);
  const back = [
    ...link.services,
    surroundings,
    directory,
    courier,
    ...stations.flatMap((station) => station.back),
  ];

  return {
    async run(signal) {
      await using _ = held;
      const stopBack = new AbortController();
      const ending = AbortSignal.any([signal, fatal.signal]);
      for (const station of stations) {
        station.desk.resume(store.ledger.open().filter(({ terminal }) => terminal === station.id));
      }
      const backRuns = runServices(back, stopBack.signal);
      try {
        await Promise.race([runServices(front, ending), backRuns]);
        fatal.signal.throwIfAborted();
      } finally {
        await Promise.all(stations.map(({ desk }) => desk.stop(stopGrace)));
        stopBack.abort();
        await backRuns;
        log.info('agent stopped');
      }
    },
  };
}

const wantedSettings = ({
  id,
  serialNumber,
  printer,
  outputPortId,
}: Config['terminals'][number]): WantedSettings => ({
  terminal: id,
  serialNumber,
  // An IPv6 address stands in brackets in a URI, and in no output port.
  address: printer.uri === 'auto' ? undefined : new URL(printer.uri).hostname.replace(/^\[|\]$/g, ''),
  outputPortId: outputPortId === 'auto' ? undefined : outputPortId,
});
