/**
 * The printer of one terminal, wherever its settings say that it is. The address, and with it the protocol, may change
 * while nobody prints (reliability.md B.4, 11: applied after logout). An address that came from the
 * cloud passes the guard first (D9).
 */
import { printable } from '../core/log.ts';
import type { Log } from '../core/log.ts';
import type { BytePrinter, Printer } from '../domain/ports/printing.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import type { AdoptedSettings } from '../domain/terminal/terminal-settings.ts';
import type { AddressGuard } from '../printing/address-guard.ts';
import type { PrinterOptions } from '../printing/printer-by-uri.ts';
import { createPrinter } from '../printing/printer-by-uri.ts';

/** What says where the printer is. */
export type Whereabouts = Pick<AdoptedSettings, 'printerUri' | 'printProtocol'>;

export interface StationPrinter extends AsyncDisposable {
  readonly uri: string;
  /** The one of this moment. Where there is none, one that refuses everything with the reason. */
  present(): Printer;
  describe: Printer['describe'];
  /** Moves there now or, while the present printer is in use, when `settle` finds that it no longer is. */
  moveTo(next: Whereabouts): void;
  /** Something may have come to its end. */
  settle(): void;
}

export interface StationPrinterOptions extends Omit<PrinterOptions, 'uri' | 'lookup'> {
  readonly at: Whereabouts;
  readonly guard: AddressGuard;
  readonly log: Log;
  /** Somebody is in a session, or a document is on its way to the printer. */
  isInUse(): boolean;
  onMove(): void;
}

type Present = { readonly printer: Printer & AsyncDisposable } | { readonly problem: Problem };

export function createStationPrinter(options: StationPrinterOptions): StationPrinter {
  const { guard, log, isInUse, onMove, at, ...common } = options;
  // No address that the service names is shown the credentials, whatever the configuration says (T12).
  const access = common.access && { ...common.access, credentials: undefined };
  let whereabouts = at;
  let present = open(at);
  let next: Whereabouts | undefined;

  function open({ printerUri, printProtocol }: Whereabouts): Present {
    if (printerUri.from === 'config') {
      return { printer: createPrinter({ ...common, log, uri: printerUri.value }) };
    }
    try {
      const uri = vetted(printerUri.value, printProtocol.value);
      return {
        printer: createPrinter({ ...common, ...(access ? { access } : {}), log, uri, lookup: guard.lookup }),
      };
    } catch (problem) {
      if (!isProblem(problem)) throw problem;
      return { problem };
    }
  }

  function vetted(uri: string, protocol: Whereabouts['printProtocol']['value']): string {
    if (protocol === 'spooler') throw noSpooler();
    if (uri === '') throw notSent('printer-unreachable', 'the service has not told where the printer is');
    try {
      return guard.vet(uri);
    } catch (problem) {
      if (!isProblem(problem, 'printer-address-refused')) throw problem;
      throw notSent(problem.code, `the service says ${printable(uri)}: ${problem.message}`);
    }
  }

  function settle(): void {
    if (!next || ('printer' in present && isInUse())) return;
    const left = present;
    whereabouts = next;
    next = undefined;
    present = open(whereabouts);
    if ('printer' in left) void left.printer[Symbol.asyncDispose]();
    if ('printer' in present) log.info('printer address adopted', { printer: present.printer.uri });
    onMove();
  }

  function moveTo(wanted: Whereabouts): void {
    next = isSame(wanted, whereabouts) ? undefined : wanted;
    settle();
  }

  return {
    get uri() {
      return 'printer' in present ? present.printer.uri : whereabouts.printerUri.value;
    },
    present: () => ('printer' in present ? present.printer : noPrinter(present.problem)),
    describe: async (call) => {
      if ('problem' in present) throw present.problem;
      return present.printer.describe(call);
    },
    moveTo,
    settle,
    async [Symbol.asyncDispose]() {
      if ('printer' in present) await present.printer[Symbol.asyncDispose]();
    },
  };
}

/** No attempt found after a restart names its address: nobody is asked about one. */
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
