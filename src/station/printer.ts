/**
 * The printer of one terminal, at the address of its settings. The address, and with it the protocol, may change while
 * nothing is printed (INVARIANTS.md B.4, 11: applied after logout). An address from the cloud first passes the guard
 * (D9).
 */
import { printable } from '../core/text/printable.ts';
import type { Log } from '../core/log.ts';
import type { BytePrinter, Printer } from '../domain/ports/printing.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import type { AdoptedSettings } from '../domain/terminal/terminal-settings.ts';
import type { AddressGuard } from '../printing/address-guard.ts';
import type { PrinterDeps } from '../printing/printer-by-uri.ts';
import { createPrinter } from '../printing/printer-by-uri.ts';

/** The settings that tell the address of the printer. */
export type Whereabouts = Pick<AdoptedSettings, 'printerUri' | 'printProtocol'>;

export interface StationPrinterDeps extends Omit<PrinterDeps, 'uri' | 'lookup'> {
  readonly at: Whereabouts;
  readonly guard: AddressGuard;
  readonly log: Log;
  /** A person is in a session, or a document is on its way to the printer. */
  isInUse(): boolean;
  onMove(): void;
}

type Present = { readonly printer: Printer & AsyncDisposable } | { readonly problem: Problem };

export class StationPrinter implements AsyncDisposable {
  readonly #deps: StationPrinterDeps;
  #whereabouts: Whereabouts;
  #present: Present;
  #next: Whereabouts | undefined;

  constructor(deps: StationPrinterDeps) {
    this.#deps = deps;
    this.#whereabouts = deps.at;
    this.#present = this.#open(deps.at);
  }

  get uri(): string {
    return 'printer' in this.#present ? this.#present.printer.uri : this.#whereabouts.printerUri.value;
  }

  /** The present printer. If there is none, a printer that refuses everything with the reason. */
  present(): Printer {
    return 'printer' in this.#present ? this.#present.printer : noPrinter(this.#present.problem);
  }

  readonly describe: Printer['describe'] = async (call) => {
    if ('problem' in this.#present) throw this.#present.problem;
    return this.#present.printer.describe(call);
  };

  /** Moves there now. If the present printer is in use, the move waits until `settle` finds it free. */
  moveTo(wanted: Whereabouts): void {
    this.#next = isSame(wanted, this.#whereabouts) ? undefined : wanted;
    this.settle();
  }

  /** A session or a release may have ended. */
  settle(): void {
    const { log, isInUse, onMove } = this.#deps;
    if (!this.#next || ('printer' in this.#present && isInUse())) return;
    const left = this.#present;
    this.#whereabouts = this.#next;
    this.#next = undefined;
    this.#present = this.#open(this.#whereabouts);
    if ('printer' in left) void left.printer[Symbol.asyncDispose]();
    if ('printer' in this.#present) log.info('printer address adopted', { printer: this.uri });
    onMove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if ('printer' in this.#present) await this.#present.printer[Symbol.asyncDispose]();
  }

  #open({ printerUri, printProtocol }: Whereabouts): Present {
    const { guard, isInUse: _use, onMove: _move, at: _at, ...common } = this.#deps;
    if (printerUri.from === 'config') {
      return { printer: createPrinter({ ...common, uri: printerUri.value }) };
    }
    // The credentials are never sent to an address from the service, whatever the configuration says (T12).
    const access = common.access && { ...common.access, credentials: undefined };
    try {
      const uri = vetted(printerUri.value, { protocol: printProtocol.value, guard });
      const lookup = guard.lookup;
      return { printer: createPrinter({ ...common, ...(access ? { access } : {}), uri, lookup }) };
    } catch (problem) {
      if (!isProblem(problem)) throw problem;
      return { problem };
    }
  }
}

function vetted(
  uri: string,
  {
    protocol,
    guard,
  }: { readonly protocol: Whereabouts['printProtocol']['value']; readonly guard: AddressGuard },
): string {
  if (protocol === 'spooler') throw noSpooler();
  if (uri === '') throw notSent('printer-unreachable', 'the service has not told where the printer is');
  try {
    return guard.vet(uri);
  } catch (problem) {
    if (!isProblem(problem, 'printer-address-refused')) throw problem;
    throw notSent(problem.code, `the service says ${printable(uri)}: ${problem.message}`);
  }
}

/** No attempt found after a restart names its address, so no printer is asked about an attempt. */
function noPrinter(problem: Problem): BytePrinter {
  const refuse = () => Promise.reject(problem);
  return { kind: 'bytes', uri: '', describe: refuse, prepare: refuse, send: refuse };
}

const noSpooler = (): Problem =>
  notSent(
    'printer-unsupported',
    'the output port prints by a spooler; this version prints by IPP and raw TCP',
  );

const notSent = (code: Problem['code'], message: string): Problem =>
  new Problem(code, message, { delivery: 'not-sent' });

const isSame = (a: Whereabouts, b: Whereabouts): boolean =>
  a.printerUri.value === b.printerUri.value &&
  a.printerUri.from === b.printerUri.from &&
  a.printProtocol.value === b.printProtocol.value;
