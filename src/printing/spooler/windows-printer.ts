/**
 * The port BytePrinter over the spooler of Windows. The spooler takes a file and reports only that it took it: handed
 * over, never confirmed. If it did not certainly refuse a document, the document may come out (contract, section 3;
 * INVARIANTS.md B.1).
 */
import type { Duration } from '../../core/duration.ts';
import { inSeconds, seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import { documentLimits } from '../../domain/document.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { PrinterDescription } from '../../domain/ports/printer-description.ts';
import type {
  BytePrinter,
  JobPlan,
  LookOptions,
  SendOptions,
  SpooledDocument,
} from '../../domain/ports/printing.ts';
import { asProblem, Problem } from '../../domain/problem/problem.ts';
import type { Ticket } from '../../domain/release.ts';
import { jobName } from '../../domain/release.ts';
import type { PageHandling } from '../conversion/conversion-plan.ts';
import { asTheyCome, leftToPrinter, planConversion, unknownRaster } from '../conversion/conversion-plan.ts';
import { formats } from '../document-format.ts';
import type { OutputType } from '../../domain/output-port.ts';
import type { PdfToPrinter, PdfToPrinterOptions } from './windows-spooler.ts';
import { plainFileOf, windowsPrinterName } from './windows-spooler.ts';

export interface WindowsPrinterDeps extends Pick<Env, 'clock' | 'chance'> {
  /** `windows:Office printer` */
  readonly uri: string;
  readonly outputType: OutputType;
  readonly handling?: PageHandling;
  /** The folder for an unencrypted document while the spooler reads it. */
  readonly plainFolder: string;
  /** The time limit of one call of the spooler; 60 s unless set. */
  readonly spoolerLimit?: Duration;
  readonly load: () => Promise<PdfToPrinter>;
}

interface WindowsJobPlan extends JobPlan {
  readonly wishes: Omit<PdfToPrinterOptions, 'printer'>;
}

const usualLimit = seconds(60);

/** Throws `config-invalid` for an invalid name. */
export const createWindowsPrinter = (deps: WindowsPrinterDeps): BytePrinter & AsyncDisposable =>
  new WindowsPrinter(deps);

class WindowsPrinter implements BytePrinter, AsyncDisposable {
  readonly kind = 'bytes';
  readonly uri: string;
  readonly #deps: WindowsPrinterDeps;
  readonly #name: string;

  constructor(deps: WindowsPrinterDeps) {
    this.uri = deps.uri;
    this.#deps = deps;
    this.#name = windowsPrinterName(deps.uri);
  }

  async describe(call: LookOptions): Promise<PrinterDescription> {
    await this.#checkPrinter(call);
    return description;
  }

  async prepare(ticket: Ticket, document: SpooledDocument, call: CallOptions): Promise<WindowsJobPlan> {
    const plan = planFor(ticket, document.format, this.#deps);
    await document.whole(call);
    await this.#checkPrinter(call);
    return plan;
  }

  async send(
    { wishes }: WindowsJobPlan,
    document: SpooledDocument,
    { signal, onFirstByte }: SendOptions,
  ): Promise<undefined> {
    const { plainFolder: folder, chance, load } = this.#deps;
    const call = { signal };
    const { print } = await load();
    const file = await notSent(plainFileOf(document, { folder, chance }, call));
    const printing = started(print, file.path, { printer: this.#name, ...wishes });
    onFirstByte?.();
    try {
      await this.#within(printing, call);
      return undefined;
    } catch (cause) {
      throw afterwards(cause);
    } finally {
      await file.remove();
      printing.then(file.remove, file.remove);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #checkPrinter(call: CallOptions): Promise<void> {
    const names = await this.#printerNames(call);
    if (!names.includes(this.#name)) {
      throw new Problem('printer-unreachable', `Windows has no printer ${this.#name}`, {
        delivery: 'not-sent',
      });
    }
  }

  async #printerNames(call: CallOptions): Promise<readonly string[]> {
    try {
      const { getPrinters } = await this.#deps.load();
      return (await this.#within(getPrinters(), call)).map((printer) => printer.name);
    } catch (cause) {
      call.signal.throwIfAborted();
      if (cause instanceof Problem && cause.code === 'printer-unsupported') throw cause;
      throw new Problem('printer-unreachable', 'the spooler of Windows does not tell its printers', {
        cause,
        delivery: 'not-sent',
      });
    }
  }

  /** The package's child process cannot be stopped: if it takes too long, it goes on without us. */
  async #within<Result>(work: Promise<Result>, { signal }: CallOptions): Promise<Result> {
    const { clock, spoolerLimit = usualLimit } = this.#deps;
    const over = new AbortController();
    const limit = clock
      .sleep(spoolerLimit, { signal: AbortSignal.any([signal, over.signal]) })
      .then((): never => {
        throw new Problem(
          'outcome-unknown',
          `the spooler did not answer within ${inSeconds(spoolerLimit)} s`,
        );
      });
    try {
      return await Promise.race([work, limit]);
    } finally {
      over.abort();
      await Promise.allSettled([limit]);
    }
  }
}

const description: PrinterDescription = {
  ready: true,
  state: 'idle',
  stateReasons: [],
  acceptingJobs: true,
  formats: [formats.pdf],
  mediaReady: [],
  makeAndModel: '',
  firmware: '',
  capabilities: {
    color: 'unknown',
    sides: [],
    copies: documentLimits.copies,
    obeys: { grey: true, twoSided: true },
    compression: [],
    counts: 'nothing',
  },
};

const sideWords = {
  'one-sided': 'simplex',
  'two-sided-long-edge': 'duplexlong',
  'two-sided-short-edge': 'duplexshort',
} as const;

/** Throws `document-not-printable`. */
function planFor(
  ticket: Ticket,
  format: string,
  { outputType, handling = asTheyCome }: WindowsPrinterDeps,
): WindowsJobPlan {
  const { document, monochrome, releaseId } = ticket;
  const planned = planConversion({
    ticket,
    format,
    outputType,
    handling,
    takes: [formats.pdf],
    longestCopies: documentLimits.copies,
    color: 'unknown',
    canBeAskedForGrey: true,
    raster: unknownRaster,
  });
  if (planned === undefined) {
    throw new Problem('document-not-printable', `${format} does not go to a printer of Windows`);
  }
  const { copies, sides } = leftToPrinter(ticket, planned.conversion).document;
  return {
    ...planned,
    jobName: jobName(document.name, releaseId),
    wishes: {
      silent: true,
      ...(copies > 1 ? { copies } : {}),
      ...(sides ? { side: sideWords[sides] } : {}),
      ...(document.grayscale || monochrome ? { monochrome: true } : {}),
    },
  };
}

/** An async function, so that an immediate throw is a rejection too. */
const started = async (...[print, path, wishes]: [PdfToPrinter['print'], string, PdfToPrinterOptions]) =>
  print(path, wishes);

async function notSent<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    const { code } = asProblem(cause, 'spool-failed', 'the document was not handed to the spooler');
    throw new Problem(code, 'the document was not handed to the spooler', { cause, delivery: 'not-sent' });
  }
}

/**
 * If the program could not be started, nothing was printed. If the package refused the arguments, which it does by a
 * plain string, nothing was printed either. Any other error may come after the document was submitted.
 */
function afterwards(cause: unknown): Problem {
  if (typeof cause === 'string') {
    return new Problem('printer-refused-job', 'the package pdf-to-printer refuses the document', {
      cause,
      delivery: 'not-sent',
    });
  }
  const { code, syscall } = (cause instanceof Error ? cause : {}) as { code?: unknown; syscall?: unknown };
  if (typeof syscall === 'string' && syscall.startsWith('spawn')) {
    return new Problem('printer-unreachable', `the program that prints cannot be started (${String(code)})`, {
      cause,
      delivery: 'not-sent',
    });
  }
  const { message } = asProblem(cause, 'outcome-unknown', 'the spooler reported a fault');
  return new Problem('outcome-unknown', message, { cause, delivery: 'perhaps' });
}
