/** Prints the jobs of a virtual printer, one at a time, page by page (RFC 8011 section 5.3.7: job-state). */
import type { PrinterContext } from './printer-context.ts';
import type { Job, ReceivedDocument } from './printer-jobs.ts';

type ReadyJob = Job & { document: ReceivedDocument };

const isReady = (job: Job): job is ReadyJob => job.state === 'pending' && job.document !== undefined;

/** Runs until the printer is switched off. */
export async function runEngine(context: PrinterContext): Promise<void> {
  const { jobs, mood, news, off } = context;
  const next = () => (mood.is('stopped') ? undefined : jobs.list.find(isReady));
  while (!off.aborted) {
    const job = next();
    if (job) await print(context, job);
    else await news.until(() => next() !== undefined, off).catch(() => undefined);
  }
}

async function print(context: PrinterContext, job: ReadyJob): Promise<void> {
  const { jobs, outputs, news } = context;
  job.state = 'processing';
  job.reasons = ['job-printing'];
  job.processingAt = jobs.upTime();
  news.tell(`job ${job.id}: “${job.name}” of ${job.userName || 'nobody'} prints`);
  const end = await feedPages(context, job);
  // The record is made before the client can learn of the end.
  let what = 'nothing came out';
  if (job.impressionsCompleted > 0) {
    const { complete, bytes, file } = await outputs.eject(job, job.document, end === 'completed');
    what = `${complete ? 'came out' : 'came out in part'}, ${bytes} bytes in ${file}`;
  } else {
    await outputs.discard(job.document);
  }
  if (end === 'completed') jobs.end(job, 'completed', 'job-completed-successfully');
  if (end === 'aborted') jobs.end(job, 'aborted', 'aborted-by-system');
  news.tell(`job ${job.id}: “${job.name}” ${what}`);
}

/** Page by page to the job's end; `stopped` when it was canceled or the printer switched off. */
async function feedPages(
  context: PrinterContext,
  job: ReadyJob,
): Promise<'completed' | 'aborted' | 'stopped'> {
  const { mood, news, clock, settings, off } = context;
  const impressions = job.document.pages * copiesOf(job);
  const signal = AbortSignal.any([job.stop.signal, off]);
  try {
    for (;;) {
      await standStill(context, job, signal);
      if (mood.meets('abort', ({ afterPages }) => job.impressionsCompleted >= afterPages)) return 'aborted';
      if (job.impressionsCompleted >= impressions) return 'completed';
      await clock.sleep(mood.is('slow')?.pageTime ?? settings.pageTime, { signal });
      job.impressionsCompleted += 1;
      news.changed();
    }
  } catch (error) {
    if (signal.aborted) return 'stopped';
    throw error;
  }
}

/** Waits while the printer is jammed, stopped or holds its jobs. */
async function standStill({ mood, news }: PrinterContext, job: Job, signal: AbortSignal): Promise<void> {
  const isJammed = () => {
    const jam = mood.is('jam');
    return jam !== undefined && job.impressionsCompleted >= jam.afterPages;
  };
  const isStopped = () => isJammed() || mood.is('stopped') !== undefined;
  if (isStopped()) {
    job.state = 'processing-stopped';
    job.reasons = ['printer-stopped'];
    news.tell(`job ${job.id}: stopped, pages so far: ${job.impressionsCompleted}`);
    await news.until(() => !isStopped(), signal);
    job.state = 'processing';
    job.reasons = ['job-printing'];
  }
  await news.until(() => !mood.is('hold'), signal);
}

function copiesOf({ template }: Job): number {
  const value = template.find((one) => one.name === 'copies')?.values[0];
  return value !== undefined && 'integer' in value ? value.integer : 1;
}
