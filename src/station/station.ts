/**
 * One terminal with all its parts: how it prints, the conversation with a person, its readers, its status loop. It is
 * the second half of the composition root; `agent/wiring.ts` builds what all terminals share. `buildStation` builds the
 * parts in order, so that each part is given only what exists. What a part tells those that come later goes over a
 * channel.
 */
import type { TerminalConfig } from '../config/schema/config.ts';
import { Channel } from '../core/channel.ts';
import type { Duration } from '../core/duration.ts';
import type { Service } from '../core/service.ts';
import type { CardNumber } from '../domain/card/card-number.ts';
import type { CardRead, ReaderSignal } from '../domain/ports/readers.ts';
import type { OutageView } from '../domain/terminal/terminal-view.ts';
import { qrOf } from '../kiosk/server/qr.ts';
import type { TerminalNow } from '../operations/gateway-metrics.ts';
import type { Stage } from '../operations/release-metrics.ts';
import type { ReleaseDesk } from '../release/desk.ts';
import { concerns } from '../status/conditions.ts';
import { Badges } from '../terminal/badges.ts';
import type { ServiceState } from '../terminal/context.ts';
import { TerminalOutage } from '../terminal/outage.ts';
import type { Terminal } from '../terminal/runner.ts';
import { openConversation } from './conversation.ts';
import { createDeveloperLog } from './developer-log.ts';
import { createStationDuty } from './duty.ts';
import type { PrinterState } from './printers/printers.ts';
import { StationPrinters } from './printers/printers.ts';
import { openPrompt } from './prompt.ts';
import { openReaders } from './readers.ts';
import { createStationReadiness } from './readiness.ts';
import { createStationReports, reportInterval } from './reports.ts';
import { StationSettings } from './settings.ts';
import type { StationDeps } from './world.ts';

export interface Station extends AsyncDisposable {
  readonly id: string;
  readonly terminal: Terminal;
  readonly desk: ReleaseDesk;
  /** The services that speak with people; they end first. */
  readonly front: readonly Service[];
  /** The services that watch and report; they end last. */
  readonly back: readonly Service[];
  /** Read anew at each call. */
  printerUris(): readonly string[];
  /** The terminal could release a document now. */
  isReady(): boolean;
  /** Why it is not ready, in a word. */
  trouble(): string | undefined;
  /** Whether the device may act for the terminal. */
  authorized(yes: boolean): void;
  /**
   * The gateway that serves it may have changed. Resolves when its readers are closed, if it is no longer this gateway.
   */
  holdChanged(): Promise<void>;
  obstacleChanged(): void;
  cloudIs(state: ServiceState): void;
  /** The service was away and is back. */
  serviceIsBack(): void;
  /** The configuration for all terminals has changed. */
  configChanged(): void;
  /** The service's settings of the terminal have changed. */
  settingsChanged(): void;
  /** Whether people can type on a page of the kiosk. */
  pagesAre(state: 'up' | 'down'): void;
  /** For the metrics, and for people who look at many gateways. */
  measured(): TerminalNow;
  /** The reason on its screen, if it is out of service. */
  outage(): Pick<OutageView, 'reference' | 'reason'> | undefined;
  status(): object;
}

