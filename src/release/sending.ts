/**
 * Steps 6 and 7, at the printer or by the service. The bytes go out once, and the job is followed to its end. The file
 * also cleans up a job that a fault or a restart has left. Nothing here is ever sent twice.
 */
import { seconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import type { LeftJob, SendOptions } from '../domain/ports/printing.ts';
import type { JobReport } from '../domain/release.ts';
import { judgeDelivery } from '../domain/release.ts';
import { recordJob } from './committing.ts';
import type { Learned, Known } from './context.ts';
import { expectedOf } from './context.ts';
import { faultDuring } from './faults.ts';
import { factsOf } from './download.ts';
import { asReleaseProblem, reportedProblem, unconfirmed, unknownBecause } from './problems.ts';
import type { Step } from './step.ts';
import {
  Course,
  documentOf,
  goesAtOnce,
  hearing,
  jobOf,
  jobPrinter,
  now,
  planOf,
  tellStage,
  ticketOf,
} from './step.ts';

export const sendOut: Step = async (begun, signal) => {
  const it = new Course(begun, signal);
  try {
    if (begun.world.printer().kind === 'bytes') it.learn(await sendBytes(begun, signal));
    else if (goesAtOnce(begun)) {
      it.learn(await print(begun, signal));
      it.learn(await recordJob(it.known, signal));
    } else it.learn(await send(begun, signal));
  } catch (error) {
    return { ...it.learned, ...faultDuring('sending', it.known, error) };
  }
  recordSent(it.known);
  return it.learned;
};

const send: Step = async (known, signal) => {
  const [job, plan, document] = [jobOf(known), planOf(known), documentOf(known)];
  await measuredSend(known, (tells) => jobPrinter(known).send(job, plan, document, { ...tells, signal }));
  return { sent: 'all', outAt: now(known) };
};

/** Print-Job: the document goes out with the request that makes its job. */
const print: Step = async (known, signal) => {
  const [plan, document] = [planOf(known), documentOf(known)];
  const go = (tells: Tells) => jobPrinter(known).print(plan, document, { ...tells, signal });
  return { job: await measuredSend(known, go), sent: 'all', outAt: now(known) };
};

/** Keeps the printer's report if there is one. Without a report the document was merely handed over. */
const sendBytes: Step = async (known, signal) => {
  const printer = known.world.printer();
  if (printer.kind !== 'bytes') throw new Error('this printer accepts only jobs, not plain bytes');
  const [plan, document] = [planOf(known), documentOf(known)];
  const report = await measuredSend(known, (tells) => printer.send(plan, document, { ...tells, signal }));
  return { sent: 'all', outAt: now(known), ...whatIsSaid({ ...known, sent: 'all' }, report) };
};

type Tells = Omit<SendOptions, 'signal'>;

async function measuredSend<Result>(known: Known, go: (tells: Tells) => Promise<Result>): Promise<Result> {
  const { trace, begunAt, intendedAt = begunAt } = known;
  let since = now(known);
  function onFirstByte() {
    tellStage('first_byte', known, begunAt);
    trace.ended('first_byte', intendedAt);
    since = now(known);
  }
  try {
    return await go({ onFirstByte, expected: expectedOf(known), ...hearing(known) });
  } finally {
    trace.ended('sent', since);
  }
}

/** The printer accepted every byte. Its job is followed even if this record cannot be written. */
function recordSent(known: Known): void {
  const { releaseId, job, unrecorded, world } = known;
  try {
    world.ledger.sent(releaseId, factsOf(unrecorded), job && jobPrinter(known).marked(job));
  } catch {
    // A restart asks for the job in any case. If the disk has failed, the store reports it, and the agent is ended.
  }
}

/** For a job that ends sooner, one sync at its end is enough. */
const keepSentAfter = seconds(1);

/**
 * For a slow job: the record of the sent bytes becomes durable, so that a restart after a power cut follows the job.
 */
function keepSent({ world, log, releaseId }: Known): void {
  world.ledger.durable().catch((error: unknown) => {
    // If the disk has failed, the store reports it, and the agent is ended.
    log.debug('sent not synced', { releaseId, error: error as Error });
  });
}

export const follow: Step = async (known, signal) => {
  const { clock } = known.world;
  const timer = clock.setTimeout(() => keepSent(known), keepSentAfter);
  try {
    const options = { signal, expected: expectedOf(known), ...hearing(known) };
    return whatIsSaid(known, await jobPrinter(known).follow(jobOf(known), options));
  } catch (error) {
    return faultDuring('following', known, error);
  } finally {
    clock.clearTimeout(timer);
  }
};

/** Either the printer took every byte and says no more, or it tells the end. */
function whatIsSaid(known: Known, report: JobReport | undefined): Learned {
  const isLetGo = known.sent === 'all' && (report === undefined || report.letGo !== undefined);
  return { report, ...(isLetGo ? handedOver(known) : reportedProblem(report, expectedOf(known))) };
}

/** The transfer closed in order (B.1). A document taken on without a confirmation may count as unknown. */
export const handedOver = ({ world }: Known): Learned =>
  world.requireConfirmation ? { verdict: 'UNKNOWN', problem: unconfirmed() } : { verdict: 'HANDED-OVER' };

/**
 * A job must not print later, when its owner is no longer there to take the paper (T29). If the job turns out to have
 * the whole document, it is followed and not cancelled.
 */
export const cleanUp: Step = async (known, signal) => {
  // A printer of mere bytes has no job to ask about.
  if (known.world.printer().kind === 'bytes') return {};
  if (known.job) return cancel(known, signal);
  if (!goesAtOnce(known) && known.resumed?.inOneStep !== true) return sweep(known, signal);
  const job = await jobPrinter(known)
    .find(leftJob(known), { signal })
    .catch(() => undefined);
  if (job === undefined) return {};
  return known.problem?.code === 'outcome-unknown' ? { job } : cancel({ ...known, job }, signal);
};

async function cancel(known: Known, signal: AbortSignal): Promise<Learned> {
  try {
    return { report: await jobPrinter(known).cancel(jobOf(known), { signal }) };
  } catch {
    return {};
  }
}

/** Create-Job was never answered. It may have left an empty job, which is found by its name. */
async function sweep(known: Known, signal: AbortSignal): Promise<Learned> {
  try {
    await jobPrinter(known).sweep(leftJob(known), { signal });
    return {};
  } catch (error) {
    return { problem: asReleaseProblem(error), verdict: 'UNKNOWN' };
  }
}

const leftJob = ({ plan, resumed }: Known): LeftJob =>
  plan ?? { jobName: required(resumed, 'job-name').jobName };

/*
 * The service carries out the steps at its own output port. The rules are those of every print: the intent is durable
 * before the service is asked, and if an answer was lost, the service is not asked again (I1; src/cloud/README.md 12,
 * rows 17 to 19). `machine.ts` says what follows a refusal.
 */

/** The pause between two looks at the service's list during a delivery. */
const betweenLooks = { first: seconds(1), factor: 2, longest: seconds(5) };

export const deliver: Step = async (known, signal) => {
  const { document, changed, token } = ticketOf(known);
  const { documents, portKey, finish } = known.world;
  const { serialNumber, address } = portKey();
  const to = { port: address ?? serialNumber, retain: finish === 'keep', changed };
  await known.trace.measured('delivery', () => documents.deliver(document.uuid, to, token, { signal }));
  return { problem: undefined, outAt: now(known) };
};

/** The service took the document on. Its list tells when the document has left. */
export const watchDelivery: Step = async (known, signal) => {
  const { document, token } = ticketOf(known);
  const { documents, clock, requireConfirmation } = known.world;
  for (let looks = 1; ; looks += 1) {
    try {
      const verdict = judgeDelivery(await documents.statusOf(document.uuid, token, { signal }));
      if (verdict === 'UNKNOWN') return unknownBecause('the service gave the document up');
      if (verdict === 'HANDED-OVER' && requireConfirmation)
        return unknownBecause('the document left, and the service did not say how');
      if (verdict !== undefined) return { verdict };
    } catch (error) {
      if (asReleaseProblem(error).retry !== 'later')
        return unknownBecause('the service no longer tells what became of the document', error);
    }
    await clock.sleep(waitBefore(looks, betweenLooks), { signal });
  }
};
