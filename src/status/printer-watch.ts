/**
 * Looks at one printer now and then, so that a printer that is off, jammed or empty is known before a person stands in
 * front of it. It only looks. Each release decides anew whether a document may go out.
 */
import { minutes, seconds } from '../core/duration.ts';
import { printable } from '../core/text/printable.ts';
import type { Periodic } from '../core/periodic.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { Progress, Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import { complaintAboutExpiry } from '../domain/printer/certificate-expiry.ts';
import { subjectOf } from '../domain/condition.ts';
import { isSameSerial } from '../domain/output-port.ts';
import type { PrinterCapabilities, PrinterDescription } from '../domain/ports/printer-description.ts';
import type { Printer } from '../domain/ports/printing.ts';
import { foremostReason } from '../domain/problem/printer-reasons.ts';
import { isSamePrinterView, printerViewOf, viewOfFailure } from '../domain/printer/printer-view.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { asProblem } from '../domain/problem/problem.ts';
import { complaintAboutSupplies } from '../domain/printer/supplies.ts';
import { complaintAbout } from '../domain/printer/spooler-queue.ts';
import type { PrinterView } from '../domain/terminal/terminal-view.ts';

const interval = minutes(1);
/** A person may be at the printer, so a repair or a finished job is shown soon. */
const shortInterval = seconds(10);
const retry = { first: seconds(5), factor: 2, longest: minutes(1) };
/** Longer than the printer's own limit, so that a sleeping printer has time to wake up. */
const lookLimit = seconds(50);

export interface PrinterWatch extends Service {
  /** The last answer; `undefined` before the first, and while the printer does not answer. */
  description(): PrinterDescription | undefined;
  /** The last answer counts also while the printer does not answer. */
  capabilities(): PrinterCapabilities | undefined;
  /** The shown state; `undefined` before the first look is over. */
  view(): PrinterView | undefined;
  /** For `/status`. */
  status(): object;
  /** Looks soon, because a person has just met a fault. */
  look(): void;
  /** It has a document, and does not answer any more. This counts until the next look says otherwise. */
  lost(): void;
}

export interface PrinterWatchDeps extends Pick<Env, 'clock' | 'chance' | 'conditions'> {
  readonly terminal: string;
  /** Its name, if it is neither the terminal's only printer nor the default. */
  readonly apart?: string | undefined;
  /** From the configuration. Absent if the configured number belongs to another printer. */
  readonly serialNumber?: string | undefined;
  readonly printer: Pick<Printer, 'describe'>;
  onState(state: 'ready' | 'not-ready'): void;
  /** `view` has changed. */
  onView(): void;
}

export const createPrinterWatch = (deps: PrinterWatchDeps): PrinterWatch => new Watch(deps);

class Watch implements PrinterWatch {
  readonly name: string;
  readonly #deps: PrinterWatchDeps;
  readonly #wake = new Wake();
  #seen: PrinterDescription | undefined;
  #capabilities: PrinterCapabilities | undefined;
  #view: PrinterView | undefined;

  constructor(deps: PrinterWatchDeps) {
    this.name = `${subjectOf('printer', deps.apart)} of ${deps.terminal}`;
    this.#deps = deps;
  }

  description(): PrinterDescription | undefined {
    return this.#seen;
  }

  capabilities(): PrinterCapabilities | undefined {
    return this.#capabilities;
  }

  view(): PrinterView | undefined {
    return this.#view;
  }

  status(): object {
    return {
      state: this.#seen?.state ?? this.#stateUnseen(),
      needs: this.#view?.needs ?? null,
      ready: this.#seen?.ready ?? false,
      assumed: this.#seen?.isAssumed ?? false,
      remarks: this.#seen?.remarks ?? [],
      acceptingJobs: this.#seen?.acceptingJobs ?? null,
      certificate: this.#seen?.certificate ?? null,
      supplies: this.#seen?.supplies ?? [],
    };
  }