export function buildStation(config: TerminalConfig, shared: StationDeps): Station {
  const { id } = config;
  const { conditions, metrics, settingsReading, holds, health, clock, chance } = shared;
  const log = shared.log.with({ terminal: id });
  /** If the service prints, our own way to the printer is not needed. */
  const isPrintedHere = config.delivery !== 'cloud';

  const cards = new Channel<CardRead>();
  const removals = new Channel<CardRead>();
  const signals = new Channel<{ readonly signal: ReaderSignal; readonly card: CardNumber }>();
  const stages = new Channel<{ readonly stage: Stage; readonly span: Duration }>();
  const printerStates = new Channel<PrinterState>();
  const printerViews = new Channel();
  const readerStates = new Channel();
  const onStage = (stage: Stage, span: Duration) => stages.tell({ stage, span });

  const settings = new StationSettings(config, { heard: () => settingsReading.of(id), conditions, log });
  const outage = new TerminalOutage({
    terminal: id,
    obstacle: shared.obstacle,
    qrOf,
    chance,
    clock,
    log,
    isEnabled: () => settings.isEnabled(),
    hold: () => holds.standing(id),
    support: () => shared.config().kiosk.support,
  });
  const printing = new StationPrinters({
    config,
    shared,
    settings,
    log,
    onPrinter: printerStates.tell,
    onView: printerViews.tell,
    onStage,
  });
  const terminal = openConversation(config, shared, {
    settings,
    printing,
    outage: () => outage.current(),
    onStage,
    onSignal: (signal, card) => signals.tell({ signal, card }),
  });
  const readiness = createStationReadiness({ terminal, isPrintedHere, log });
  const developer = createDeveloperLog({
    terminal: id,
    log: shared.log,
    settings: () => settings.current(),
    view: () => terminal.view.current(),
  });
  const readers = openReaders(config, {
    dialIn: shared.dialIn,
    trust: shared.trust,
    conditions,
    health,
    clock,
    chance,
    log,
    onCard: cards.tell,
    onRemoved: removals.tell,
    onFrame: (reader, verdict) => metrics.readerFrame({ terminal: id, reader, verdict }),
    onState: (reader, state) => {
      metrics.readerIs({ terminal: id, reader, state });
      readerStates.tell();
    },
  });
  const prompt = openPrompt(config, { terminal, conditions, clock, chance, log, onCard: cards.tell });
  const badges = new Badges({
    readers: config.readers,
    terminal,
    counted: metrics,
    conditions,
    clock,
    log,
    format: () => settings.cardFormat(),
    relay: () => shared.cloud.directory().cardRelay,
    signalAt: (reader, signal) => readers.signal(reader, signal),
  });
  const duty = createStationDuty({
    terminal,
    readers,
    standing: () => holds.standing(id),
    isEnabled: () => settings.isEnabled(),
  });
  const reporter = createStationReports(config, {
    settingsReading,
    conditions,
    settling: shared.settling,
    clock,
    chance,
    log,
    readers,
    watch: printing.watch,
    reports: shared.cloud.reports,
    interval: () => reportInterval(shared.config()),
    isServedHere: duty.isHeld,
  });

  /** Why a terminal that is on cannot release. */
  const fault = () => {
    if (readiness.isServiceAway()) return 'service-away';
    if (!readiness.canPrint()) return 'printer-not-ready';
    return prompt.canLogIn(readers) ? undefined : 'no-login';
  };
  const isReady = () => duty.isOn() && fault() === undefined;
  const trouble = () => (isReady() ? undefined : (outage.current()?.reason ?? fault() ?? 'starting'));
  const obstacleChanged = () => {
    if (outage.look(terminal)) terminal.viewChanged();
  };

  cards.hear((read) => badges.read(read));
  removals.hear((read) => badges.removed(read));
  signals.hear(({ signal, card }) => badges.signal(signal, card));
  stages.hear(metrics.stageTook);
  stages.hear(developer.stageTook);
  printerStates.hear((state) => {
    readiness.printerIs(state);
    if (state === undefined) return;
    metrics.printerIs({ terminal: id, state });
    reporter?.changed();
  });
  printerViews.hear(() => isPrintedHere && terminal.viewChanged());
  readerStates.hear(() => {
    terminal.tell({ type: 'readers', state: readers.canRead() ? 'up' : 'down' });
    reporter?.changed();
  });

  settings.start();
  printing.settingsChanged();
  void duty.holdChanged();
  const held = new DisposableStack();
  held.defer(conditions.onChange((scope) => void (concerns(scope, id) && reporter?.changed())));
  held.defer(
    terminal.view.onChange(() => {
      printing.personIs(terminal.isIdle() ? 'gone' : 'there');
      developer.look();
      readiness.look();
      outage.look(terminal);
      shared.onRest();
    }),
  );

  return {
    id,
    terminal,
    desk: printing.desk,
    front: [...readers.services, ...prompt.services, terminal],
    back: [...printing.services, ...(reporter ? [reporter] : [])],
    printerUris: () => printing.uris(),
    isReady,
    trouble,
    authorized(yes) {
      duty.authorized(yes);
      reporter?.changed();
    },
    async holdChanged() {
      const closed = duty.holdChanged();
      obstacleChanged();
      reporter?.changed();
      await closed;
    },
    obstacleChanged,
    cloudIs(state) {
      readiness.serviceIs(state);
      terminal.tell({ type: 'service', state });
    },
    serviceIsBack: () => reporter?.retryNow(),
    configChanged: () => reporter?.changed(),
    settingsChanged() {
      const wasEnabled = settings.isEnabled();
      settings.renew();
      printing.settingsChanged();
      if (settings.isEnabled() !== wasEnabled) duty.enabledChanged();
      terminal.viewChanged();
      reporter?.changed();
    },
    pagesAre(state) {
      settings.pagesAre(state);
      terminal.viewChanged();
    },
    measured: () => ({
      id,
      isReady: isReady(),
      trouble: trouble(),
      isServed: duty.isHeld(),
      hasSession: !terminal.isIdle(),
      certificateEnds: printing.certificateEnds(),
      printers: printing.measured(),
      supplies: printing.supplies(),
    }),
    outage: () => outage.current(),
    status: () => ({
      id,
      state: terminal.state(),
      ready: isReady(),
      outage: outage.status(),
      ...printing.status(),
      readers: readers.states(),
      prompt: prompt.status(),
      outputPortId: settingsReading.of(id).port?.id ?? null,
      autoRelease: settings.current().autoRelease.value,
      ...settings.status(),
      conditions: conditions.list(id),
    }),
    async [Symbol.asyncDispose]() {
      held.dispose();
      badges[Symbol.dispose]();
      await printing[Symbol.asyncDispose]();
    },
  };
}
