/**
 * One terminal with all that belongs to it: its printer and spool, its release desk, its readers, its status loop.
 * The second half of the composition root; what all terminals share is built in `agent.ts`.
 */
import type { Cloud } from './cloud/client.ts';
import type { OutputPortDirectory } from './cloud/output-port-directory.ts';
import type { Config, TerminalConfig } from './config/schema.ts';
import type { Chance } from './core/chance.ts';
import type { Clock } from './core/clock.ts';
import { hours, seconds } from './core/duration.ts';
import type { Log } from './core/log.ts';
import type { Service } from './core/service.ts';
import type { OutputPort } from './domain/output-port.ts';
import type { Spool } from './domain/ports/printing.ts';
import { isProblem } from './domain/problem.ts';
import type { DocumentsInHand, ReleaseDesk } from './machines/release-desk.ts';
import { createReleaseDesk } from './machines/release-desk.ts';
import type { Terminal, TerminalSettings } from './machines/terminal-service.ts';
import { createTerminal } from './machines/terminal-service.ts';
import type { Health } from './operations/health.ts';
import type { Metrics } from './operations/metrics.ts';
import { createIppPrinter } from './printing/ipp-printer.ts';
import type { Trust } from './printing/system-trust.ts';
import { openReaders } from './station-readers.ts';
import type { ConditionList } from './status/conditions.ts';
import { createPrinterWatch } from './status/printer-watch.ts';
import { createStatusReporter } from './status/reporter.ts';
import { composeTerminalInfo } from './status/terminal-info.ts';
import type { Store } from './store/store.ts';
import { version } from './version.ts';

/** What the terminals of one agent share. */
export interface Shared {
  readonly config: Config;
  readonly cloud: Cloud;
  readonly store: Store;
  readonly outputPorts: OutputPortDirectory;
  readonly conditions: ConditionList;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly inHand: DocumentsInHand;
  readonly spool: Spool;
  readonly trust: Trust;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

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
  /** Something that the status report tells may have changed. */
  changed(): void;
  status(): object;
}

export function createStation(config: TerminalConfig, shared: Shared): Station {
  const { cloud, store, outputPorts, conditions, metrics, health, clock, chance } = shared;
  const { id, serialNumber } = config;
  const log = shared.log.with({ terminal: id });
  let authorized = false;
  let printerIs: 'ready' | 'not-ready' | undefined;

  const printer = createIppPrinter({
    uri: config.printer.uri,
    outputType: config.printer.outputType,
    stall: seconds(config.printer.stallSeconds),
    clock,
    log,
    trust: shared.trust,
  });

  const desk = createReleaseDesk({
    terminal: id,
    world: {
      printer,
      spool: shared.spool,
      documents: cloud.documents,
      balance: cloud.balance,
      ledger: store.ledger,
      clock,
      serialNumber,
      finish: config.finish === 'keep' ? 'keep' : 'delete',
      unknownHold: hours(shared.config.history.unknownAfterHours),
      onStage: (stage, span) => metrics.stageTook({ stage, span }),
    },
    inHand: shared.inHand,
    log: shared.log,
    onOutcome: (outcome, problem) => {
      metrics.releaseEnded({ terminal: id, outcome });
      if (isProblem(problem, 'store-refused', 'spool-full', 'spool-failed')) {
        const { code, message: detail } = problem;
        conditions.raise({ code, severity: 'error', scope: id, subject: 'disk', detail });
      } else if (outcome === 'completed') conditions.clear(id, 'disk');
      if (outcome !== 'completed') watch.look();
    },
  });

  const terminal = createTerminal({
    id,
    logins: cloud.logins,
    documents: cloud.documents,
    ledger: store.ledger,
    desk,
    settings: () => settingsOf(config, outputPorts.portOf(id)),
    clock,
    chance,
    log: shared.log,
    onStage: (stage, span) => metrics.stageTook({ stage, span }),
    settle: ({ token }) => outputPorts.offer(token),
  });

  const watch = createPrinterWatch({
    terminal: id,
    printer,
    conditions,
    onState: (state) => {
      printerIs = state;
      metrics.printerIs({ terminal: id, state });
      reporter?.changed();
    },
    progress: (within) => health.promise(`printer of ${id}`, within),
    clock,
    chance,
  });

  const readers = openReaders(config, {
    clock,
    log,
    onCard: (card) => terminal.cardRead(card),
    onState: (reader, state, problem) => {
      metrics.readerIs({ terminal: id, reader, state });
      if (!problem) conditions.clear(id, reader);
      else {
        const { code, message: detail } = problem;
        conditions.raise({ code, severity: 'warning', scope: id, subject: reader, detail });
      }
      reporter?.changed();
    },
  });

  const reporter =
    cloud.reports &&
    createStatusReporter({
      terminal: id,
      interval: seconds(shared.config.status.intervalSeconds),
      reports: cloud.reports,
      compose: () =>
        composeTerminalInfo({
          version,
          conditions: conditions.list(id),
          changedAt: conditions.changedAt(id),
          readers: readers.states(),
          printer: watch.description(),
        }),
      target: () => ({
        outputPortId:
          outputPorts.portOf(id)?.id ?? (config.outputPortId === 'auto' ? undefined : config.outputPortId),
        serialNumber,
        terminalId: id,
      }),
      progress: (within) => health.promise(`status of ${id}`, within),
      clock,
      chance,
      log: shared.log,
    });
  const unhook = conditions.onChange(() => reporter?.changed());
  const isReady = () => authorized && printerIs === 'ready' && readers.canRead();

  return {
    id,
    terminal,
    desk,
    front: [...readers.services, terminal],
    back: reporter ? [watch, reporter] : [watch],
    isReady,
    authorized(yes) {
      authorized = yes;
      // Who reads "terminal ready" may hold a badge to the reader at once.
      const settled = yes ? readers.settled() : Promise.resolve();
      void settled.then(() => terminal.authorized(authorized));
      reporter?.changed();
    },
    changed: () => reporter?.changed(),
    status: () => ({
      id,
      state: terminal.view.current().state,
      ready: isReady(),
      printer: { uri: config.printer.uri, state: watch.description()?.state ?? 'unreachable' },
      readers: readers.states(),
      outputPortId: outputPorts.portOf(id)?.id ?? null,
      autoRelease: settingsOf(config, outputPorts.portOf(id)).autoRelease,
      conditions: conditions.list(id),
    }),
    async [Symbol.asyncDispose]() {
      unhook();
      await printer[Symbol.asyncDispose]();
    },
  };
}

/** Where neither config nor output port says it (api-supplement.md 12, row 20). */
const defaultLogoutSeconds = 60;
const logoutLimits = { shortest: 10, longest: 3600 };

/** The local configuration wins where it says something. */
export function settingsOf({ session }: TerminalConfig, port: OutputPort | undefined): TerminalSettings {
  const portTimeout = port?.logoutTimeoutSeconds || defaultLogoutSeconds;
  const timeout =
    session.logoutTimeoutSeconds === 'auto'
      ? Math.min(Math.max(portTimeout, logoutLimits.shortest), logoutLimits.longest)
      : session.logoutTimeoutSeconds;
  return {
    autoRelease: session.autoRelease === 'auto' ? (port?.autoRelease ?? false) : session.autoRelease,
    logoutTimeout: seconds(timeout),
    monochrome: port?.monochrome ?? false,
    sendUsername: port?.sendUsername ?? false,
  };
}
