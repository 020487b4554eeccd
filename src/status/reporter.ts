/**
 * The status loop of one terminal: its report about itself, sent to the cloud. It reports changes, and that the
 * terminal is alive. It is the least important part of the agent: no other part waits for it, and it accepts it when
 * the service refuses reports. Reporting follows src/cloud/README.md 12, row 30. A change counts as told only after
 * the service took it.
 */
import { isoInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { hours, longest, milliseconds, minutes, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { Periodic } from '../core/periodic.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { RetrySchedule } from '../core/retry-schedule.ts';
import type { Progress, Service } from '../core/service.ts';
import { printable } from '../core/text/printable.ts';
import type { Condition } from '../domain/condition.ts';
import type { Env } from '../domain/env.ts';
import type { PrinterDescription } from '../domain/ports/printer-description.ts';
import type { ReaderStatus } from '../domain/ports/readers.ts';
import type { TerminalReports } from '../domain/ports/service.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { asProblem, Problem } from '../domain/problem/problem.ts';
import type { Settling } from '../domain/settling.ts';
import { settled } from '../domain/settling.ts';
import type { DeployStage, TerminalInfo } from '../domain/terminal/terminal-info.ts';
import { deployStage, statusOf } from '../domain/terminal/terminal-info.ts';

/** Changes that come together are told together. A change is told after a second without another one, or after five. */
const quiet = seconds(1);
const longestUnquiet = seconds(5);
const callLimit = seconds(30);
const retry: RetrySchedule = { first: seconds(5), factor: 2, longest: minutes(5) };
const afterRefusal = hours(1);

/** The service does not want the report, now or the next time: 401, 403, 404, 405, 501. */
const refusals = new Set<ProblemCode>([
  'cloud-denied',
  'cloud-not-found',
  'cloud-feature-off',
  'device-token-refused',
]);
/** Another part raises and reports these conditions. The loop only waits for their end. */
const notYet = new Set<ProblemCode>(['terminal-not-authorized', 'output-port-unknown']);

export interface StatusReporter extends Service {
  /** A reported fact may have changed. The call is cheap, and changes within a second of each other make one report. */
  changed(): void;
  /** The service was away and is back. Untold changes are told now, not after up to five minutes (I7). */
  retryNow(): void;
}

interface StatusReporterDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly terminal: string;
  /** Read anew at each call. A change of it counts as news. */
  interval(): Duration;
  readonly reports: TerminalReports;
  /** The content of a report at this moment. */
  compose(): TerminalInfo;
  /** `undefined` while the output port in the configured path is not known yet, or if another gateway reports. */
  target(): Parameters<TerminalReports['report']>[1] | undefined;
  /** Absent if no other gateway starts together with this one. */
  readonly settling?: Settling;
}

/** The events that end the wait for the next report early: news, any change, or only time. */
type Rest = 'busy' | 'told' | 'not-yet' | 'failed';

export const createStatusReporter = (deps: StatusReporterDeps): StatusReporter => new Reporter(deps);

class Reporter implements StatusReporter {
  readonly name: string;
  readonly #deps: StatusReporterDeps;
  readonly #log: Log;
  readonly #wake = new Wake();
  #latest: string;
  /** Counts the news. A report covers the generation with which it began, so later news is told next. */
  #generation = 1;
  #attempted = 0;
  /** In monotonic milliseconds: the first and the last news that no report has told yet. */
  #news: { readonly first: number; readonly last: number } | undefined;
  #complaint: ProblemCode | undefined;
  /** The service named the time itself (B.3), or does not want the report. */
  #mustWait = false;
  #rest: Rest = 'busy';

  constructor(deps: StatusReporterDeps) {
    this.name = `status ${deps.terminal}`;
    this.#deps = deps;
    this.#log = deps.log.with({ terminal: deps.terminal });
    this.#latest = this.#present();
  }

  changed(): void {
    const content = this.#present();
    const isNews = content !== this.#latest;
    this.#latest = content;
    // The missing fact may be there now, and more may follow within the second.
    if (isNews || this.#rest === 'not-yet') this.#noteNews();
    if (this.#rest === 'not-yet' || (this.#rest === 'told' && isNews)) this.#wake.ring();
  }

  retryNow(): void {
    if (this.#rest === 'not-yet' || (this.#rest === 'failed' && !this.#mustWait)) this.#wake.ring();
  }

  run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const options = this.#deps;
    const { settling = settled } = options;
    const turn = settling.turn(options.interval());
    this.#noteNews();
    const duty: Periodic = {
      attempt: (end) => this.#attempt(end),
      untilTurn: () => turn.left(),
      get interval() {
        return options.interval();
      },
      retry,
      onFailure: (error, planned) => this.#waitAfter(error, planned),
      wake: this.#wake,
    };
    return runPeriodically(duty, options, signal, progress);
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const { terminal, clock, reports, target: targetNow, compose } = this.#deps;
    this.#rest = 'busy';
    await this.#untilQuiet(signal);
    this.#news = undefined;
    this.#attempted = this.#generation;
    const target = targetNow();
    if (!target) throw new Problem('output-port-unknown', `the output port of ${terminal} is not known yet`);
    await reports.report(compose(), target, { signal: clock.deadline(callLimit, signal) });
    this.#complaint = undefined;
    this.#log.info('status reported');
    this.#restUntilNews('told');
  }

  #noteNews(): void {
    const now = this.#deps.clock.monotonic();
    this.#generation += 1;
    this.#news = { first: this.#news?.first ?? now, last: now };
  }

  async #untilQuiet(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    while (this.#news) {
      const { first, last } = this.#news;
      const early = Math.min(last + quiet, first + longestUnquiet) - clock.monotonic();
      if (early <= 0) return;
      await clock.sleep(milliseconds(early), { signal });
    }
  }

  #waitAfter(error: unknown, planned: Duration): Duration {
    const problem = asProblem(error, 'cloud-unreachable', 'the status could not be reported');
    const { code } = problem;
    if (notYet.has(code)) {
      this.#restUntilNews('not-yet');
    } else {
      // A change must not end this wait, or a flapping printer would disturb the schedule.
      this.#rest = 'failed';
      if (code !== this.#complaint) this.#log.warn('status not reported', { error: problem });
      this.#complaint = code;
      this.#mustWait = refusals.has(code) || problem.retryAfter !== undefined;
    }
    const least = refusals.has(code) ? afterRefusal : planned;
    return longest(least, problem.retryAfter ?? least);
  }

  #restUntilNews(next: 'told' | 'not-yet'): void {
    this.#rest = next;
    if (this.#attempted !== this.#generation) this.#wake.ring();
  }

  #present(): string {
    return `${this.#deps.interval()} ${contentOf(this.#deps.compose())}`;
  }
}

