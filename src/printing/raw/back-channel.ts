/**
 * What is known of one raw printer's back-channel: whether it answers in PJL, and whether it tells of its jobs. It is
 * learned from the documents alone: a printer without PJL would print a question that comes by itself, and some make a job
 * of every connection (PAPPL, printer-raw.c: each one accepted is a job named "Untitled").
 */
import type { Clock } from '../../core/clock.ts';
import { muteSpan } from '../timings.ts';
import type { PjlJob } from './pjl-job.ts';
import type { PjlDevice } from './pjl-status.ts';

export interface BackChannel {
  /** `undefined`: it was never asked. */
  answers(): boolean | undefined;
  /** It is worth asking to tell how a job goes; one that was mute is tried again after a while. */
  tellsJobs(): boolean;
  /** It was given a whole job, and asked to tell of it; and had, or had not, answered before. */
  learn(job: PjlJob, hasAnswered: boolean): void;
  /** It had us served, and did not answer. */
  fellMute(): void;
  /**
   * What it says of itself before a document keeps that document from it. What is doubtful it is believed once: whoever asks
   * again was told, and many say it for ever, of a tray or a job that the next document does not need.
   */
  isHindered(device: PjlDevice): boolean;
}

export function backChannel({ clock, pjl }: { clock: Clock; pjl: 'auto' | 'off' }): BackChannel {
  let talks: boolean | undefined;
  let untoldUntil = 0;
  let wasDoubtful = false;
  const now = () => clock.monotonic();

  return {
    answers: () => talks,
    tellsJobs: () => pjl === 'auto' && now() >= untoldUntil,
    learn(job, hasAnswered) {
      talks = hasAnswered || job.hasAnswered();
      if (!job.hasBegun()) untoldUntil = now() + muteSpan;
    },
    fellMute() {
      talks = false;
    },
    isHindered({ obstacles, isDoubtful = false }) {
      const isKnown = wasDoubtful && isDoubtful;
      wasDoubtful = isDoubtful;
      return obstacles.length > 0 && !isKnown;
    },
  };
}
