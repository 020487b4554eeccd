/**
 * The printer of one terminal, wherever its settings say that it is: one object for the release desk, behind which the
 * address may change while nobody prints (reliability.md B.4, 11: applied after logout). An address that came from the
 * cloud passes the guard first (D9).
 */
import { printable } from './core/log.ts';
import type { Log } from './core/log.ts';
import type { Printer } from './domain/ports/printing.ts';
import { isProblem, Problem } from './domain/problem.ts';
import type { AdoptedSettings } from './domain/terminal-settings.ts';
import type { AddressGuard } from './printing/address-guard.ts';
import type { IppPrinterOptions } from './printing/ipp-printer.ts';
import { createIppPrinter } from './printing/ipp-printer.ts';

/** What says where the printer is. */
export type Whereabouts = Pick<AdoptedSettings, 'printerUri' | 'printProtocol'>;

export interface StationPrinter extends Printer, AsyncDisposable {
  /** Moves there now or, while the present printer is in use, when `settle` finds that it no longer is. */
  moveTo(next: Whereabouts): void;
  /** Something may have come to its end. */
  settle(): void;
}

export interface StationPrinterOptions extends Omit<IppPrinterOptions, 'uri' | 'lookup'> {
  readonly at: Whereabouts;
  readonly guard: AddressGuard;
  readonly log: Log;
  /** Somebody is in a session, or a document is on its way to the printer. */
  isInUse(): boolean;
  onMove(): void;
}

type Present = { readonly printer: Printer & AsyncDisposable } | { readonly problem: Problem };

export function createStationPrinter(options: StationPrinterOptions): StationPrinter {
  const { guard, log, isInUse, onMove, at, ...ipp } = options;
  let whereabouts = at;
  let present = open(at);
  let next: Whereabouts | undefined;

  function open({ printerUri, printProtocol }: Whereabouts): Present {
    if (printerUri.from === 'config') {
      return { printer: createIppPrinter({ ...ipp, log, uri: printerUri.value }) };
    }
    try {
      const uri = vetted(printerUri.value, printProtocol.value);
      return { printer: createIppPrinter({ ...ipp, log, uri, lookup: guard.lookup }) };
    } catch (problem) {
      if (!isProblem(problem)) throw problem;
      return { problem };
    }
  }

  function vetted(uri: string, protocol: Whereabouts['printProtocol']['value']): string {
    if (protocol === 'spooler') throw notByIpp(protocol);
    if (uri === '') throw notSent('printer-unreachable', 'the service has not told where the printer is');
    try {
      const used = guard.vet(uri);
      if (used.startsWith('socket:')) throw notByIpp('tcp');
      return used;
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

  /** Throws why there is none. */
  function printer(): Printer {
    if ('printer' in present) return present.printer;
    throw present.problem;
  }

  return {
    get uri() {
      return 'printer' in present ? present.printer.uri : whereabouts.printerUri.value;
    },
    describe: async (call) => printer().describe(call),
    prepare: async (ticket, document, call) => printer().prepare(ticket, document, call),
    createJob: async (plan, call) => printer().createJob(plan, call),
    sweep: async (jobName, call) => printer().sweep(jobName, call),
    send: async (job, plan, document, call) => printer().send(job, plan, document, call),
    follow: async (job, call) => printer().follow(job, call),
    cancel: async (job, call) => ('printer' in present ? present.printer.cancel(job, call) : undefined),
    moveTo,
    settle,
    async [Symbol.asyncDispose]() {
      if ('printer' in present) await present.printer[Symbol.asyncDispose]();
    },
  };
}

const notByIpp = (protocol: string): Problem =>
  notSent('printer-unsupported', `the output port prints by ${protocol}; this version prints by IPP`);

const notSent = (code: Problem['code'], message: string): Problem =>
  new Problem(code, message, { delivery: 'not-sent' });

const isSame = (a: Whereabouts, b: Whereabouts): boolean =>
  a.printerUri.value === b.printerUri.value &&
  a.printerUri.from === b.printerUri.from &&
  a.printProtocol.value === b.printProtocol.value;