/** The report without its dates. A change of dates alone is no news. */
function contentOf({ deployStatus, terminalStatus }: TerminalInfo): string {
  return JSON.stringify([
    { ...deployStatus, lastDate: '' },
    { ...terminalStatus, modifiedDate: '' },
  ]);
}

/** The present facts of the terminal. */
interface TerminalSight {
  readonly version: string;
  /** The conditions that concern the terminal, most serious first. */
  readonly conditions: readonly Condition[];
  /** Wall time of the last change of the conditions. */
  readonly changedAt: number;
  readonly readers: readonly ReaderStatus[];
  /** The printer's last answer, if it has given one. */
  readonly printer: PrinterDescription | undefined;
}

/** Enrollment shows in the deploy stage. Every other code leaves the terminal configured. */
const stages: Partial<Record<ProblemCode, DeployStage>> = {
  'terminal-not-authorized': deployStage.configuring,
  'output-port-unknown': deployStage.configuring,
  'registration-refused': deployStage.failed,
  'registration-faulty': deployStage.failed,
  'api-key-refused': deployStage.failed,
  'device-key-refused': deployStage.failed,
  'trust-withdrawn': deployStage.failed,
};

/** Composes `terminalInfo` of OutputPortInfo. */
export function composeTerminalInfo(sight: TerminalSight): TerminalInfo {
  const { conditions, printer } = sight;
  const changedAt = isoInstant(sight.changedAt);
  return {
    deployStatus: { ...deployment(conditions), lastDate: changedAt },
    terminalStatus: {
      terminalVersion: sight.version,
      installationSource: 1,
      cardReaderData: printable(sight.readers.map(readerText).join('; ')),
      modelName: printable(printer?.makeAndModel ?? ''),
      additionalModelInfo: printable(printer ? abilitiesOf(printer) : ''),
      firmwareVersion: printable(printer?.firmware ?? ''),
      status: statusOf(conditions),
      statusMessage: printable(conditions.map(({ detail }) => detail).join('; ')),
      errorData: printable(conditions.map(({ code, subject }) => `${code} ${subject}`).join('; ')),
      modifiedDate: changedAt,
    },
  };
}

/** `/dev/ttyUSB0 (serial): up, 12 frames, 0 garbage, 1 reconnects`; the spec leaves the text to the terminal. */
const readerText = ({ name, kind, state, frames, garbage, reconnects }: ReaderStatus): string =>
  `${name} (${kind}): ${state}, ${frames} frames, ${garbage} garbage, ${reconnects} reconnects`;

const abilitiesOf = ({ formats, mediaReady }: PrinterDescription): string =>
  [...formats, ...mediaReady].join(', ');

const stageOf = ({ code }: Condition): DeployStage => stages[code] ?? deployStage.configured;

function deployment(conditions: readonly Condition[]): { stage: DeployStage; message: string } {
  const hindrance =
    conditions.find((one) => stageOf(one) === deployStage.failed) ??
    conditions.find((one) => stageOf(one) === deployStage.configuring);
  if (!hindrance) return { stage: deployStage.configured, message: '' };
  return { stage: stageOf(hindrance), message: printable(hindrance.detail) };
}
