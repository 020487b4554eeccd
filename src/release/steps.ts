/**
 * The steps of a release in the order of README, "How data walks": what each does in the world, with its stage measured.
 * A step takes what is known of the release and gives what it has learned. Which comes after which, and what follows
 * where one fails, is in `machine.ts`; nothing here repeats a call.
 */
import { isoWithOffset } from '../core/clock.ts';
import { required } from '../core/required.ts';
import { isBeyondLimits } from '../domain/document.ts';
import { historyOf } from '../domain/history.ts';
import type { LeftJob, SpooledDocument } from '../domain/ports/printing.ts';
import type { Documents } from '../domain/ports/service.ts';
import { Problem } from '../domain/problem/problem.ts';
import { jobName, outcomeOf } from '../domain/release.ts';
import { knownTimeNow } from '../domain/service-time.ts';
import { claimToKeep } from './claim-steps.ts';
import type { ReleaseContext, ReleaseDeps } from './context.ts';
import { missingOf } from './missing.ts';
import { problemFacts } from './problems.ts';
import {
  confirmationOf,
  documentUuidOf,
  endStateOf,
  expectedOf,
  recordedElsewhere,
  reporterOf,
} from './context.ts';
import { documentSource } from './document-source.ts';
import type { Step } from './step.ts';
import {
  documentOf,
  hearing,
  jobOf,
  jobPrinter,
  measured,
  now,
  planOf,
  sent,
  tellStage,
  ticketOf,
} from './step.ts';

/* 1 · The ledger learns of it. */

