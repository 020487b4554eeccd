/**
 * One terminal with all that belongs to it: its printer and spool, its release desk, its readers, its status loop.
 * The second half of the composition root; what all terminals share is built in `agent.ts`.
 */
import type { TerminalConfig } from '../config/schema/config.ts';
import type { Duration } from '../core/duration.ts';
import { hours, seconds } from '../core/duration.ts';
import type { Service } from '../core/service.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { ReleaseDesk } from '../release/desk.ts';
import { createReleaseDesk } from '../release/desk.ts';
import type { Terminal } from '../terminal/runner.ts';
import { createTerminal } from '../terminal/runner.ts';
import type { TerminalNow } from '../operations/gateway-metrics.ts';
import type { Stage } from '../operations/release-metrics.ts';
import { createAddressGuard } from '../printing/address-guard.ts';
import { jobStallOf } from '../printing/job-patience.ts';
import { plainFolderIn } from '../printing/spooler/plain-file.ts';
import { createStationBadges } from './badges.ts';
import { createStationConverter } from './converter.ts';
import { createDeveloperLog } from './developer-log.ts';
import { createStationOutage } from './outage.ts';
import { printerCan } from './printer-can.ts';
import { createStationPrinter } from './printer.ts';
import { openPrompt } from './prompt.ts';
import { openReaders } from './readers.ts';
import { createStationReadiness } from './readiness.ts';
import { createStationReports } from './reports.ts';
import { createStationSettings } from './settings.ts';
import { signOf } from './sign.ts';
import type { Shared } from './world.ts';
import { createPrinterWatch } from '../status/printer-watch.ts';
import { createPrinterMemory } from '../store/files/printer-memory.ts';

export interface Station extends AsyncDisposable {
  readonly id: string;
  readonly terminal: Terminal;
  readonly desk: ReleaseDesk;
  /** What speaks with people; ends first. */
  readonly front: readonly Service[];
  /** What watches and reports; ends last. */
  readonly back: readonly Service[];
  /** The terminal could release a document now. */
  isReady(): boolean;
  authorized(yes: boolean): void;
  obstacleChanged(): void;
  /** The service was away and is back. */
  serviceIsBack(): void;
  /** What is in force for all terminals is another. */
  configChanged(): void;
  /** The service says something else of the terminal. */
  settingsChanged(): void;
  /** Whether people can type on a page of the kiosk. */
  pagesAre(state: 'up' | 'down'): void;
  /** For the metrics. */
  measured(): TerminalNow;
  status(): object;
}

export interface StationWorld extends Shared {
  /** Perhaps it is in use no longer. */
  onRest(): void;
}

