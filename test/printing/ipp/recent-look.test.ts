/** How long a look at a printer serves the next document of a batch (T29). */
import { expect, it } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import type { JobReport } from '../../../src/domain/release.ts';
import type { PrinterAttributes } from '../../../src/printing/ipp/printer/printer-attributes.ts';
import { RecentLook } from '../../../src/printing/ipp/printer/recent-look.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';

const printer = { ready: true } as Partial<PrinterAttributes> as PrinterAttributes;
const out: JobReport = { state: 'completed', reasons: ['job-completed-successfully'] };

function looked(...jobs: readonly JobReport[]) {
  const clock = createSteeredClock();
  const recent = new RecentLook(clock);
  recent.keep(printer, clock.monotonic());
  for (const job of jobs) recent.judge(job);
  return { clock, recent };
}

it('serves the next document once a job has come out', () => {
  expect(looked().recent.printer()).toBeUndefined();
  expect(looked(out).recent.printer()).toBe(printer);
  expect(looked(out, out).recent.printer()).toBe(printer);
});

it('holds for a second, however many came out since', async () => {
  const { clock, recent } = looked(out);
  await clock.advance(seconds(0.9));
  recent.judge(out);
  expect(recent.printer()).toBe(printer);
  await clock.advance(seconds(0.1));
  recent.judge(out);
  expect(recent.printer()).toBeUndefined();
});

it.each<[string, JobReport]>([
  ['that was aborted', { state: 'aborted', reasons: [] }],
  ['that came out with errors', { state: 'completed', reasons: ['job-completed-with-errors'] }],
  ['that the printer let go of', { ...out, letGo: 'forgotten' }],
])('ends with a job %s, also for the one after the next', (_, report) => {
  expect(looked(out, report, out).recent.printer()).toBeUndefined();
});

it('ends where anything fails', async () => {
  const { recent } = looked(out);
  await expect(recent.unlessItFails(Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  recent.judge(out);
  expect(recent.printer()).toBeUndefined();
});
