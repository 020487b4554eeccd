/**
 * What is known of one raw printer's back-channel: whether it answers in PJL, and whether it tells of its jobs. It is
 * learned from the documents alone: a printer without PJL would print a question that comes by itself, and some make a job
 * of every connection (PAPPL, printer-raw.c: each one accepted is a job named "Untitled").
 */
import type { Clock } from '../../core/clock.ts';
import { muteSpan } from '../timings.ts';
import type { PjlJob } from './pjl-job.ts';

export interface BackChannel {
  /** `undefined`: it was never asked. */
  answers(): boolean | undefined;
  /** It is worth asking to tell how a job goes; one that was mute is tried again after a while. */
  tellsJobs(): boolean;
  /** It was given a whole job, and asked to tell of it; and had, or had not, answered before. */
  learn(job: PjlJob, hasAnswered: boolean): void;
  /** It had us served, and did not answer. */
  fellMute(): void;
}

export function backChannel({ clock, pjl }: { clock: Clock; pjl: 'auto' | 'off' }): BackChannel {
  let talks: boolean | undefined;
  let untoldUntil = 0;
  const now = () => clock.monotonic();

  return {
    answers: () => talks,
    tellsJobs: () => pjl === 'auto' && now() >= untoldUntil,
    learn(job, hasAnswered) {
      talks = hasAnswered || job.hasSpoken();
      if (!job.hasBegun()) untoldUntil = now() + muteSpan;
    },
    fellMute() {
      talks = false;
    },
  };
}