export const recordPlan: Step = async (known) => {
  const ticket = ticketOf(known);
  const { document, user, monochrome, releaseId } = ticket;
  const { ledger, clock, portKey, serviceTime } = known.world;
  if (isBeyondLimits(document)) {
    throw new Problem('document-beyond-limits', 'more copies or pages than one release may have');
  }
  if (ticket.picked && known.world.delivery !== 'local') {
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
};

/* 2 · The service is asked whether the user may print it. */

export const checkBalance: Step = (known, signal) =>
  measured('balance', known, async () => {
    const clearance = await known.world.balance.check(ticketOf(known), { signal });
    return { cleared: { at: now(known), isCharged: clearance !== 'not-charged' } };
  });

/* 3 · It comes into the spool, as a whole, or so much of it that the rest can flow to the printer. */

export const download: Step = async (known, signal) => {
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
  // The stage ends with the last byte. A document that never comes whole has none in the metrics.
  known.trace
    .measured('download', () => document.whole(new AbortController()), since)
    .then(
      () => tellStage('download', known, since),
      () => undefined,
    );
  return { document, unrecorded, problem: undefined };
};

async function receive(known: ReleaseContext, signal: AbortSignal): Promise<SpooledDocument> {
  const { terminal, releaseId, log, world } = known;
  const { documents, clock, spool } = world;
  const onResume = ({ code }: Problem) => log.info('download resumed', { terminal, releaseId, code });
  const source = documentSource({ documents, ticket: ticketOf(known), clock, onResume });
  const { onProgress } = hearing(known);
  return world.cutThrough === 'auto' && world.printer().kind === 'jobs'
    ? spool.receive(source, { signal, onProgress })
    : spool.store(await source.begin({ signal }), { signal, onProgress });
}

/** Length and digest, once, when it is whole; what is given is still to be recorded. */
function recordFetched({ world, releaseId, unrecorded }: ReleaseContext): SpooledDocument | undefined {
  const facts = factsOf(unrecorded);
  if (facts === undefined) return unrecorded;
  world.ledger.fetched(releaseId, facts);
  return undefined;
}

/** Rejects when the document stops coming in; with none there is nothing to look at. */
export const watchDocument: Step = async ({ document }, signal) => {
  await document?.whole({ signal });
  return {};
};

/** Resolves when no other release is at the printer; this one then is, until its outcome is settled. */
export const takeTurn: Step = ({ trace, turn, world, refusal }, signal) =>
  trace.measured('turn', async () => {
    await turn.come({ printerUri: world.printer().uri, signal });
    const problem = refusal();
    if (problem) throw problem;
    return {};
  });

/* 4 · The printer is ready for it, and it becomes what the printer takes. */

export const prepare: Step = async (known, signal) => {
  const { onWait, onLeftOut } = hearing(known);
  const { trace, world } = known;
  const [ticket, document] = [ticketOf(known), documentOf(known)];
  return {
    plan: await trace.measured('prepare', () =>
      world.printer().prepare(ticket, document, { signal, onWait, onLeftOut }),
    ),
  };
};

/** A new document in the spool, in the format of the plan. */
export const convert: Step = (known, signal) =>
  measured('convert', known, async () => {
    const conversion = required(known.plan?.conversion, 'conversion');
    const document = await known.world.converter.convert(documentOf(known), conversion, { signal });
    putAwayIf(signal, document);
    return { document };
  });

/** Rejects where the document waits no longer, and where that cannot be seen. */
export const lookAgain: Step = async (known, signal) => {
  const { document, token } = ticketOf(known);
  await known.world.documents.requireReady(document.uuid, token, { signal });
  return {};
};

/* 5 · The intent. */

export const recordIntent: Step = async (known) => {
  const { ledger } = known.world;
  const unrecorded = recordFetched(known);
  const { uri } = known.world.printer();
  const { inOneStep } = planOf(known);
  const isJobNext = !inOneStep && known.world.printer().kind === 'jobs';
  ledger.intend(known.releaseId, uri, {
    ...(inOneStep ? { inOneStep } : { isJobNext }),
    ...claimToKeep(known),
  });
  if (!isJobNext) await ledger.durable();
  return { unrecorded, intendedAt: now(known) };
};

/* 6 · The printer gives it a job, the ledger learns of that, and the bytes go out: once. */

export const createJob: Step = async (known, signal) => {
  const { onWait, onLeftOut } = hearing(known);
  return { job: await jobPrinter(known).createJob(planOf(known), { signal, onWait, onLeftOut }) };
};

export const recordJob: Step = async (known) => {
  const { ledger } = known.world;
  ledger.jobCreated(known.releaseId, jobOf(known));
  await ledger.durable();
  return {};
};

export const send: Step = async (known, signal) => {
  const [job, plan, document] = [jobOf(known), planOf(known), documentOf(known)];
  await sent(known, (tells) => jobPrinter(known).send(job, plan, document, { ...tells, signal }));
  return { sent: 'all', outAt: now(known) };
};

/** With the request that makes its job. */
export const print: Step = async (known, signal) => {
  const [plan, document] = [planOf(known), documentOf(known)];
  const job = await sent(known, (tells) => jobPrinter(known).print(plan, document, { ...tells, signal }));
  return { job, sent: 'all', outAt: now(known) };
};

/** With what the printer said of it, where it said anything: it was merely handed over otherwise. */
export const sendBytes: Step = async (known, signal) => {
  const printer = known.world.printer();
  if (printer.kind !== 'bytes') throw new Error('this printer accepts only jobs, not plain bytes');
  const [plan, document] = [planOf(known), documentOf(known)];
  const report = await sent(known, (tells) => printer.send(plan, document, { ...tells, signal }));
  return { report, sent: 'all', outAt: now(known) };
};

export const recordSent: Step = async (known) => {
  const { releaseId, job, unrecorded, world } = known;
  world.ledger.sent(releaseId, factsOf(unrecorded), job && jobPrinter(known).marked(job));
  return {};
};

/** Of a job that takes its time: what was sent is durable, so that a restart after a power cut follows it. */
export function keepSent({ world, log, releaseId }: ReleaseContext): void {
  world.ledger.durable().catch((error: unknown) => {
    // Where the disk has failed the store says so to whoever ends the agent.
    log.debug('sent not synced', { releaseId, error: error as Error });
  });
}

/* 7 · The job is followed; and what is done with one that a fault, or a restart, has left. */

export const follow: Step = async (known, signal) => {
  const options = { signal, expected: expectedOf(known), ...hearing(known) };
  return { report: await jobPrinter(known).follow(jobOf(known), options) };
};

export const cancel: Step = async (known, signal) => ({
  report: await jobPrinter(known).cancel(jobOf(known), { signal }),
});

export const sweep: Step = async (known, signal) => {
  await jobPrinter(known).sweep(leftJob(known), { signal });
  return {};
};

export const find: Step = async (known, signal) => ({
  job: await jobPrinter(known).find(leftJob(known), { signal }),
});

const leftJob = ({ plan, resumed }: ReleaseContext): LeftJob =>
  plan ?? { jobName: required(resumed, 'job-name').jobName };

/* 8 · End state and history row, in one transaction. */

export const recordEnd: Step = async (known) => {
  const { releaseId, deliveredBy, problem, report, trace, outAt, world } = known;
  const state = endStateOf(known);
  const confirmation = confirmationOf(known);
  if (outAt !== undefined) trace.ended(state === 'CONFIRMED' ? 'printed' : 'followed', outAt);
  const whole = trace.whole();
  world.ledger.end(releaseId, {
    state,
    ...(confirmation ? { confirmation } : {}),
    ...(problem && confirmation === undefined ? problemFacts(problem) : {}),
    ...missingOf(known, state),
    ...(report ? { report, reportedBy: reporterOf(known) } : {}),
    ...recordedElsewhere(known),
    deletionOwed: outcomeOf[state] === 'completed' && deliveredBy === 'printer' && world.finish !== 'keep',
    holdFor: world.unknownHold,
    ...(whole ? { trace: whole } : {}),
  });
  await world.ledger.durable();
  world.claims.ended(known.claim ?? { documentUuid: documentUuidOf(known), releaseId }, state);
  if (state === 'CONFIRMED') tellStage('printed', known, known.begunAt);
  return { outcome: outcomeOf[state] };
};

/* 9 · The document leaves the cloud, or counts there as released. */

export const finish: Step = async (known, signal) => {
  const { releaseId, changed, document, token } = ticketOf(known);
  await finishDocument(known.world, document.uuid, token, { signal, changed });
  known.world.ledger.deleted(releaseId);
  return {};
};

/**
 * Also when it is made up for later. What is still owed where documents are to be kept by now is deleted, as it was when
 * it came to be owed.
 */
export const finishDocument = (
  { documents, finish: mode }: Pick<ReleaseDeps, 'documents' | 'finish'>,
  ...call: Parameters<Documents['consume']>
): Promise<void> => (mode === 'consume' ? documents.consume(...call) : documents.remove(...call));

/** What is made at the very moment of a stop is nobody's, and would stay open. */
function putAwayIf(stopped: AbortSignal, document: SpooledDocument): void {
  if (stopped.aborted) document[Symbol.dispose]();
  stopped.throwIfAborted();
}

/** `undefined` while it is not whole. */
function factsOf(document: SpooledDocument | undefined): { length: number; digest: string } | undefined {
  const digest = document?.digest();
  return document && digest ? { length: document.length, digest } : undefined;
}
