/** Follows a job to its end, or cancels it. `job-looks.ts` remembers what is seen of it. */
import type { Clock } from '../../../core/clock.ts';
import type { Log } from '../../../core/log.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { PrinterJob } from '../../../domain/ports/printing.ts';
import { asProblem } from '../../../domain/problem/problem.ts';
import type { JobReport } from '../../../domain/release.ts';
import { hasEnded } from '../../../domain/release.ts';
import type { IppClient } from '../wire/ipp-client.ts';
import type { FollowerDeps, WatchOptions } from './job-follower.ts';
import { JobFollower } from './job-follower.ts';
import type { JobLooks, Look } from './job-looks.ts';
import { isKnownAs } from './job-marks.ts';
import type { JobSight } from './job-sight.ts';
import { pollsUntil } from '../wire/polls.ts';
import { queueLook } from './queue-look.ts';
import { settlingLimit } from './standing-signs.ts';
import { agreed } from '../wire/refusal.ts';
import { cancelLimit } from '../../timings.ts';

export interface JobWatch {
  /**
   * Resolves with the end state, or with the last report of a printer that lost sight of the job. Rejects with
   * `printer-stalled` after `jobStallSeconds`, and with `printer-unreachable` after 10 minutes without an answer.
   * Rejects with `outcome-unknown` if the printer does not know the job or shows another job.
   */
  follow(job: PrinterJob, options: WatchOptions): Promise<JobReport>;
  /** The end state, reached within 15 s; `undefined` if the printer cannot tell, or the job is not known to be ours. */
  cancel(job: PrinterJob, options: CallOptions): Promise<JobReport | undefined>;
}

type WatchDeps = {
  readonly client: IppClient;
  readonly looks: JobLooks;
  readonly clock: Clock;
  readonly log: Log;
} & Pick<FollowerDeps, 'stall' | 'lookAtPrinter' | 'namedAtRest' | 'onContact'>;

export const jobWatch = (deps: WatchDeps): JobWatch => new PrinterWatch(deps);

class PrinterWatch implements JobWatch {
  readonly #deps: WatchDeps;
  readonly #following: FollowerDeps;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
    this.#following = {
      ...deps,
      lookAtQueue: queueLook(deps.client),
      stopAnother: async (job, call) => void (await this.cancel(job, call)),
    };
  }

  follow(job: PrinterJob, options: WatchOptions): Promise<JobReport> {
    return new JobFollower(this.#following, job, options).follow();
  }

  async cancel(job: PrinterJob, { signal }: CallOptions): Promise<JobReport | undefined> {
    const { looks, clock, log } = this.#deps;
    const limited = { signal: clock.deadline(cancelLimit, signal) };
    let isAsked = false;
    let last: JobReport | undefined;
    let endedAt: number | undefined;
    for await (const _ of pollsUntil(limited.signal, clock)) {
      try {
        const look = await looks.look(job, limited);
        if (look.kind === 'not-found' || look.kind === 'not-ours') return undefined;
        if (look.kind === 'seen') {
          last = look.sight.report;
          if (hasEnded(last)) {
            endedAt ??= clock.monotonic();
            if (clock.monotonic() - endedAt > settlingLimit(last)) return last;
          }
        }
        if (!(await this.#mayAsk(job, look, limited))) return undefined;
        if (!isAsked) agreed(await this.#deps.client.ask(cancelRequest(job), limited));
        isAsked = true;
        if (look.kind === 'refused') return undefined;
      } catch (error) {
        const problem = asProblem(error, 'printer-unreachable', 'the job could not be cancelled');
        log.debug('job not cancelled yet', { jobId: job.jobId, error: problem });
      }
    }
    signal.throwIfAborted();
    return last && hasEnded(last) ? last : undefined;
  }

  #mayAsk(job: PrinterJob, look: Look, call: CallOptions): Promise<boolean> | boolean {
    return look.kind === 'seen' ? this.#isStillOurs(job, look.sight, call) : this.#isSurelyOurs(job);
  }

  /** If a job shows no marks, the printer is asked for its up-time. */
  async #isStillOurs(job: PrinterJob, { shown }: JobSight, call: CallOptions): Promise<boolean> {
    const { marked } = this.#deps.looks.recordOf(job);
    if (isKnownAs(shown, job) || shown.upTime !== undefined) return true;
    const { upTime } = await this.#deps.lookAtPrinter(call);
    return marked.isSameLife(upTime) === true;
  }

  /** The printer has made it and has answered ever since. */
  #isSurelyOurs(job: PrinterJob): boolean {
    return this.#deps.looks.recordOf(job).marked.isSameLife(undefined) === true;
  }
}

const cancelRequest = (job: PrinterJob) =>
  ({ operation: 'Cancel-Job', jobId: job.jobId, userName: job.marks?.userName }) as const;
