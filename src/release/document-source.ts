/**
 * The source of a document that already flows to the printer: its download, and how a broken download goes on. The
 * limits are those of a download from zero (INVARIANTS.md B.4, 5 Download), but nothing starts over.
 */
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import type { DocumentSource } from '../domain/ports/printing.ts';
import type { Documents } from '../domain/ports/service.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { Ticket } from '../domain/release.ts';
import { asReleaseProblem } from './problems.ts';

/** The first try counts as a try. Restarts come on top of the tries. */
export const downloadLimits = { tries: 3, restarts: 2 } as const;
/** For all tries of one download together. */
export const downloadPatience = seconds(60);
export const downloadWaits = { first: seconds(1), factor: 3, longest: seconds(10) };

/** The service or the way to it was at fault, and the service asks for no longer wait than a person accepts. */
export const mayPass = (error: unknown): boolean =>
  isProblem(error, 'cloud-busy', 'cloud-unreachable', 'cloud-protocol') &&
  (error.retryAfter ?? 0) < downloadPatience;

export interface DocumentSourceDeps {
  readonly documents: Documents;
  readonly ticket: Ticket;
  readonly clock: Clock;
  /** Called before each further request. */
  onResume(problem: Problem): void;
}

export function documentSource({ documents, ticket, clock, onResume }: DocumentSourceDeps): DocumentSource {
  const { document, token } = ticket;
  let validator: string | undefined;
  let triesLeft = downloadLimits.tries - 1;
  let restartsLeft: number = downloadLimits.restarts;

  /** How long to wait before the download goes on; `undefined` if it does not go on. */
  function pauseAfter(problem: Problem): Duration | undefined {
    if (problem.code === 'document-cut') {
      restartsLeft -= 1;
      return restartsLeft < 0 ? undefined : milliseconds(0);
    }
    triesLeft -= 1;
    if (!mayPass(problem) || triesLeft < 0) return undefined;
    return problem.retryAfter ?? waitBefore(downloadLimits.tries - 1 - triesLeft, downloadWaits);
  }

  return {
    async begin(options) {
      const download = await documents.download(document.uuid, token, options);
      ({ validator } = download);
      return download;
    },

    async resume({ received, problem }, { signal }) {
      const end = clock.monotonic() + downloadPatience;
      for (let fault = problem; ; ) {
        const pause = pauseAfter(fault);
        if (pause === undefined || clock.monotonic() + pause > end) throw fault;
        if (pause > 0) await clock.sleep(pause, { signal });
        onResume(fault);
        try {
          const rest = validator === undefined ? undefined : { from: received, validator };
          return await documents.download(document.uuid, token, { signal, rest });
        } catch (error) {
          signal.throwIfAborted();
          fault = asReleaseProblem(error);
        }
      }
    },
  };
}
