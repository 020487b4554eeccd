/**
 * Looks at one printer now and then, so that a printer that is off, jammed or empty is known before somebody stands
 * in front of it. It only looks: whether a document may go out is decided anew at each release.
 */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, minutes, seconds } from '../core/duration.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { Service } from '../core/service.ts';
import type { Conditions } from '../domain/condition.ts';
import type { Printer, PrinterDescription, QueueDescription } from '../domain/ports/printing.ts';
import { asProblem } from '../domain/problem.ts';
import { complaintAbout } from '../domain/spooler-queue.ts';

const interval = minutes(1);
const retry = { first: seconds(5), factor: 2, longest: minutes(1) };
const lookLimit = seconds(15);
const grace = seconds(60);
const subject = 'printer';
const policySubject = 'spooler';

export interface PrinterWatch extends Service {
  /** The last answer; `undefined` before the first, and while the printer does not answer. */
  description(): PrinterDescription | undefined;
  /** Looks soon: somebody has just met a fault. */
  look(): void;
}

export function createPrinterWatch(options: {
  readonly terminal: string;
  readonly printer: Pick<Printer, 'describe'>;
  readonly conditions: Conditions;
  onState(state: 'ready' | 'not-ready'): void;
  /** The promise to make progress again within the span, for the health page. */
  progress(within: Duration): void;
  readonly clock: Clock;
  readonly chance: Chance;
}): PrinterWatch {
  const { terminal, printer, conditions, clock, chance } = options;
  const wake = new Wake();
  let seen: PrinterDescription | undefined;

  async function ask(signal: AbortSignal): Promise<void> {
    options.progress(milliseconds(interval + lookLimit + grace));
    const now = await printer.describe({ signal: clock.deadline(lookLimit, signal) });
    seen = now;
    options.onState(now.ready ? 'ready' : 'not-ready');
    judgePolicy(now.queue);
    if (now.ready) conditions.clear(terminal, subject);
    else {
      const why = now.acceptingJobs ? now.stateReasons.join(', ') || 'no reason given' : 'accepts no jobs';
      const detail = `the printer is ${now.state}: ${why}`;
      conditions.raise({ code: 'printer-not-ready', severity: 'warning', scope: terminal, subject, detail });
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

  return {
    name: `printer of ${terminal}`,
    description: () => seen,
    look: () => wake.ring(),
    run: (signal) =>
      runPeriodically(
        {
          attempt: ask,
          interval,
          retry,
          wake,
          onFailure: (error) => {
            seen = undefined;
            const problem = asProblem(error, 'printer-unreachable', 'the printer did not answer');
            options.onState('not-ready');
            const { code, message: detail } = problem;
            conditions.raise({ code, severity: 'error', scope: terminal, subject, detail });
            return undefined;
          },
        },
        { clock, chance },
        signal,
      ),
  };
}
