/** Prints the jobs of a virtual printer, one at a time and page by page (RFC 8011 section 5.3.7: job-state). */
import { minutes, seconds } from '../../core/duration.ts';
import * as ipp from '../../ipp/values.ts';
import { usualMedia } from './paper.ts';
import type { PrinterContext } from './context.ts';
import type { Habits } from './habits/habits.ts';
import type { Job, ReceivedDocument } from './jobs.ts';
import { hasEnded } from './jobs.ts';

type ReadyJob = Job & { document: ReceivedDocument };

const isReady = (job: Job): job is ReadyJob =>
  job.state === 'pending' && job.document !== undefined && !job.isOpen;
const isStrangers = (job: Job): boolean => job.state === 'pending' && job.takes !== undefined;

/** Runs until the printer is switched off. */
export async function runEngine(context: PrinterContext): Promise<void> {
  const { jobs, news, clock, off } = context;
  const next = () => {
    holdJobs(context);
    return isWaiting(context) ? undefined : jobs.list.find((job) => isReady(job) || isStrangers(job));
  };
  let coldFrom = Number.NEGATIVE_INFINITY;
  while (!off.aborted) {
    const job = next();
    if (job === undefined) await news.until(() => next() !== undefined, off).catch(() => undefined);
    else {
      if (isReady(job)) await print(context, job, clock.monotonic() >= coldFrom);
      else await printStrangers(context, job);
      coldFrom = clock.monotonic() + minutes(1);
    }
  }
}

/** Whether no job may begin: the printer lacks paper or is stopped. */
function isWaiting({ mood, habits, panel, jobs, news }: PrinterContext): boolean {
  const isForPaper = habits.has('stays-pending') && panel.repairs === 0;
  for (const job of isForPaper ? jobs.list.filter(isReady) : []) {
    if (job.reasons.includes('job-queued')) continue;
    job.reasons = ['job-queued'];
    news.tell(`job ${job.id}: the paper has run out`);
  }
  return isForPaper || mood.is('stopped') !== undefined;
}

/** By habit, jobs are held until a person releases them at the panel. */
function holdJobs({ jobs, habits, news }: PrinterContext): void {
  const reason = habits.value('holds-jobs');
  if (reason === undefined) return;
  for (const job of jobs.list) {
    if (!isReady(job) || job.isReleased) continue;
    job.state = 'pending-held';
    job.reasons = [reason];
    news.tell(`job ${job.id}: “${job.name}” is held at the panel`);
  }
}

/** A person at the panel lets the held jobs print. */
export function releaseHeld({ jobs, news }: PrinterContext): void {
  for (const job of jobs.list) {
    if (job.state !== 'pending-held') continue;
    job.isReleased = true;
    job.state = 'pending';
    job.reasons = ['none'];
    news.tell(`job ${job.id}: “${job.name}” is released at the panel`);
  }
}

function begin({ jobs, news }: PrinterContext, job: Job): void {
  job.state = 'processing';
  job.reasons = ['job-printing'];
  job.processingAt = jobs.upTime();
  news.tell(`job ${job.id}: “${job.name}” of ${job.userName || 'nobody'} prints`);
}

