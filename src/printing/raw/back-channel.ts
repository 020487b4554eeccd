/**
 * The back-channel of one raw printer: whether it answers in PJL, and whether it tells of its jobs. This is learned
 * from documents only. A printer without PJL would print a separate question, and some make a job of every connection
 * (PAPPL, printer-raw.c: each accepted connection is a job named "Untitled").
 */
import type { Clock } from '../../core/clock.ts';
import { muteSpan } from '../timings.ts';
import type { PjlJob } from './pjl-job.ts';
import type { PjlDevice } from './pjl-status.ts';

export interface BackChannel {
  /** `undefined`: it was never asked. */
  answers(): boolean | undefined;
  /** Whether the printer is asked to tell how a job goes. A silent printer is tried again after a while. */
  tellsJobs(): boolean;
  /** Learns from a whole job that the printer was asked to tell of, and from whether it had answered before. */
  learn(job: PjlJob, hasAnswered: boolean): void;
  /** The printer served us and did not answer. */
  fellMute(): void;
  /**
   * Whether the printer's state before a document keeps that document back. A doubtful state is believed only once,
   * because a user who tries again was told. Many printers repeat it for ever, about a tray or a job that does not
   * matter.
   */
  isHindered(device: PjlDevice): boolean;
}

export function backChannel({ clock, pjl }: { clock: Clock; pjl: 'auto' | 'off' }): BackChannel {
  let talks: boolean | undefined;
  let silentUntil = 0;
  let wasDoubtful = false;
  const now = () => clock.monotonic();

  return {
    answers: () => talks,
    tellsJobs: () => pjl === 'auto' && now() >= silentUntil,
    learn(job, hasAnswered) {
      talks = hasAnswered || job.hasAnswered();
      if (!job.hasBegun()) silentUntil = now() + muteSpan;
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
