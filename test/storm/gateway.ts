/**
 * One gateway as far as it speaks with the service outside of sessions: the agent's own enrollment, link, readings, reports
 * and surroundings, over a dispatcher that counts. `agent/wiring.ts` introduces them to each other in the same way. History
 * records and the shared reading of ports are not part of it.
 */
import type { Dispatcher } from 'undici';
import { createCloudLink } from '../../src/agent/cloud-link.ts';
import { createServiceClock } from '../../src/cloud/link/service-clock.ts';
import { chargingInMemory } from '../../src/cloud/resources/balance.ts';
import { createSettingsReading } from '../../src/cloud/settings/settings-reading.ts';
import { createSurroundings } from '../../src/cloud/surroundings.ts';
import type { Config } from '../../src/config/schema/config.ts';
import type { Chance } from '../../src/core/chance.ts';
import { milliseconds, minutes } from '../../src/core/duration.ts';
import { createLog } from '../../src/core/log.ts';
import { Secret } from '../../src/core/secret.ts';
import { runServices } from '../../src/core/service.ts';
import { createSettling } from '../../src/domain/settling.ts';
import type { DeviceFacts, TokenGrant } from '../../src/domain/device.ts';
import type { DeviceStore } from '../../src/domain/ports/enrollment.ts';
import type { PrinterDescription } from '../../src/domain/ports/printer-description.ts';
import type { KeptSettings } from '../../src/domain/ports/settings.ts';
import type { UserToken } from '../../src/domain/user.ts';
import { createStationReports, reportInterval } from '../../src/station/reports.ts';
import { createConditions } from '../../src/status/conditions.ts';
import type { Store } from '../../src/store/store.ts';
import type { VirtualClock } from '../support/virtual-time.ts';

export interface GatewayWorld {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly config: Config;
  readonly serials: readonly string[];
  readonly dispatcher: Dispatcher;
  /** That begin with it. */
  readonly gateways: number;
  /** What it keeps over restarts. */
  readonly kept: KeptState;
}

export interface KeptState {
  facts: DeviceFacts;
  readonly settings: Map<string, KeptSettings>;
}

export interface Gateway {
  /** Monotonic time at which all its terminals take badges; absent: not yet. */
  readyAt(): number | undefined;
  /** Of the terminals' settings: the oldest last reading; absent: one was not read since the start. */
  settingsReadAt(): number | undefined;
  /** Somebody badges at its first terminal. Resolves when the terminal goes on. */
  badge(): Promise<void>;
  window(): { readonly left: number } | undefined;
  stop(): Promise<void>;
}

const silent = createLog({ level: 'fatal', destination: { write() {} } });

/** A printer and a reader tell of themselves a moment after the start. */
const untilPrinter = milliseconds(300);
const untilReader = milliseconds(900);

