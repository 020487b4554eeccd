/**
 * Steps 1 to 4 of a release, from the plan to the claim, as one function: everything that can be settled before the
 * intent. The release may be given up or may fail at any moment here. Nothing has come out then, and the document still
 * waits in the cloud. This file does not touch the intent and the steps after it (INVARIANTS.md D1, I1).
 */
import { isoWithOffset } from '../core/clock.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import { isBeyondLimits } from '../domain/document.ts';
import { historyOf } from '../domain/history.ts';
import type { SpooledDocument } from '../domain/ports/printing.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import { jobName } from '../domain/release.ts';
import { knownTimeNow } from '../domain/service-time.ts';
import { claim } from './claim-steps.ts';
import type { Learned, Known } from './context.ts';
import { isPrintedHere } from './context.ts';
import {
  documentSource,
  downloadLimits,
  downloadPatience,
  downloadWaits,
  mayPass,
} from './document-source.ts';
import { faultDuring } from './faults.ts';
import { asReleaseProblem, faultFacts } from './problems.ts';
import type { Step } from './step.ts';
import { Course, documentOf, hearing, measured, now, tellStage, ticketOf } from './step.ts';

/** A document that the service refused to deliver already has its plan and its balance. It begins at its download. */
export const getReady: Step = async (begun, signal) => {
  const it = new Course(begun, signal);
  const { telling } = begun;
  const recorded = (learned: Learned) => {
    it.learn(learned);
    begun.say({ type: 'RECORDED', learned });
  };
  // A stop may come during a call that never ends.
  signal.addEventListener('abort', () => it.known.document?.[Symbol.dispose]());
  try {
    if (begun.history === undefined) recorded(recordPlan(begun));
    if (begun.deliveredBy === 'service') recorded(recordRefusal(begun));
    if (begun.cleared === undefined) it.learn(await checkBalance(it.known, signal));
    if (isPrintedHere(it.known)) {
      telling.stage('downloading');
      it.learn(await fetchDocument(it.known, signal));
    }
    telling.stage('waiting');
    it.learn(await besideItsDownload(it.known, signal, takeTurn));
    if (isBalanceStale(it.known)) it.learn(await checkBalance(it.known, signal));
    if (isPrintedHere(it.known)) {
      it.learn(await besideItsDownload(it.known, signal, prepare));
      if (it.known.plan?.conversion !== undefined) {
        telling.stage('converting');
        const original = documentOf(it.known);
        it.learn(await convert(it.known, signal));
        original[Symbol.dispose]();
      }
      if (isBalanceOld(it.known)) it.learn(await checkBalance(it.known, signal));
    }
    it.learn(await besideItsDownload(it.known, signal, lookAgain));
    it.learn(await claim(it.known, signal));
    return it.learned;
  } catch (error) {
    return { ...it.learned, ...faultDuring('gettingReady', it.known, error) };
  }
};

/* 1 · The ledger learns of it. If it cannot write, nothing is printed (D8). */

function recordPlan(known: Known): Learned {
  const ticket = ticketOf(known);
  const { document, user, monochrome, releaseId } = ticket;
  const { ledger, clock, portKey, serviceTime, delivery } = known.world;
  if (isBeyondLimits(document)) {
    throw new Problem('document-beyond-limits', 'more copies or pages than one release may have');
  }
  if (ticket.picked && delivery !== 'local') {
    throw new Problem('document-not-printable', 'the service prints whole documents only');
  }
  const dateTime = isoWithOffset(knownTimeNow(clock, serviceTime));
  const history = historyOf({ document, user, monochrome, port: portKey(), dateTime });
  ledger.plan({
    ticket,
    jobName: jobName(document.name, releaseId),
    ...(ticket.again === undefined ? {} : { again: ticket.again }),
    history,
  });
  return { history };
}

/** The service definitely refused. Nothing came out, and the release goes on here. */
function recordRefusal({ world, releaseId }: Known): Learned {
  world.ledger.refusedByService(releaseId);
  return { deliveredBy: 'printer', isRefusedByService: true, problem: undefined };
}

/* 2 · The service is asked whether the user may print it (I9). */

const checkBalance: Step = (known, signal) =>
  measured('balance', known, async () => {
    const clearance = await known.world.balance.check(ticketOf(known), { signal });
    return { cleared: { at: now(known), isCharged: clearance !== 'not-charged' } };
  });

