/**
 * How one terminal prints: its printer at its present address, the watch on it, the converter as this terminal sees it,
 * and the desk that releases documents there.
 */
import { queueOf } from '../config/printers.ts';
import type { TerminalConfig } from '../config/schema/config.ts';
import { hours } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { subjectOf } from '../domain/condition.ts';
import { keyOf } from '../domain/output-port.ts';
import { isProblem } from '../domain/problem/problem.ts';
import { createAddressGuard } from '../printing/address-guard.ts';
import { byteStallOf, jobStallOf } from '../printing/job-patience.ts';
import { plainFolderIn } from '../printing/spooler/windows-spooler.ts';
import type { ReleaseDeps } from '../release/context.ts';
import type { ReleaseDesk } from '../release/desk.ts';
import { createReleaseDesk } from '../release/desk.ts';
import type { ReleaseEnded, ReleaseEvent } from '../release/events.ts';
import type { PrinterWatch } from '../status/printer-watch.ts';
import { createPrinterWatch } from '../status/printer-watch.ts';
import { createPrinterMemory } from '../store/files/printer-memory.ts';
import type { StationConverter } from './converter.ts';
import { createStationConverter } from './converter.ts';
import { StationPrinter } from './printer.ts';
import type { PrinterSettings } from './printers/printer-settings.ts';
import type { StationDeps } from './world.ts';

export interface StationPrintingDeps {
  readonly config: TerminalConfig;
  readonly shared: StationDeps;
  readonly settings: PrinterSettings;
  /** `name` is set if the terminal has several printers; `apart` only if this one is not the default. */
  readonly name: string | undefined;
  readonly apart: string | undefined;
  readonly log: Log;
  /** No person is at the terminal. */
  isIdle(): boolean;
  /** `undefined`: the printer was replaced, and nothing is known of the new one yet. */
  onPrinter(state: 'ready' | 'not-ready' | undefined): void;
  /** The view of the printer has changed. */
  onView(): void;
  readonly onStage: ReleaseDeps['onStage'];
}

export class StationPrinting implements AsyncDisposable {
  readonly printer: StationPrinter;
  readonly watch: PrinterWatch;
  readonly desk: ReleaseDesk;
  readonly settings: PrinterSettings;
  readonly #deps: StationPrintingDeps;
  readonly #converter: StationConverter;

  constructor(deps: StationPrintingDeps) {
    this.#deps = deps;
    this.settings = deps.settings;
    this.#converter = this.#createConverter();
    this.printer = this.#createPrinter();
    this.watch = this.#createWatch();
    this.desk = this.#createDesk();
  }

  readonly mayChangePages = (): boolean => this.#converter.mayWork();

  /** The settings may have changed. Also called once at the start. */
  settingsChanged(): void {
    this.printer.moveTo(this.#deps.settings.current());
    this.#converter.look();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#converter[Symbol.asyncDispose]();
    await this.printer[Symbol.asyncDispose]();
  }

  #createConverter(): StationConverter {
    const { config, shared, settings, apart } = this.#deps;
    return createStationConverter({
      terminal: config.id,
      subject: subjectOf('converter', apart),
      conditions: shared.conditions,
      log: shared.log,
      converter: shared.converter,
      handling: settings.pageHandling,
      isDemanded: () => settings.demandsPageHandling(),
      outputType: config.printer.outputType,
    });
  }

  #createPrinter(): StationPrinter {
    const { config, shared, settings, log } = this.#deps;
    const { clock, chance } = shared;
    const { stateDir, printerNetwork } = shared.config();
    const { outputType, pjl, resetIsEnd, tls, credentials } = config.printer;
    return new StationPrinter({
      at: settings.current(),
      outputType,
      handling: this.#converter.handling,
      pjl,
      clock,
      chance,
      log,
      // For addresses from the cloud.
      guard: createAddressGuard({ network: printerNetwork }),
      stall: byteStallOf(config.printer),
      jobStall: jobStallOf(config.printer),
      resetIsEnd,
      plainFolder: plainFolderIn(stateDir),
      trust: shared.trust,
      access: {
        memory: createPrinterMemory({ stateDir, terminal: config.id, queue: queueOf(config) }),
        tls,
        credentials,
        chance,
      },
      isInUse: () => !this.#deps.isIdle() || this.#hasOpenAttempt(),
      onMove: () => {
        this.#deps.onPrinter(undefined);
        this.watch.look();
      },
      onContact: (contact) => (contact === 'lost' ? this.watch.lost() : this.watch.look()),
    });
  }

  #hasOpenAttempt(): boolean {
    const { config, shared } = this.#deps;
    return shared.store.ledger.open().some(({ terminal }) => terminal === config.id);
  }

  #createWatch(): PrinterWatch {
    const { config, shared, apart, onPrinter, onView } = this.#deps;
    const { conditions, clock, chance } = shared;
    return createPrinterWatch({
      terminal: config.id,
      apart,
      printer: this.printer,
      conditions,
      clock,
      chance,
      serialNumber: apart === undefined ? config.serialNumber : undefined,
      onState: onPrinter,
      onView,
    });
  }

  #createDesk(): ReleaseDesk {
    const { config, shared, name } = this.#deps;
    return createReleaseDesk({
      terminal: config.id,
      world: this.#releaseWorld(),
      onTheWay: shared.onTheWay,
      setAside: shared.setAside,
      turns: shared.turns,
      chance: shared.chance,
      log: name === undefined ? shared.log : shared.log.with({ printer: name }),
      onEvent: (event) => this.#heard(event),
    });
  }

  #releaseWorld(): ReleaseDeps {
    const { config, shared, onStage } = this.#deps;
    const { cloud, store, clock } = shared;
    return {
      printer: () => this.printer.present(),
      spool: shared.spool,
      converter: this.#converter,
      clock,
      onStage,
      documents: cloud.documents,
      balance: cloud.balance,
      ledger: store.ledger,
      claims: shared.claims,
      place: () => config.place ?? shared.settingsReading.of(config.id).port?.name ?? config.id,
      serviceTime: shared.serviceTime,
      portKey: () => keyOf(shared.settingsReading.of(config.id).port, config.serialNumber),
      delivery: config.delivery,
      finish: config.finish,
      requireConfirmation: config.printer.requireConfirmation,
      get unknownHold() {
        return hours(shared.config().history.unknownAfterHours);
      },
      cutThrough: config.printer.cutThrough,
    };
  }

  #heard(event: ReleaseEvent): void {
    if (event.type === 'done' && this.desk.isIdle()) this.#deps.shared.onRest();
    if (event.type === 'ended') this.#released(event);
  }

  #released({ releaseId, outcome, problem, trace }: ReleaseEnded): void {
    const { config, shared, settings } = this.#deps;
    const { conditions, metrics } = shared;
    // Another gateway has the document, so nothing failed.
    if (!isProblem(problem, 'document-claimed')) metrics.releaseEnded({ terminal: config.id, outcome });
    if (trace) {
      const [protocol = ''] = settings.current().printerUri.value.split(':');
      const code = outcome === 'completed' ? undefined : problem?.code;
      shared.traces?.add({ releaseId, terminal: config.id, outcome, code, protocol, trace });
    }
    if (isProblem(problem, 'store-refused', 'spool-full', 'spool-failed')) {
      const { code, message: detail } = problem;
      conditions.raise({ code, severity: 'error', scope: config.id, subject: 'disk', detail });
    } else if (outcome === 'completed') conditions.clear(config.id, 'disk');
    if (outcome !== 'completed') this.watch.look();
    this.printer.settle();
  }
}
