/** Starts an agent, runs it and ends it. All parts are made first and opened then; `wiring.ts` connects the parts. */
import { hostname } from 'node:os';
import { version } from '../core/version.ts';
import { startKiosk } from '../kiosk/server/kiosk-server.ts';
import { startOperations } from '../operations/operations-server.ts';
import { createServiceManager } from '../operations/service-manager.ts';
import { createPosting } from '../cloud/http/posting.ts';
import type { Config } from '../config/schema/config.ts';
import type { Env } from '../domain/env.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';
import { startAgentControl } from './control.ts';
import { enterFleet } from './fleet.ts';
import { layGround } from './ground.ts';
import type { AgentDeps } from './options.ts';
import type { ReadConfig, ReloadOutcome } from './reload.ts';
import { wireAgent } from './wiring.ts';

export interface Agent {
  /**
   * Runs until the signal aborts, then ends all parts in order. Rejects when a service or the store failed before that.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Never rejects. If the new configuration is wrong, a condition says so and the old one stays in force. */
  reload(read: ReadConfig): Promise<ReloadOutcome>;
}

export async function startAgent(deps: AgentDeps): Promise<Agent> {
  const { config, readConfig = () => config, clock, chance, log } = deps;
  const { manager = createServiceManager({ env: {}, clock, log }), sockets = new Map() } = deps;
  await using opened = new AsyncDisposableStack();
  const ground = await layGround(deps, opened);
  // A start that fails does not count as a crash: no document was in hand.
  using failing = new DisposableStack();
  failing.defer(() => ground.start.forget());
  const { store, conditions } = ground;
  const fleet = await enterFleet(config, {
    books: store.claims,
    ledger: store.ledger,
    conditions,
    clock,
    chance,
    log,
    readConfig,
  });
  if (fleet) opened.use(fleet);
  const traces = await openTracing(config, { clock, chance, log }, opened);
  const kiosk = opened.use(
    await startKiosk({
      listen: config.kiosk.listen,
      user: config.kiosk.user,
      kept: sockets.get('kiosk'),
      look: config.kiosk,
      secrets: store.kiosk,
      clock,
      chance,
      log,
    }),
  );
  const agent = opened.use(wireAgent({ ...deps, manager }, { ground, kiosk, fleet, traces }));
  await agent.open();
  const { pages, guests } = agent;
  const operations = opened.use(
    await startOperations({
      ...config.operations,
      kept: sockets.get('operations'),
      names: config.operations.hosts,
      pages,
      log,
    }),
  );
  opened.use(
    await startAgentControl({
      config,
      log,
      pages,
      guests,
      kiosk,
      secrets: store.kiosk,
      launchSocket: sockets.get('launch'),
      retryOutbox: (releaseId, by) => store.retryOutbox(releaseId, by),
      settle: agent.settle,
      reload: (by) => agent.reload(deps.readConfig, by),
    }),
  );

  const held = opened.move();
  failing.move();
  log.info('agent started', {
    version,
    afterCrash: ground.start.isAfterCrash,
    kiosk: `${kiosk.address.host}:${kiosk.address.port}`,
    operations: `${operations.address.host}:${operations.address.port}`,
  });
  void manager.ready();
  return {
    reload: (read) => agent.reload(read),
    async run(signal) {
      await using _ = held;
      await agent.run(signal);
    },
  };
}

/** Without `operations.otlp` the tracing code is not even loaded. The stack disposes of everything opened here. */
async function openTracing(
  { operations: { otlp } }: Pick<Config, 'operations'>,
  { clock, chance, log }: Pick<Env, 'clock' | 'chance' | 'log'>,
  opened: AsyncDisposableStack,
): Promise<TraceExporter | undefined> {
  if (!otlp) return undefined;
  const { createTraceExporter } = await import('../telemetry/exporter.ts');
  const posting = opened.use(createPosting({ section: 'operations.otlp', ca: otlp.caFile, version, clock }));
  const sender = { version, host: hostname() };
  const url = new URL(otlp.url);
  return createTraceExporter({ url, headers: otlp.headers, sender, posting, clock, chance, log });
}
