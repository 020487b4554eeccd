/**
 * One terminal with all its parts: how it prints, the conversation with a person, its readers, its status loop. It is
 * the second half of the composition root; `agent.ts` builds what all terminals share.
 */
import type { TerminalConfig } from '../config/schema/config.ts';
import type { Duration } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Service } from '../core/service.ts';
import { qrOf } from '../kiosk/server/qr.ts';
import type { TerminalNow } from '../operations/gateway-metrics.ts';
import type { Stage } from '../operations/release-metrics.ts';
import type { ReleaseDesk } from '../release/desk.ts';
import { concerns } from '../status/conditions.ts';
import type { StatusReporter } from '../status/reporter.ts';
import { Badges } from '../terminal/badges.ts';
import { TerminalOutage } from '../terminal/outage.ts';
import type { OutageView } from '../domain/terminal/terminal-view.ts';
import type { ServiceState } from '../terminal/context.ts';
import type { Terminal } from '../terminal/runner.ts';
import { openConversation } from './conversation.ts';
import type { DeveloperLog } from './developer-log.ts';
import { createDeveloperLog } from './developer-log.ts';
import { StationPrinters } from './printers/printers.ts';
import type { StationDuty } from './duty.ts';
import { createStationDuty } from './duty.ts';
import type { StationPrompt } from './prompt.ts';
import { openPrompt } from './prompt.ts';
import type { StationReaders } from './readers.ts';
import { openReaders } from './readers.ts';
import type { StationReadiness } from './readiness.ts';
import { createStationReadiness } from './readiness.ts';
import { createStationReports, reportInterval } from './reports.ts';
import { StationSettings } from './settings.ts';
import type { StationDeps } from './world.ts';

export class Station implements AsyncDisposable {
  readonly id: string;
  readonly terminal: Terminal;
  /** The services that speak with people; they end first. */
  readonly front: readonly Service[];
  /** The services that watch and report; they end last. */
  readonly back: readonly Service[];

  readonly #config: TerminalConfig;
  readonly #shared: StationDeps;
  readonly #log: Log;
  readonly #held = new DisposableStack();
  readonly #settings: StationSettings;
  readonly #developer: DeveloperLog;
  readonly #printing: StationPrinters;
  readonly #readiness: StationReadiness;
  readonly #badges: Badges;
  readonly #prompt: StationPrompt;
  readonly #readers: StationReaders;
  readonly #duty: StationDuty;
  readonly #outage: TerminalOutage;
  readonly #reporter: StatusReporter | undefined;

