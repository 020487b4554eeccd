/**
 * The status loop of one terminal: tells the cloud what has changed, and that the terminal lives. It is the least
 * important thing the agent does: it holds up nobody, and a service that refuses the report is left alone.
 * Reporting follows api-supplement.md 12, row 30; a change counts as told only after the service took it.
 */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { hours, longest, milliseconds, minutes, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { RetrySchedule } from '../core/retry-schedule.ts';
import type { Service } from '../core/service.ts';
import type { TerminalReports } from '../domain/ports/service.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { asProblem, Problem } from '../domain/problem/problem.ts';
import type { TerminalInfo } from '../domain/terminal/terminal-info.ts';

const apart = seconds(1);
const callLimit = seconds(30);
const retry: RetrySchedule = { first: seconds(5), factor: 2, longest: minutes(5) };
const afterRefusal = hours(1);

/** The service does not want the report, now and the next time: 401, 403, 404, 405, 501. */
const refusals = new Set<ProblemCode>([
  'cloud-denied',
  'cloud-not-found',
  'cloud-feature-off',
  'device-token-refused',
]);
/** Whoever raised the condition tells of it; here it is only waited for. */
const notYet = new Set<ProblemCode>(['terminal-not-authorized', 'output-port-unknown']);

export interface StatusReporter extends Service {
  /** Something that is reported may have changed. Cheap; several calls within a second make one report. */
  changed(): void;
  /** The service was away and is back: what could not be told is told now, not after up to five minutes (I7). */
  retryNow(): void;
}

export interface StatusReporterOptions {
  readonly terminal: string;
  /** Of this moment; another one is news. */
  interval(): Duration;
  readonly reports: TerminalReports;
  /** What is to be reported at the moment. */
  compose(): TerminalInfo;
  /** `undefined` while the output port that the configured path needs is not known yet. */
  target(): Parameters<TerminalReports['report']>[1] | undefined;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

/** What ends the wait for the next report early: news, any change, or nothing but time. */
type Rest = 'busy' | 'told' | 'not-yet' | 'failed';

export function createStatusReporter(options: StatusReporterOptions): StatusReporter {
  const { terminal, clock } = options;
  const log = options.log.with({ terminal });
  const wake = new Wake();
  const present = () => `${options.interval()} ${contentOf(options.compose())}`;
  let latest = present();
  /** Counts the news; a report tells the generation it was begun with, so what came meanwhile is told next. */
  let generation = 1;
  let attempted = 0;
  let lastAttempt = Number.NEGATIVE_INFINITY;
  let complaint: ProblemCode | undefined;
  /** The service named the time itself (B.3), or does not want the report. */
  let mustWait = false;
  let rest: Rest = 'busy';

  const restUntilNews = (next: 'told' | 'not-yet'): void => {
    rest = next;
    if (attempted !== generation) wake.ring();
  };

  async function attempt(signal: AbortSignal): Promise<void> {
    rest = 'busy';
    const early = lastAttempt + apart - clock.monotonic();
    if (early > 0) await clock.sleep(milliseconds(early), { signal });
    lastAttempt = clock.monotonic();
    attempted = generation;
    const target = options.target();
    if (!target) throw new Problem('output-port-unknown', `the output port of ${terminal} is not known yet`);
    await options.reports.report(options.compose(), target, { signal: clock.deadline(callLimit, signal) });
    complaint = undefined;
    log.info('status reported');
    restUntilNews('told');
  }

  function onFailure(error: unknown, planned: Duration): Duration {
    const problem = asProblem(error, 'cloud-unreachable', 'the status could not be reported');
    const { code } = problem;
    if (notYet.has(code)) {
      restUntilNews('not-yet');
    } else {
      // No change may end this wait, or a flapping printer would undo the schedule.
      rest = 'failed';
      if (code !== complaint) log.warn('status not reported', { error: problem });
      complaint = code;
      mustWait = refusals.has(code) || problem.retryAfter !== undefined;
    }
    const least = refusals.has(code) ? afterRefusal : planned;
    const wait = longest(least, problem.retryAfter ?? least);
    return wait;
  }

  return {
    name: `status ${terminal}`,
    changed() {
      const content = present();
      const isNews = content !== latest;
      latest = content;
      if (isNews) generation += 1;
      if (rest === 'not-yet' || (rest === 'told' && isNews)) wake.ring();
    },
    retryNow() {
      if (rest === 'not-yet' || (rest === 'failed' && !mustWait)) wake.ring();
    },
    run: (signal, progress) =>
      runPeriodically(
        {
          ...{ attempt, retry, onFailure, wake },
          get interval() {
            return options.interval();
          },
        },
        options,
        signal,
        progress,
      ),
  };
}

/** The report without its dates, which alone are no news. */
function contentOf({ deployStatus, terminalStatus }: TerminalInfo): string {
  return JSON.stringify([
    { ...deployStatus, lastDate: '' },
    { ...terminalStatus, modifiedDate: '' },
  ]);
}
