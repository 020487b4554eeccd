/**
 * The composition root: the one place that constructs adapters and introduces them to the machines. Every arrow of
 * README's picture is a line here or in `station.ts`. Construction opens the store and the listeners; `run` does the
 * rest until it is told to stop.
 */
import { createCloud } from './cloud/client.ts';
import type { WantedPort } from './cloud/output-port-directory.ts';
import { createOutputPortDirectory } from './cloud/output-port-directory.ts';
import type { Config } from './config/schema.ts';
import type { Chance } from './core/chance.ts';
import type { Clock } from './core/clock.ts';
import { seconds } from './core/duration.ts';
import type { Log } from './core/log.ts';
import { runServices } from './core/service.ts';
import type { Problem } from './domain/problem.ts';
import { startKiosk } from './kiosk/server.ts';
import { DeviceTokenHolder } from './machines/device-tokens.ts';
import { createEnrollment } from './machines/enrollment-service.ts';
import { createHealth } from './operations/health.ts';
import { createMetrics } from './operations/metrics.ts';
import { startOperations } from './operations/server.ts';
import { openSpool } from './printing/spool.ts';
import { systemTrust } from './printing/system-trust.ts';
import type { Shared, Station } from './station.ts';
import { createStation } from './station.ts';
import { createConditions } from './status/conditions.ts';
import { openStore } from './store/store.ts';
import { version } from './version.ts';

export interface AgentOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

export interface Agent {
  /** Runs until the signal aborts, then ends in order; rejects when a service or the store failed before that. */
  run(signal: AbortSignal): Promise<void>;
}

/** How long a stop waits for releases that are past their intent; the whole stop stays below 5 s. */
const stopGrace = seconds(3);

export async function startAgent({ config, clock, chance, log }: AgentOptions): Promise<Agent> {
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

  const conditions = createConditions({ clock, log });
  const health = createHealth({ clock });
  const metrics = createMetrics({
    version,
    terminals: config.terminals.map(({ id, readers }) => ({
      id,
      readers: readers.flatMap((reader) => (reader.type === 'serial' ? [reader.path] : [])),
    })),
    outbox: () => store.outboxCounts(),
    tokenExpiresIn: () => enrollment.status().tokenExpiresIn,
  });

  const deviceTokens = new DeviceTokenHolder();
  const cloud = opened.use(
    createCloud({
      ...cloudAddress(config),
      clientType: config.device.clientType,
      description: config.device.description,
      version,
      report: config.status.report,
      deviceTokens,
      clock,
      chance,
      log,
      onReachable: (state) => {
        metrics.cloudIs(state === 'up' ? 'up' : 'down');
        if (state === 'up') conditions.clear('agent', 'cloud');
        else {
          const { code, message: detail } = state;
          conditions.raise({ code, severity: 'error', scope: 'agent', subject: 'cloud', detail });
        }
      },
    }),
  );

  const stations: Station[] = [];
  const outputPorts = createOutputPortDirectory({
    ports: cloud.outputPorts,
    wanted: config.terminals.map(wantedPort),
    conditions,
    clock,
    chance,
    log,
    onChange: (terminal) => stations.find(({ id }) => id === terminal)?.changed(),
  });

  const shared: Shared = {
    ...{ config, cloud, store, outputPorts, conditions, metrics, health, clock, chance, log },
    inHand: new Set<string>(),
    spool: await openSpool({ directory: store.spoolPath, chance }),
    trust: systemTrust(),
  };
  for (const terminal of config.terminals) stations.push(opened.use(createStation(terminal, shared)));

  let isAuthorized = false;
  const enrollment = createEnrollment({
    authorization: cloud.authorization,
    store: store.device,
    holder: deviceTokens,
    conditions,
    poll: {
      first: seconds(config.device.poll.firstSeconds),
      longest: seconds(config.device.poll.longestSeconds),
    },
    clock,
    chance,
    log,
    isIdle: () => stations.every(({ terminal }) => terminal.isIdle()),
    onAuthorized: (yes) => {
      isAuthorized = yes;
      // A terminal is ready when it knows its output port, as far as it can: autoRelease may stand there.
      const known = yes ? outputPorts.look() : Promise.resolve();
      void known.then(() => stations.forEach((station) => station.authorized(isAuthorized)));
    },
  });

  const kiosk = opened.use(
    await startKiosk({
      listen: config.kiosk.listen,
      terminals: new Map(stations.map(({ id, terminal }) => [id, terminal.view])),
      clock,
      log,
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
        enrollment: enrollment.status(),
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
    enrollment,
    outputPorts,
    store.courier(cloud.history, conditions),
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

/** Where the service is and how it is reached. */
export function cloudAddress({ cloud }: Config) {
  const { baseUrl, authUrl, apiKey, limits, caFile, proxyUrl } = cloud;
  return {
    baseUrl,
    authUrl,
    apiKey,
    limits,
    ...(caFile === undefined ? {} : { ca: caFile }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  };
}

const wantedPort = ({
  id,
  serialNumber,
  printer,
  outputPortId,
}: Config['terminals'][number]): WantedPort => ({
  terminal: id,
  serialNumber,
  address: new URL(printer.uri).hostname,
  id: outputPortId === 'auto' ? undefined : outputPortId,
});
