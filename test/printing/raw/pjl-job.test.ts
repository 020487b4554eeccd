/** When a job's end, as a printer tells it by USTATUS, is believed (B.1, row "raw 9100"; I12). */
import { expect, it } from 'vitest';
import { pjlJob } from '../../../src/printing/raw/pjl-job.ts';

const name = 'A [7f3a9c21]';
const start = { kind: 'job', event: 'START', name, pages: undefined, result: '' } as const;
const end = { kind: 'job', event: 'END', name, pages: 3, result: 'OK' } as const;

it('an end that is told before all of the job was given does not confirm it', () => {
  const job = pjlJob(name);
  expect([job.hear(start), job.hear(end), job.report()]).toEqual(['moves', 'stands', undefined]);
  job.allGiven();
  expect([job.hear(end), job.report()]).toMatchObject(['moves', { state: 'completed' }]);
});

it('the end of a job of another name is not ours', () => {
  const job = pjlJob(name);
  job.allGiven();
  expect([job.hear({ ...end, name: 'A [00000000]' }), job.report()]).toEqual(['stands', undefined]);
});
