/**
 * Step 3 of a release: the document comes into the spool, as a whole, or enough of it that the rest can flow. If a
 * download breaks, it starts over; a document that already flows goes on where it broke. The limits are the same
 * (INVARIANTS.md B.4, 5 Download). The document stays in the cloud (D6, D7).
 */
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import type { DocumentSource, SpooledDocument } from '../domain/ports/printing.ts';
import type { Documents } from '../domain/ports/service.ts';
import type { Problem } from '../domain/problem/problem.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { Ticket } from '../domain/release.ts';
import type { Learned, Known } from './context.ts';
import { asReleaseProblem, faultFacts } from './problems.ts';
import type { Step } from './step.ts';
import { hearing, now, tellStage, ticketOf } from './step.ts';

/** The first try counts as a try. Restarts come on top of the tries. */
const limits = { tries: 3, restarts: 2 } as const;
/** For all tries of one download together. */
const patience = seconds(60);
const waits = { first: seconds(1), factor: 3, longest: seconds(10) };

/** The service or the way to it was at fault, and the service asks for no longer wait than a person accepts. */
const mayPass = (problem: Problem): boolean =>
  isProblem(problem, 'cloud-busy', 'cloud-unreachable', 'cloud-protocol') &&
  (problem.retryAfter ?? 0) < patience;

/** The returned function says, at each fault, how long to wait before the next try; `undefined` if there is none. */
function countTries(): (problem: Problem) => Duration | undefined {
  let tries = 1;
  let restarts = 0;
  return (problem) => {
    if (problem.code === 'document-cut') {
      restarts += 1;
      return restarts > limits.restarts ? undefined : milliseconds(0);
    }
    if (!mayPass(problem) || tries === limits.tries) return undefined;
    tries += 1;
    return problem.retryAfter ?? waitBefore(tries - 1, waits);
  };
}

/** The service gets a pause before it is asked again. When the patience is over, no further try begins. */
export async function fetchDocument(known: Known, signal: AbortSignal): Promise<Learned> {
  const { terminal, releaseId, log, world } = known;
  const end = now(known) + patience;
  const pauseAfter = countTries();
  for (;;) {
    try {
      return await download(known, signal);
    } catch (error) {
      signal.throwIfAborted();
      const problem = asReleaseProblem(error);
      const pause = pauseAfter(problem);
      if (pause === undefined || (pause > 0 && now(known) >= end)) throw problem;
      log.debug('download repeated', { terminal, releaseId, ...faultFacts(problem) });
      if (pause === 0) continue;
      await world.clock.sleep(milliseconds(Math.min(pause, end - now(known))), { signal });
      if (now(known) >= end) throw problem;
    }
  }
}

const download: Step = async (known, signal) => {
  const since = now(known);
  const document = await receive(known, signal);
  if (signal.aborted) document[Symbol.dispose]();
  signal.throwIfAborted();
  let unrecorded: SpooledDocument | undefined;
  try {
    unrecorded = recordFetched({ ...known, unrecorded: document });
  } catch (error) {
    document[Symbol.dispose]();
    throw error;
  }
  // The stage ends with the last byte. A document that never becomes complete has no stage in the metrics.
  known.trace
    .measured('download', () => document.whole(new AbortController()), since)
    .then(
      () => tellStage('download', known, since),
      () => undefined,
    );
  return { document, unrecorded };
};

async function receive(known: Known, signal: AbortSignal): Promise<SpooledDocument> {
  const { terminal, releaseId, log, world } = known;
  const { documents, clock, spool } = world;
  const onResume = ({ code }: Problem) => log.info('download resumed', { terminal, releaseId, code });
  const source = documentSource({ documents, ticket: ticketOf(known), clock, onResume });
  const { onProgress } = hearing(known);
  return world.cutThrough === 'auto' && world.printer().kind === 'jobs'
    ? spool.receive(source, { signal, onProgress })
    : spool.store(await source.begin({ signal }), { signal, onProgress });
}

/**
 * Records length and digest once, when the document is complete. Returns the document if it is still to be recorded.
 */
export function recordFetched({ world, releaseId, unrecorded }: Known): SpooledDocument | undefined {
  const facts = factsOf(unrecorded);
  if (facts === undefined) return unrecorded;
  world.ledger.fetched(releaseId, facts);
  return undefined;
}

/** `undefined` while the document is not complete. */
export function factsOf(
  document: SpooledDocument | undefined,
): { length: number; digest: string } | undefined {
  const digest = document?.digest();
  return document && digest ? { length: document.length, digest } : undefined;
}

export interface DocumentSourceDeps {
  readonly documents: Documents;
  readonly ticket: Ticket;
  readonly clock: Clock;
  /** Called before each further request. */
  onResume(problem: Problem): void;
}

/** The source of a document that already flows to the printer. Nothing of it starts over. */
export function documentSource({ documents, ticket, clock, onResume }: DocumentSourceDeps): DocumentSource {
  const { document, token } = ticket;
  const pauseAfter = countTries();
  let validator: string | undefined;

  return {
    async begin(options) {
      const begun = await documents.download(document.uuid, token, options);
      ({ validator } = begun);
      return begun;
    },

    async resume({ received, problem }, { signal }) {
      const end = clock.monotonic() + patience;
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

/** A document whose download stops gets no intent, and so is not printed (I1). This holds during every wait. */
export async function besideItsDownload(known: Known, signal: AbortSignal, wait: Step): Promise<Learned> {
  const { document } = known;
  if (document === undefined || factsOf(document)) return wait(known, signal);
  const over = new AbortController();
  const options = { signal: AbortSignal.any([signal, over.signal]) };
  try {
    const waited = wait(known, options.signal);
    return await Promise.race([waited, document.whole(options).then(() => waited)]);
  } finally {
    over.abort();
  }
}