export function startGateway(world: GatewayWorld): Gateway {
  const { clock, chance, config, dispatcher, gateways, kept } = world;
  const log = silent;
  const conditions = createConditions({ clock, log });
  const settling = createSettling({ clock, chance, gateways: () => gateways });
  const terminals = world.serials.map((serialNumber, index) => ({ id: `t${index}`, serialNumber }));
  let readyAt: number | undefined;

  async function firstLook(): Promise<void> {
    await reading.look();
    readyAt ??= clock.monotonic();
    for (const reporter of reporters) reporter.changed();
  }

  const link = createCloudLink({
    config: () => config,
    conditions,
    settling,
    clock,
    chance,
    log,
    serviceClock: createServiceClock(clock),
    dispatcherFor: () => dispatcher,
    store: {
      device: keptDevice(kept, clock),
      charging: chargingInMemory(),
      guests: { isLost: false, all: () => [] },
      owedCards: { all: () => [], age: () => [] },
    } as unknown as Store,
    isIdle: () => true,
    onObstacle: () => {},
    onService: () => {},
    onAuthorized: (yes) => {
      if (!yes) return;
      surroundings.look();
      void firstLook();
    },
    onBack: () => {
      reading.readAgain();
      for (const reporter of reporters) reporter.retryNow();
    },
  });
  const { cloud } = link;
  const reading = createSettingsReading({
    ports: cloud.outputPorts,
    configs: cloud.terminalConfigs,
    conditions,
    settling,
    clock,
    chance,
    log,
    store: {
      load: (terminal) => kept.settings.get(terminal),
      save: (news) => news.forEach((settings, terminal) => kept.settings.set(terminal, settings)),
    },
    onChange: (terminal) => reporters[terminals.findIndex(({ id }) => id === terminal)]?.changed(),
  });
  const surroundings = createSurroundings({
    directory: () => cloud.directory(),
    settling,
    clock,
    chance,
    log,
  });
  let described = false;
  let readerUp = false;
  const [model] = config.terminals;
  if (!model) throw new Error('the configuration has no terminal');
  const reporters = terminals.flatMap(({ id, serialNumber }) => {
    const reporter = createStationReports(
      { ...model, id, serialNumber },
      {
        reports: cloud.reports,
        settingsReading: reading,
        conditions,
        settling,
        clock,
        chance,
        log,
        interval: () => reportInterval(config),
        isServedHere: () => true,
        readers: {
          states: () => [
            {
              name: 'reader',
              kind: 'serial',
              state: readerUp ? 'up' : 'down',
              frames: 0,
              garbage: 0,
              reconnects: 0,
            },
          ],
        } as unknown as Parameters<typeof createStationReports>[1]['readers'],
        watch: { description: () => (described ? printer : undefined) },
      },
    );
    return reporter ? [reporter] : [];
  });
  for (const { id, serialNumber } of terminals) {
    reading.want({ terminal: id, serialNumber, address: undefined, outputPortId: undefined });
  }
  const stop = new AbortController();
  const running = runServices(
    [...link.services, surroundings, ...reading.services, ...reporters],
    stop.signal,
  );
  const tellAll = () => reporters.forEach((reporter) => reporter.changed());
  clock.setTimeout(
    () => {
      described = true;
      tellAll();
    },
    chance.jitter(untilPrinter, 0.5),
  );
  clock.setTimeout(
    () => {
      readerUp = true;
      tellAll();
    },
    chance.jitter(untilReader, 0.5),
  );

  return {
    readyAt: () => readyAt,
    settingsReadAt() {
      const read = terminals.map(({ id }) => reading.of(id).lastRead);
      return read.includes(undefined) ? undefined : Math.min(...read.map((at) => at ?? 0));
    },
    badge: () => reading.offer('t0', somebody),
    window: () => settling.window(),
    async stop() {
      stop.abort();
      await running;
      clock.stop();
    },
  };
}

const somebody: UserToken = { value: new Secret('token of somebody'), expiresAt: minutes(60) };

const printer: PrinterDescription = {
  ready: true,
  stateReasons: [],
  acceptingJobs: true,
  formats: [],
  mediaReady: [],
  state: 'idle',
  makeAndModel: 'Example',
  firmware: '1',
};

function keptDevice(kept: KeptState, clock: VirtualClock): DeviceStore {
  const note = (facts: Partial<DeviceFacts>) => {
    kept.facts = { ...kept.facts, ...facts };
  };
  return {
    facts: () => kept.facts,
    markRegistering: () => note({ registered: true }),
    saveRegistration: (registration) => note({ registration, registered: true }),
    forgetRegistration: () => note({ registration: undefined }),
    markRefreshing: (refreshing) => note({ refreshing }),
    saveTokens: (grant: TokenGrant) =>
      note({
        approved: true,
        registration: undefined,
        refreshing: undefined,
        tokens: {
          ...grant,
          generation: (kept.facts.tokens?.generation ?? 0) + 1,
          issuedAt: clock.now(),
        },
      }),
    forgetTokens: () => note({ tokens: undefined }),
  };
}
