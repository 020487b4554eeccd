import { describe, expect, it } from 'vitest';
import { hours, seconds } from '../../../src/core/duration.ts';
import { jobName } from '../../../src/domain/release.ts';
import { isNamedAs, markedJob } from '../../../src/printing/ipp/job/job-marks.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';

/** A job that was made on a printer which had been up for a minute. */
function setUp() {
  const clock = createSteeredClock();
  const upTime = { seconds: 60, at: clock.now() };
  const job = { jobId: 1, jobUri: 'ipp://printer/jobs/1', jobName: 'Plan [7f3a9c21]', marks: { upTime } };
  return { clock, marked: markedJob(job, { clock, isNew: true }) };
}

describe('the life of a printer in which a job was made', () => {
  it('goes on while it answers, whatever its clock does', async () => {
    const { clock, marked } = setUp();
    await clock.advance(seconds(5));
    expect(marked.isSameLife(60)).toBe(true);
    expect(marked.isSameLife(65)).toBe(true);
    expect(marked.isSameLife(undefined)).toBe(true);
  });

  it('is over when its up-time ran backwards, however soon it answered again: a service is restarted at once', async () => {
    const { clock, marked } = setUp();
    await clock.advance(seconds(1));
    marked.heard();
    expect(marked.isSameLife(1)).toBe(false);
  });
});

it('nobody knows whether a printer is still in that life after a suspend, over which our own clock stood still', () => {
  let suspended = 0;
  const steered = createSteeredClock();
  const clock = { ...steered, now: () => steered.now() + suspended };
  const marked = markedJob({ jobId: 1, jobUri: '', jobName: 'Plan [7f3a9c21]' }, { clock, isNew: true });
  expect(marked.isSameLife(undefined)).toBe(true);
  suspended = hours(1);
  expect(marked.isSameLife(undefined)).toBeUndefined();
  marked.heard();
  expect(marked.isSameLife(undefined)).toBeUndefined();
});

describe('what a printer shows of a job', () => {
  const shown = { jobId: 1, jobName: undefined, uuid: undefined, createdAt: undefined, upTime: 61 };

  it('with our id, in the same life of the printer, is ours', () => {
    expect(setUp().marked.ownership(shown)).toBe('ours');
  });

  it.each([
    ['in the same life', {}],
    ['under our name', { jobName: 'Plan [7f3a9c21]' }],
  ])('with another id is not shown to be ours, %s', (_, more) => {
    expect(setUp().marked.ownership({ ...shown, ...more, jobId: 2 })).toBe('not-shown');
  });
});

describe('the name of a job', () => {
  const releaseId = '7f3a9c21'.padEnd(32, '0');
  const title = 'Minutes of the house, all of them [20240115]';

  it.each([undefined, 40])(
    'is ours by the id of the release, and not by the like in its title (cut at %s)',
    (cutAt) => {
      const ours = jobName(title, releaseId, cutAt);
      expect(isNamedAs(ours.slice(0, cutAt), ours)).toBe(true);
      expect(isNamedAs(jobName(title, 'aaaaaaaa'.padEnd(32, '0')), ours)).toBe(false);
      expect(isNamedAs(title, ours)).toBe(false);
    },
  );
});