  constructor(config: TerminalConfig, shared: StationDeps) {
    this.#config = config;
    this.#shared = shared;
    this.id = config.id;
    this.#log = shared.log.with({ terminal: config.id });
    const heard = () => shared.settingsReading.of(config.id);
    this.#settings = new StationSettings(config, { heard, conditions: shared.conditions, log: this.#log });
    this.#developer = this.#createDeveloperLog();
    this.#printing = this.#createPrinting();
    this.terminal = this.#createTerminal();
    const { terminal } = this;
    this.#readiness = createStationReadiness({
      terminal,
      isPrintedHere: this.#isPrintedHere,
      log: this.#log,
    });
    this.#badges = this.#createBadges();
    this.#prompt = this.#openPrompt();
    this.#readers = this.#openReaders();
    this.#duty = this.#createDuty();
    this.#reporter = this.#createReporter();
    this.#outage = this.#createOutage();
    this.front = [...this.#readers.services, ...this.#prompt.services, this.terminal];
    this.back = [...this.#printing.services, ...(this.#reporter ? [this.#reporter] : [])];
  }

  /** Read anew at each call. */
  printerUris(): readonly string[] {
    return this.#printing.uris();
  }

  get desk(): ReleaseDesk {
    return this.#printing.desk;
  }

  /** Called once, when everything that it speaks with is there. */
  start(): void {
    this.#settings.start();
    this.#printing.settingsChanged();
    void this.#duty.holdChanged();
    const onChange = (scope: string) => void (concerns(scope, this.id) && this.#reporter?.changed());
    this.#held.defer(this.#shared.conditions.onChange(onChange));
    this.#held.defer(this.terminal.view.onChange(() => this.#viewChanged()));
  }

  /** The terminal could release a document now. */
  isReady(): boolean {
    return this.#duty.isOn() && this.#fault() === undefined;
  }

  /** Why it is not ready, in a word. */
  trouble(): string | undefined {
    return this.isReady() ? undefined : (this.#outage.current()?.reason ?? this.#fault() ?? 'starting');
  }

  authorized(yes: boolean): void {
    this.#duty.authorized(yes);
    this.#reporter?.changed();
  }

  /**
   * The gateway that serves it may have changed. Resolves when its readers are closed, if it is no longer this gateway.
   */
  async holdChanged(): Promise<void> {
    const closed = this.#duty.holdChanged();
    this.obstacleChanged();
    this.#reporter?.changed();
    await closed;
  }

  obstacleChanged(): void {
    if (this.#outage.look()) this.terminal.viewChanged();
  }

  cloudIs(state: ServiceState): void {
    this.#readiness.serviceIs(state);
    this.terminal.tell({ type: 'service', state });
  }

  /** The service was away and is back. */
  serviceIsBack(): void {
    this.#reporter?.retryNow();
  }

  /** The configuration for all terminals has changed. */
  configChanged(): void {
    this.#reporter?.changed();
  }

  /** The service's settings of the terminal have changed. */
  settingsChanged(): void {
    const wasEnabled = this.#settings.isEnabled();
    this.#settings.renew();
    this.#printing.settingsChanged();
    if (this.#settings.isEnabled() !== wasEnabled) this.#duty.enabledChanged();
    this.terminal.viewChanged();
    this.#reporter?.changed();
  }

  /** Whether people can type on a page of the kiosk. */
  pagesAre(state: 'up' | 'down'): void {
    this.#settings.pagesAre(state);
    this.terminal.viewChanged();
  }

  /** For the metrics, and for people who look at many gateways. */
  measured(): TerminalNow {
    return {
      id: this.id,
      isReady: this.isReady(),
      trouble: this.trouble(),
      isServed: this.#duty.isHeld(),
      hasSession: !this.terminal.isIdle(),
      certificateEnds: this.#printing.certificateEnds(),
      printers: this.#printing.measured(),
    };
  }

  /** The reason on its screen, if it is out of service. */
  outage(): Pick<OutageView, 'reference' | 'reason'> | undefined {
    return this.#outage.current();
  }

  status(): object {
    return {
      id: this.id,
      state: this.terminal.view.current().state,
      ready: this.isReady(),
      outage: this.#outage.status(),
      ...this.#printing.status(),
      readers: this.#readers.states(),
      prompt: this.#prompt.status(),
      outputPortId: this.#shared.settingsReading.of(this.id).port?.id ?? null,
      autoRelease: this.#settings.current().autoRelease.value,
      ...this.#settings.status(),
      conditions: this.#shared.conditions.list(this.id),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#held.dispose();
    this.#badges[Symbol.dispose]();
    await this.#printing[Symbol.asyncDispose]();
  }

  /** If the service prints, our own way to the printer is not needed. */
  get #isPrintedHere(): boolean {
    return this.#config.delivery !== 'cloud';
  }

  /** Why a terminal that is on cannot release. */
  #fault(): 'service-away' | 'printer-not-ready' | 'no-login' | undefined {
    if (this.#readiness.isServiceAway()) return 'service-away';
    if (!this.#readiness.canPrint()) return 'printer-not-ready';
    return this.#prompt.canLogIn(this.#readers) ? undefined : 'no-login';
  }

  #viewChanged(): void {
    this.#printing.settle();
    for (const looking of [this.#developer, this.#readiness, this.#outage]) looking.look();
    this.#shared.onRest();
  }

  #printerIs(state: 'ready' | 'not-ready' | undefined): void {
    this.#readiness.printerIs(state);
    if (state === undefined) return;
    this.#shared.metrics.printerIs({ terminal: this.id, state });
    this.#reporter?.changed();
  }

  #stageTook(stage: Stage, span: Duration): void {
    for (const observer of [this.#shared.metrics, this.#developer]) observer.stageTook({ stage, span });
  }

  #createDeveloperLog(): DeveloperLog {
    return createDeveloperLog({
      terminal: this.id,
      log: this.#shared.log,
      settings: () => this.#settings.current(),
      view: () => this.terminal.view.current(),
    });
  }

  #createPrinting(): StationPrinters {
    return new StationPrinters({
      config: this.#config,
      shared: this.#shared,
      settings: this.#settings,
      log: this.#log,
      isIdle: () => this.terminal.isIdle(),
      onPrinter: (state) => this.#printerIs(state),
      onView: () => this.#isPrintedHere && this.terminal.viewChanged(),
      onStage: (stage, span) => this.#stageTook(stage, span),
    });
  }

  #createTerminal(): Terminal {
    return openConversation(this.#config, this.#shared, {
      settings: this.#settings,
      printing: this.#printing,
      outage: () => this.#outage.current(),
      onStage: (stage, span) => this.#stageTook(stage, span),
      onSignal: (signal, card) => this.#badges.signal(signal, card),
    });
  }

  #createBadges(): Badges {
    const { cloud, metrics, conditions, clock } = this.#shared;
    return new Badges({
      readers: this.#config.readers,
      terminal: this.terminal,
      counted: metrics,
      conditions,
      clock,
      log: this.#log,
      format: () => this.#settings.cardFormat(),
      relay: () => cloud.directory().cardRelay,
      signalAt: (reader, signal) => this.#readers.signal(reader, signal),
    });
  }

  #openPrompt(): StationPrompt {
    const { conditions, clock, chance } = this.#shared;
    return openPrompt(this.#config, {
      terminal: this.terminal,
      conditions,
      clock,
      chance,
      log: this.#log,
      onCard: (read) => this.#badges.read(read),
    });
  }

  #openReaders(): StationReaders {
    const { dialIn, trust, metrics, conditions, health, clock, chance } = this.#shared;
    return openReaders(this.#config, {
      dialIn,
      trust,
      conditions,
      health,
      clock,
      chance,
      log: this.#log,
      onCard: (read) => this.#badges.read(read),
      onRemoved: (read) => this.#badges.removed(read),
      onFrame: (reader, verdict) => metrics.readerFrame({ terminal: this.id, reader, verdict }),
      onState: (reader, state) => {
        metrics.readerIs({ terminal: this.id, reader, state });
        this.terminal.tell({ type: 'readers', state: this.#readers.canRead() ? 'up' : 'down' });
        this.#reporter?.changed();
      },
    });
  }

  #createDuty(): StationDuty {
    return createStationDuty({
      terminal: this.terminal,
      readers: this.#readers,
      standing: () => this.#shared.holds.standing(this.id),
      isEnabled: () => this.#settings.isEnabled(),
    });
  }

  #createReporter(): StatusReporter | undefined {
    const { cloud, settingsReading, conditions, settling, clock, chance, log, config } = this.#shared;
    return createStationReports(this.#config, {
      settingsReading,
      conditions,
      settling,
      clock,
      chance,
      log,
      readers: this.#readers,
      watch: this.#printing.watch,
      reports: cloud.reports,
      interval: () => reportInterval(config()),
      isServedHere: this.#duty.isHeld,
    });
  }

  #createOutage(): TerminalOutage {
    const { chance, clock, config, obstacle } = this.#shared;
    return new TerminalOutage({
      terminal: this.terminal,
      obstacle,
      qrOf,
      chance,
      clock,
      log: this.#log,
      isEnabled: () => this.#settings.isEnabled(),
      hold: this.#duty.standing,
      support: () => config().kiosk.support,
    });
  }
}