  /** For a printer that tells nothing of itself. */
  #stateUnseen(): string {
    const lamp = this.#view?.lamp;
    if (lamp === 'busy') return 'processing';
    return lamp === 'needs-attention' ? 'unusable' : 'unreachable';
  }

  look(): void {
    this.#wake.ring();
  }

  lost(): void {
    this.#show({ lamp: 'unreachable' });
    this.#wake.ring();
  }

  run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { clock, chance } = this.#deps;
    const untilNextLook = () => (this.#view?.lamp === 'ready' ? interval : shortInterval);
    const duty: Periodic = {
      attempt: (end) => this.#look(end),
      get interval() {
        return untilNextLook();
      },
      retry,
      wake: this.#wake,
      onFailure: (error) => this.#fail(asProblem(error, 'printer-unreachable', 'the printer did not answer')),
    };
    return runPeriodically(duty, { clock, chance }, signal, progress);
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { printer, clock, onState } = this.#deps;
    const now = await printer.describe({ signal: clock.deadline(lookLimit, signal) });
    this.#seen = now;
    this.#capabilities = now.capabilities;
    onState(now.ready ? 'ready' : 'not-ready');
    this.#show(printerViewOf(now));
    // D15: the spooler must not print a document a second time by itself.
    this.#judge('spooler', 'spooler-policy', now.queue && complaintAbout(now.queue));
    this.#judge('serial number', 'serial-number-wrong', aboutSerial(now, this.#deps.serialNumber));
    const expiry = now.certificate && complaintAboutExpiry(now.certificate, clock.now());
    this.#judge('certificate', 'printer-certificate-expiring', expiry);
    this.#judge('supplies', 'printer-supply-low', complaintAboutSupplies(now.supplies ?? []));
    const complaint = now.ready ? remarkOn(now) : now.unfit ? whyUnfit(now.unfit) : whyNotReady(now);
    this.#judge(
      'printer',
      now.unfit?.code ?? (now.ready ? 'printer-remark' : 'printer-not-ready'),
      complaint,
    );
  }

  #fail(problem: Problem): undefined {
    const { code } = problem;
    const { terminal, apart, conditions, onState } = this.#deps;
    const subject = subjectOf('printer', apart);
    this.#seen = undefined;
    onState('not-ready');
    this.#show(viewOfFailure(problem));
    // If it is not the default, people need not print there.
    const severity = apart === undefined ? 'error' : 'warning';
    conditions.raise({ code, severity, scope: terminal, subject, detail: problem.message });
  }

  #judge(about: string, code: ProblemCode, detail: string | undefined): void {
    const { terminal, apart, conditions } = this.#deps;
    const subject = subjectOf(about, apart);
    if (detail === undefined) conditions.clear(terminal, subject);
    else conditions.raise({ code, severity: 'warning', scope: terminal, subject, detail });
  }

  #show(next: PrinterView): void {
    if (isSamePrinterView(this.#view, next)) return;
    this.#view = next;
    this.#deps.onView();
  }
}

/** The printer tells another serial number than the configuration has. */
export function aboutSerial(
  { serialNumber: reported }: Pick<PrinterDescription, 'serialNumber'>,
  configured: string | undefined,
): string | undefined {
  if (reported === undefined || configured === undefined || isSameSerial(reported, configured))
    return undefined;
  return `the printer says that its serial number is ${printable(reported)}, and this terminal is configured with ${configured}`;
}

const whyUnfit = ({ message, advice }: Problem): string => `${message}. ${advice}`;

/** The part that it reports as empty, open or missing while it prints. */
function remarkOn({ remarks = [] }: PrinterDescription): string | undefined {
  const reason = foremostReason(remarks);
  return reason && `${reason.person} ${reason.advice} The printer still prints (${remarks.join(', ')})`;
}

/** In our own words, followed by the printer's words for a search. */
function whyNotReady({ acceptingJobs, state, stateReasons }: PrinterDescription): string {
  if (!acceptingJobs) return 'the printer does not accept jobs';
  const said = stateReasons.join(', ') || 'no reason given';
  const reason = foremostReason(stateReasons);
  return reason ? `${reason.person} ${reason.advice} (${said})` : `the printer is ${state}: ${said}`;
}
