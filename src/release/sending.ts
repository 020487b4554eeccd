/**
 * Steps 6 and 7: the bytes go out, once, and the job is followed to its end; and what is done with a job that a fault or
 * a restart has left. Nothing here is sent twice, whatever comes.
 */
import { seconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import type { LeftJob, SendOptions } from '../domain/ports/printing.ts';
import type { JobReport } from '../domain/release.ts';
import { recordJob } from './committing.ts';
import type { Learned, Known } from './context.ts';
import { expectedOf } from './context.ts';
import { faultDuring } from './faults.ts';
import { factsOf } from './getting-ready.ts';
import { asReleaseProblem, reportedProblem, unconfirmed } from './problems.ts';
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

/** Send-Document. */
const send: Step = async (known, signal) => {
  const [job, plan, document] = [jobOf(known), planOf(known), documentOf(known)];
  await measuredSend(known, (tells) => jobPrinter(known).send(job, plan, document, { ...tells, signal }));
  return { sent: 'all', outAt: now(known) };
};

/** Print-Job: with the request that makes its job. */
const print: Step = async (known, signal) => {
  const [plan, document] = [planOf(known), documentOf(known)];
  const go = (tells: Tells) => jobPrinter(known).print(plan, document, { ...tells, signal });
  return { job: await measuredSend(known, go), sent: 'all', outAt: now(known) };
};

/** With what the printer said of it, where it said anything: it was merely handed over otherwise. */
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

/** The printer accepted every byte: the end of the job is now to be learned, whether this can be written or not. */
function recordSent(known: Known): void {
  const { releaseId, job, unrecorded, world } = known;
  try {
    world.ledger.sent(releaseId, factsOf(unrecorded), job && jobPrinter(known).marked(job));
  } catch {
    // A restart asks for the job all the same. Where the disk has failed, the store says so to whoever ends the agent.
  }
}

/** A job that has ended by then is durable with its end. */
const keepSentAfter = seconds(1);

/** Of a job that takes its time: what was sent is durable, so that a restart after a power cut follows it. */
function keepSent({ world, log, releaseId }: Known): void {
  world.ledger.durable().catch((error: unknown) => {
    // Where the disk has failed the store says so to whoever ends the agent.
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

/** The printer took every byte, and says no more of it; or it tells the end. */
function whatIsSaid(known: Known, report: JobReport | undefined): Learned {
  const isLetGo = known.sent === 'all' && (report === undefined || report.letGo !== undefined);
  return { report, ...(isLetGo ? handedOver(known) : reportedProblem(report, expectedOf(known))) };
}

/** It closed in order (B.1). What was taken on without being confirmed may count as unknown. */
export const handedOver = ({ world }: Known): Learned =>
  world.requireConfirmation ? { verdict: 'UNKNOWN', problem: unconfirmed() } : { verdict: 'HANDED-OVER' };

/**
 * Nothing is to come out later, when nobody is there to take it (T29). A job that turns out to have the whole document is
 * learned, and followed: it is not torn from the printer's hands.
 */
export const cleanUp: Step = async (known, signal) => {
  // What takes mere bytes has no job to ask about.
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

/** Create-Job was never answered: an empty job that it may have left is found by its name. */
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