/** A balance answer is good for 60 s (INVARIANTS.md B.4, 4). It may be up to 10 s old when it arrives. */
const balanceHolds = seconds(50);

/** The service's answer is too old for an intent (B.4, 4 Balance). */
const isBalanceOld = (known: Known): boolean =>
  known.cleared === undefined || now(known) - known.cleared.at > balanceHolds;

/** The answer is too old, or a document was charged since. */
function isBalanceStale(known: Known): boolean {
  const { cleared, lastOutputAt } = known;
  return isBalanceOld(known) || (cleared?.isCharged === true && lastOutputAt() >= cleared.at);
}

/*
 * 3 · The document comes into the spool: as a whole, or enough of it that the rest can flow. It stays in the cloud (D6,
 * D7).
 */

/**
 * The service gets a pause before it is asked again. When the patience is over, no further try begins (B.4, 5
 * Download).
 */
async function fetchDocument(known: Known, signal: AbortSignal): Promise<Learned> {
  const { clock } = known.world;
  const end = now(known) + downloadPatience;
  let triesLeft = downloadLimits.tries - 1;
  let restartsLeft: number = downloadLimits.restarts;
  for (;;) {
    try {
      return await download(known, signal);
    } catch (error) {
      signal.throwIfAborted();
      const problem = asReleaseProblem(error);
      if (triesLeft > 0 && now(known) < end && mayPass(error)) {
        logDownloadAgain(known, problem);
        triesLeft -= 1;
        const pause = problem.retryAfter ?? waitBefore(downloadLimits.tries - 1 - triesLeft, downloadWaits);
        await clock.sleep(milliseconds(Math.min(pause, end - now(known))), { signal });
        if (now(known) >= end) throw problem;
      } else if (restartsLeft > 0 && problem.code === 'document-cut') {
        logDownloadAgain(known, problem);
        restartsLeft -= 1;
      } else throw problem;
    }
  }
}

function logDownloadAgain({ log, terminal, releaseId }: Known, problem: Problem): void {
  log.debug('download repeated', { terminal, releaseId, ...faultFacts(problem) });
}

const download: Step = async (known, signal) => {
  const since = now(known);
  const document = await receive(known, signal);
  putAwayIf(signal, document);
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

function putAwayIf(stopped: AbortSignal, document: SpooledDocument): void {
  if (stopped.aborted) document[Symbol.dispose]();
  stopped.throwIfAborted();
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

/** A document whose download stops gets no intent, and so is not printed (I1). This holds during every wait. */
async function besideItsDownload(known: Known, signal: AbortSignal, wait: Step): Promise<Learned> {
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

/**
 * Resolves when no other release is at the printer. The turn then belongs to this release until its outcome is settled.
 */
const takeTurn: Step = ({ trace, turn, world, refusal }, signal) =>
  trace.measured('turn', async () => {
    await turn.come({ printerUri: world.printer().uri, signal });
    const problem = refusal();
    if (problem) throw problem;
    return {};
  });

/*
 * 4 · The printer is ready. It takes the format of the document, or the document is converted to a format that it
 * takes.
 */

const prepare: Step = async (known, signal) => {
  const { onWait, onLeftOut } = hearing(known);
  const { trace, world } = known;
  const [ticket, document] = [ticketOf(known), documentOf(known)];
  return {
    plan: await trace.measured('prepare', () =>
      world.printer().prepare(ticket, document, { signal, onWait, onLeftOut }),
    ),
  };
};

/** A new document in the spool, in the format of the plan. It is made in a sandbox (D10). */
const convert: Step = (known, signal) =>
  measured('convert', known, async () => {
    const conversion = required(known.plan?.conversion, 'conversion');
    const document = await known.world.converter.convert(documentOf(known), conversion, { signal });
    putAwayIf(signal, document);
    return { document };
  });

/**
 * Right before the intent the document must still be READY, by a look no older than 2 s (I1). If the service cannot be
 * asked now, the list from which the person chose still counts.
 */
const lookAgain: Step = async (known, signal) => {
  const { document, token } = ticketOf(known);
  try {
    await known.world.documents.requireReady(document.uuid, token, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (isProblem(error, 'document-not-waiting')) throw error;
    const { log, terminal, releaseId } = known;
    log.info('list not looked at again', { terminal, releaseId, error: error as Error });
  }
  return {};
};