export function createStation(config: TerminalConfig, shared: StationWorld): Station {
  const { cloud, store, directory, conditions, metrics, clock, chance } = shared;
  const { id, serialNumber } = config;
  const log = shared.log.with({ terminal: id });
  const isPrintedHere = config.delivery !== 'cloud';
  let authorized = false;

  const settings = createStationSettings(config, { heard: () => directory.of(id), conditions, log });

  const converter = createStationConverter({
    ...{ terminal: id, conditions, log: shared.log, converter: shared.converter },
    handling: settings.pageHandling,
    isDemanded: () => settings.demandsPageHandling(),
    outputType: config.printer.outputType,
  });

  const printer = createStationPrinter({
    at: settings.current(),
    // Of addresses that come from the cloud.
    guard: createAddressGuard({ network: shared.config().printerNetwork }),
    outputType: config.printer.outputType,
    handling: converter.handling,
    pjl: config.printer.pjl,
    stall: seconds(config.printer.stallSeconds),
    jobStall: jobStallOf(config.printer),
    clock,
    chance,
    log,
    plainFolder: plainFolderIn(shared.config().stateDir),
    trust: shared.trust,
    access: {
      memory: createPrinterMemory({ stateDir: shared.config().stateDir, terminal: id }),
      tls: config.printer.tls,
      credentials: config.printer.credentials,
      chance,
    },
    isInUse: () => !terminal.isIdle() || store.ledger.open().some((attempt) => attempt.terminal === id),
    onMove() {
      readiness.printerIs(undefined);
      watch.look();
    },
    onContact: (contact) => (contact === 'lost' ? watch.lost() : watch.look()),
  });

  const developer = createDeveloperLog({
    ...{ terminal: id, log: shared.log, settings: settings.current },
    view: () => terminal.view.current(),
  });
  const onStage = (stage: Stage, span: Duration) =>
    [metrics, developer].forEach((told) => told.stageTook({ stage, span }));

  const desk = createReleaseDesk({
    terminal: id,
    world: {
      printer: () => printer.present(),
      spool: shared.spool,
      converter,
      documents: cloud.documents,
      balance: cloud.balance,
      ledger: store.ledger,
      serviceTime: shared.serviceTime,
      clock,
      serialNumber,
      delivery: config.delivery,
      finish: config.finish,
      requireConfirmation: config.printer.requireConfirmation,
      get unknownHold() {
        return hours(shared.config().history.unknownAfterHours);
      },
      cutThrough: config.printer.cutThrough,
      onStage,
    },
    inHand: shared.inHand,
    setAside: shared.setAside,
    turns: shared.turns,
    log: shared.log,
    onEvent: (event) => {
      if (event.type === 'done' && desk.isIdle()) shared.onRest();
      if (event.type !== 'ended') return;
      const { outcome, problem } = event;
      metrics.releaseEnded({ terminal: id, outcome });
      if (isProblem(problem, 'store-refused', 'spool-full', 'spool-failed')) {
        const { code, message: detail } = problem;
        conditions.raise({ code, severity: 'error', scope: id, subject: 'disk', detail });
      } else if (outcome === 'completed') conditions.clear(id, 'disk');
      if (outcome !== 'completed') watch.look();
      printer.settle();
    },
  });

  const terminal = createTerminal({
    id,
    logins: cloud.logins,
    users: {
      enrolCard: (user, card, options) => cloud.directory(options.token).users.enrolCard(user, card, options),
    },
    lockOut: shared.lockOut,
    conditions,
    documents: cloud.documents,
    finish: config.finish,
    balance: cloud.balance,
    ...{ ledger: store.ledger, releases: store.releases, languages: store.languages, desk },
    settings: () => ({ ...settings.ofTerminal(), askAbovePages: shared.config().kiosk.askAbovePages }),
    surroundings: () => ({
      ...{ printer: isPrintedHere ? watch.view() : undefined, outage: outage.current() },
      ...signOf(config, directory.of(id), shared.config().kiosk),
    }),
    printerCan: () => printerCan(watch.capabilities(), config.delivery),
    clock,
    chance,
    log: shared.log,
    onStage,
    onSignal: (signal, card) => badges.signal(signal, card),
    settle: ({ token }) => directory.offer(id, token),
  });

  const watch = createPrinterWatch({
    terminal: id,
    printer,
    conditions,
    onState: (state) => {
      readiness.printerIs(state);
      metrics.printerIs({ terminal: id, state });
      reporter?.changed();
    },
    onView: () => isPrintedHere && terminal.viewChanged(),
    clock,
    chance,
  });

  const readiness = createStationReadiness({ terminal, isPrintedHere, log });
  const badges = createStationBadges({
    ...{ readers: config.readers, terminal, metrics, conditions, clock, log },
    format: () => settings.cardFormat(),
    relay: () => cloud.directory().cardRelay,
    signalAt: (reader, signal) => readers.signal(reader, signal),
  });
  const prompt = openPrompt(config, { terminal, conditions, clock, chance, log, onCard: badges.onCard });
  const readers = openReaders(config, {
    ...{ dialIn: shared.dialIn, trust: shared.trust, conditions, clock, chance, log },
    onCard: badges.onCard,
    onRemoved: badges.onRemoved,
    onFrame: (reader, verdict) => metrics.readerFrame({ terminal: id, reader, verdict }),
    onState: (reader, state) => {
      metrics.readerIs({ terminal: id, reader, state });
      terminal.readersAre(readers.canRead() ? 'up' : 'down');
      reporter?.changed();
    },
  });

  const reporter = createStationReports(config, {
    ...{ directory, conditions, clock, chance, readers, watch },
    reports: cloud.reports,
    interval: () => seconds(shared.config().status.intervalSeconds),
    log: shared.log,
  });
  const unhook = conditions.onChange(() => reporter?.changed());
  const outage = createStationOutage({
    ...{ terminal, chance, clock, log },
    obstacle: () => shared.obstacle(),
    isEnabled: () => settings.isEnabled(),
    support: () => shared.config().kiosk.support,
  });
  const unhookView = terminal.view.onChange(() => {
    printer.settle();
    for (const looking of [developer, readiness, outage]) looking.look();
    shared.onRest();
  });
  const isReady = () =>
    authorized && settings.isEnabled() && readiness.canPrint() && prompt.canLogIn(readers);
  const tellTerminal = () => terminal.authorized(authorized && settings.isEnabled());

  return {
    id,
    terminal,
    desk,
    front: [...readers.services, ...prompt.services, terminal],
    back: reporter ? [watch, reporter] : [watch],
    isReady,
    authorized(yes) {
      authorized = yes;
      const settled = yes ? readers.settled() : Promise.resolve();
      void settled.then(tellTerminal);
      reporter?.changed();
    },
    obstacleChanged() {
      if (outage.look()) terminal.viewChanged();
    },
    serviceIsBack: () => reporter?.retryNow(),
    configChanged: () => reporter?.changed(),
    settingsChanged() {
      const wasEnabled = settings.isEnabled();
      settings.renew();
      printer.moveTo(settings.current());
      converter.look();
      if (settings.isEnabled() !== wasEnabled) tellTerminal();
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
      hasSession: !terminal.isIdle(),
      certificateEnds: watch.description()?.certificate?.validTo,
    }),
    status: () => ({
      id,
      state: terminal.view.current().state,
      ready: isReady(),
      outage: outage.status(),
      printer: { uri: printer.uri, ...watch.status() },
      readers: readers.states(),
      prompt: prompt.status(),
      outputPortId: directory.of(id).port?.id ?? null,
      autoRelease: settings.current().autoRelease.value,
      ...settings.status(),
      conditions: conditions.list(id),
    }),
    async [Symbol.asyncDispose]() {
      unhook();
      unhookView();
      badges[Symbol.dispose]();
      await converter[Symbol.asyncDispose]();
      await printer[Symbol.asyncDispose]();
    },
  };
}