async function printStrangers(context: PrinterContext, job: Job): Promise<void> {
  const { jobs, news, clock, off } = context;
  begin(context, job);
  const signal = AbortSignal.any([job.stop.signal, off]);
  await clock.sleep(job.takes ?? seconds(0), { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (signal.aborted) return;
  job.impressionsCompleted = 1;
  jobs.end(job, 'completed', 'job-completed-successfully');
  news.tell(`job ${job.id}: “${job.name}” came out, a stranger's`);
}

async function print(context: PrinterContext, job: ReadyJob, isCold: boolean): Promise<void> {
  const { jobs, outputs, news, habits } = context;
  begin(context, job);
  if (habits.has('queued-in-device')) {
    job.state = 'completed';
    job.reasons = ['queued-in-device'];
    job.completedAt = jobs.upTime();
    news.changed();
  }
  if (lacksPaperFor(context, job)) await untilPaper(context, job);
  const end = await feedPages(context, job, isCold);
  // The record is made first, so that it exists when the client learns of the end.
  let what = 'nothing came out';
  if (job.impressionsCompleted > 0) {
    const isAll = end === 'completed' && job.impressionsCompleted === impressionsOf(job);
    const { complete, bytes, file } = await outputs.eject(job, job.document, isAll);
    what = `${complete ? 'came out' : 'came out in part'}, ${bytes} bytes in ${file}`;
  } else {
    await outputs.discard(job.document);
  }
  if (habits.has('never-ends') && end === 'completed') job.isOut = true;
  else if (end === 'completed') jobs.end(job, 'completed', reasonOfEnd(habits));
  if (end === 'aborted') jobs.end(job, 'aborted', 'aborted-by-system');
  news.tell(`job ${job.id}: “${job.name}” ${what}`);
}

const lacksPaperFor = ({ habits }: PrinterContext, { template }: Job): boolean => {
  const ready = habits.value('lacks-paper');
  const [media = ipp.keyword(usualMedia)] = template.find(({ name }) => name === 'media')?.values ?? [];
  return ready !== undefined && 'text' in media && media.text !== ready;
};

/** The job-state-reasons of a completed job. */
function reasonOfEnd(habits: Habits): string {
  const unprintable = habits.value('completes-unprintable');
  if (unprintable !== undefined) return unprintable;
  if (habits.has('completes-aborted')) return 'aborted-by-system';
  return habits.has('completes-with-errors') ? 'job-completed-with-errors' : 'job-completed-successfully';
}

/** The pages that are printed before the printer calls the job completed. */
function pagesToCome(job: ReadyJob, habits: Habits): number {
  if (habits.has('completes-unprintable')) return 0;
  const limits = [habits.number('completes-aborted'), habits.number('completes-short')];
  return Math.min(impressionsOf(job), ...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));
}

/** Prints page by page until the job's end. Gives `stopped` if the job was canceled or the printer switched off. */
async function feedPages(
  context: PrinterContext,
  job: ReadyJob,
  isCold: boolean,
): Promise<'completed' | 'aborted' | 'stopped'> {
  const { mood, news, clock, settings, off, habits } = context;
  const wanted = pagesToCome(job, habits);
  const signal = AbortSignal.any([job.stop.signal, off]);
  const untilFirstPage = (habits.number('slow-rip') ?? 0) + (isCold ? (habits.number('warm-up') ?? 0) : 0);
  let isRefilled = false;
  try {
    cancelWhereOrdered(context, job);
    if (untilFirstPage > 0) await clock.sleep(seconds(untilFirstPage), { signal });
    for (;;) {
      cancelWhereOrdered(context, job);
      await standStill(context, job, signal);
      if (job.impressionsCompleted >= (habits.number('restarts') ?? Number.POSITIVE_INFINITY))
        await context.restart();
      signal.throwIfAborted();
      if (mood.meets('abort', ({ afterPages }) => job.impressionsCompleted >= afterPages)) return 'aborted';
      if (job.impressionsCompleted >= wanted) return 'completed';
      if (!isRefilled && job.impressionsCompleted >= (habits.number('stops-while-processing') ?? wanted)) {
        await outOfPaper(context, job, signal);
        isRefilled = true;
      }
      const slowed = mood.is('slow') ?? mood.is('jam');
      await clock.sleep(slowed?.pageTime ?? settings.pageTime, { signal });
      job.impressionsCompleted += 1;
      news.changed();
    }
  } catch (error) {
    if (signal.aborted) return 'stopped';
    throw error;
  }
}

/**
 * Cancels the job as a person at the panel would, once by order or always by habit (RFC 8011 section 5.3.8:
 * job-canceled-at-device).
 */
export function cancelWhereOrdered({ jobs, news, habits, panel }: PrinterContext, job: Job): void {
  const after = panel.cancelAfter ?? habits.number('canceled-at-panel');
  if (after === undefined || job.impressionsCompleted < after) return;
  panel.cancelAfter = undefined;
  jobs.end(job, 'canceled', 'job-canceled-at-device');
  news.tell(`job ${job.id}: “${job.name}” is canceled at the panel`);
}

async function untilPaper(context: PrinterContext, job: Job): Promise<void> {
  const signal = AbortSignal.any([job.stop.signal, context.off]);
  await outOfPaper(context, job, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Waits for paper. The job stays `processing`. */
async function outOfPaper({ news, panel }: PrinterContext, job: Job, signal: AbortSignal): Promise<void> {
  const { repairs } = panel;
  panel.isOutOfPaper = true;
  news.tell(`job ${job.id}: the paper has run out, pages so far: ${job.impressionsCompleted}`);
  try {
    await news.until(() => panel.repairs > repairs, signal);
  } finally {
    panel.isOutOfPaper = false;
  }
}

/** Waits while the printer is jammed or stopped, or holds its jobs. */
async function standStill({ mood, news }: PrinterContext, job: Job, signal: AbortSignal): Promise<void> {
  const isJammed = () => {
    const jam = mood.is('jam');
    return jam !== undefined && job.impressionsCompleted >= jam.afterPages;
  };
  const isStopped = () => isJammed() || mood.is('stopped') !== undefined;
  const show = (state: 'processing' | 'processing-stopped', reason: string) => {
    if (hasEnded(job)) return;
    job.state = state;
    job.reasons = [reason];
  };
  if (isStopped()) {
    show('processing-stopped', 'printer-stopped');
    news.tell(`job ${job.id}: stopped, pages so far: ${job.impressionsCompleted}`);
    await news.until(() => !isStopped(), signal);
    show('processing', 'job-printing');
  }
  await news.until(() => !mood.is('hold'), signal);
}

const impressionsOf = (job: ReadyJob): number => job.document.pages * copiesOf(job);

function copiesOf({ template }: Job): number {
  const value = template.find((one) => one.name === 'copies')?.values[0];
  return value !== undefined && 'integer' in value ? value.integer : 1;
}
