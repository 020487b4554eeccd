/**
 * Looks at one printer now and then, so that a printer that is off, jammed or empty is known before somebody stands
 * in front of it. It only looks: whether a document may go out is decided anew at each release.
 */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { minutes, seconds } from '../core/duration.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { Service } from '../core/service.ts';
import { complaintAboutExpiry } from '../domain/certificate-expiry.ts';
import type { Conditions } from '../domain/condition.ts';
import type { PrinterCertificate } from '../domain/ports/printer-memory.ts';
import type {
  PrinterCapabilities,
  PrinterDescription,
  QueueDescription,
} from '../domain/ports/printer-description.ts';
import type { Printer } from '../domain/ports/printing.ts';
import { foremostReason } from '../domain/printer/printer-reasons.ts';
import { isSamePrinterView, printerViewOf } from '../domain/printer/printer-view.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { asProblem } from '../domain/problem/problem.ts';
import { complaintAbout } from '../domain/printer/spooler-queue.ts';
import type { PrinterView } from '../domain/terminal/terminal-view.ts';

const interval = minutes(1);
/** Somebody may be at it: a printer that was mended, or has done its work, is shown soon. */
const shortInterval = seconds(10);
const retry = { first: seconds(5), factor: 2, longest: minutes(1) };
/** Above the printer's own limit: one that sleeps is given the time to wake up. */
const lookLimit = seconds(50);
const subject = 'printer';
const policySubject = 'spooler';
const certificateSubject = 'certificate';

export interface PrinterWatch extends Service {
  /** The last answer; `undefined` before the first, and while the printer does not answer. */
  description(): PrinterDescription | undefined;
  /** Also while it does not answer: what it said the last time. */
  capabilities(): PrinterCapabilities | undefined;
  /** What of it is shown; `undefined` before the first look is over. */
  view(): PrinterView | undefined;
  /** For `/status`. */
  status(): object;
  /** Looks soon: somebody has just met a fault. */
  look(): void;
  /** It has a document, and is heard no more; until the next look says otherwise. */
  lost(): void;
}

export function createPrinterWatch(options: {
  readonly terminal: string;
  readonly printer: Pick<Printer, 'describe'>;
  readonly conditions: Conditions;
  onState(state: 'ready' | 'not-ready'): void;
  /** `view` is another. */
  onView(): void;
  readonly clock: Clock;
  readonly chance: Chance;
}): PrinterWatch {
  const { terminal, printer, conditions, clock, chance } = options;
  const wake = new Wake();
  let seen: PrinterDescription | undefined;
  let capabilities: PrinterCapabilities | undefined;
  let view: PrinterView | undefined;

  function show(next: PrinterView): void {
    if (isSamePrinterView(view, next)) return;
    view = next;
    options.onView();
  }

  async function ask(signal: AbortSignal): Promise<void> {
    const now = await printer.describe({ signal: clock.deadline(lookLimit, signal) });
    seen = now;
    ({ capabilities } = now);
    options.onState(now.ready ? 'ready' : 'not-ready');
    show(printerViewOf(now));
    judgePolicy(now.queue);
    judgeCertificate(now.certificate);
    if (now.ready) conditions.clear(terminal, subject);
    else {
      const code = now.unfit?.code ?? 'printer-not-ready';
      const detail = now.unfit ? whyUnfit(now.unfit) : whyNotReady(now);
      conditions.raise({ code, severity: 'warning', scope: terminal, subject, detail });
    }
  }

  /** D15: nothing of the spooler's own may print a document a second time. */
  function judgePolicy(queue: QueueDescription | undefined): void {
    const detail = queue && complaintAbout(queue);
    if (detail === undefined) conditions.clear(terminal, policySubject);
    else {
      conditions.raise({
        code: 'spooler-policy',
        severity: 'warning',
        scope: terminal,
        subject: policySubject,
        detail,
      });
    }
  }

  function judgeCertificate(certificate: PrinterCertificate | undefined): void {
    const detail = certificate && complaintAboutExpiry(certificate, clock.now());
    if (detail === undefined) conditions.clear(terminal, certificateSubject);
    else {
      conditions.raise({
        code: 'printer-certificate-expiring',
        severity: 'warning',
        scope: terminal,
        subject: certificateSubject,
        detail,
      });
    }
  }

  return {
    name: `printer of ${terminal}`,
    description: () => seen,
    capabilities: () => capabilities,
    view: () => view,
    status: () => ({
      state: seen?.state ?? 'unreachable',
      needs: view?.needs ?? null,
      ready: seen?.ready ?? false,
      acceptingJobs: seen?.acceptingJobs ?? null,
      certificate: seen?.certificate ?? null,
    }),
    look: () => wake.ring(),
    lost() {
      show({ lamp: 'unreachable' });
      wake.ring();
    },
    run: (signal, progress) =>
      runPeriodically(
        {
          attempt: ask,
          get interval() {
            return view?.lamp === 'ready' ? interval : shortInterval;
          },
          retry,
          wake,
          onFailure: (error) => {
            seen = undefined;
            const problem = asProblem(error, 'printer-unreachable', 'the printer did not answer');
            options.onState('not-ready');
            show({ lamp: 'unreachable' });
            const { code, message: detail } = problem;
            conditions.raise({ code, severity: 'error', scope: terminal, subject, detail });
            return undefined;
          },
        },
        { clock, chance },
        signal,
        progress,
      ),
  };
}

const whyUnfit = ({ message, advice }: Problem): string => `${message}. ${advice}`;

/** In our own words, and the printer's for those who look them up. */
function whyNotReady({ acceptingJobs, state, stateReasons }: PrinterDescription): string {
  if (!acceptingJobs) return 'the printer accepts no jobs';
  const said = stateReasons.join(', ') || 'no reason given';
  const reason = foremostReason(stateReasons);
  return reason ? `${reason.person} ${reason.advice} (${said})` : `the printer is ${state}: ${said}`;
}
