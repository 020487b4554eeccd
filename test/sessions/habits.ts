/**
 * The printers' habits as the judge sees them: what nobody could see through, and what a release ends as when nothing but
 * the habit is in the way. A habit that is not here is not met.
 */
import type { HabitWish } from '../../src/simulator/printer/habits/habits.ts';

export interface HabitJudged {
  /**
   * Nobody learns from it what became of a job: `completed` is said of what was handed over, and never `printed`; that
   * pages are missing then is nobody's lie.
   */
  readonly handsOver?: true;
  /** What a release may end as that nothing else disturbed; the first is the best. */
  readonly ends: readonly ('completed' | 'unknown' | 'failed')[];
}

/** It prints, and a client that listens well can say so. */
const well: HabitJudged = { ends: ['completed'] };
const handedOver: HabitJudged = { ends: ['completed'], handsOver: true };
/** Pages may be missing, and there is a sign of it: a reason, a counter, a restart. */
const doubtful: HabitJudged = { ends: ['unknown', 'completed'] };
const troubled: HabitJudged = { ends: ['unknown', 'failed', 'completed'] };
/** It takes nothing at all. */
const refusing: HabitJudged = { ends: ['failed'] };

export const judgedHabits = {
  'counts-late': well,
  'counts-nothing-zero': well,
  'counts-nothing': well,
  'counts-sheets': well,
  'slow-rip=90': well,
  'warm-up=40': well,
  'holds-answer': well,
  'behind-others=3x20': well,
  'stops-while-processing=1': troubled,
  'cuts-names=63': well,
  'cuts-names=80': well,
  'cuts-names=16': well,
  'capital-names': well,
  'ascii-names': well,
  'masks-names': well,
  'empty-names': well,
  'own-names': well,
  'hides-names': well,
  'tells-no-uuid': well,
  'tells-no-up-time': well,
  'restarts=1': troubled,
  'completes-with-errors': doubtful,
  'completes-unprintable': { ends: ['unknown', 'failed'] },
  'completes-short=1': doubtful,
  'completes-aborted=1': troubled,
  'canceled-at-panel=1': troubled,
  'queued-in-device': { ends: ['completed', 'unknown'], handsOver: true },
  'refuses-cancel': well,
  'forgets-at-once': handedOver,
  'sleeping=18': well,
  // It cannot be told from one that is switched off.
  'sleeping-deaf=18': { ends: ['completed', 'failed'] },
  'busy-at-send=2': well,
  rejecting: refusing,
  'refuses-compression-at-send': well,
  'refuses-document-name': well,
  'refuses-job-name': well,
  'refuses-user-name': well,
  // It made the job before it said no: who says unknown is too careful, and does not lie.
  'denies-at-send': { ends: ['failed', 'unknown'] },
  'refuses-job-questions': handedOver,
  'refuses-job-lists': well,
  'interim-answers': well,
  'only-ipp-1.1': well,
  'only-ipp-1.1=http-400': well,
  'only-ipp-1.0=request-id-0': well,
  'print-job-only': well,
  'no-content-type': well,
  'wrong-content-type': well,
  'no-printer-state': well,
  'wrong-request-id-in-errors': well,
  'closes-every-connection': well,
  'hangs-up': well,
  'hangs-up=20': well,
  'one-connection-at-a-time': well,
  complains: well,
  'cannot-unpack': well,
  'refuses-validation': well,
  'refuses-validation=closes': well,
  'refuses-wishes': well,
  'ignores-wishes': well,
  'trips-over-names': well,
  'broken-answers=split-groups': well,
  'broken-answers=stray-member': well,
  'absurd-integers': well,
  'refuses-job-questions=http-404': well,
  'refuses-job-questions=closes': well,
  'refuses-jobs': refusing,
  'wants-tls': refusing,
  'sends-elsewhere': refusing,
  'no-printer': refusing,
  'web-page': refusing,
} as const satisfies Partial<Record<HabitWish, HabitJudged>>;

export type PrinterHabitName = keyof typeof judgedHabits;

export const printerHabitNames = Object.keys(judgedHabits) as readonly PrinterHabitName[];

export const judgedHabit = (name: PrinterHabitName): HabitJudged => judgedHabits[name];

/**
 * Habits that together say that a job is done, with none of the signs that pages are missing: a printer that stops
 * after the first page tells it by its counters alone, and one whose counters say nothing tells it by nothing.
 */
const concealing: readonly (readonly PrinterHabitName[])[] = [
  ['completes-short=1', 'counts-nothing-zero'],
  ['completes-short=1', 'counts-nothing'],
];

export function concealsLoss(habits: readonly PrinterHabitName[]): boolean {
  return concealing.some((together) => together.every((name) => habits.includes(name)));
}

/** Of a printer that has them all. */
export function allowedEnds(habits: readonly PrinterHabitName[]): HabitJudged['ends'] {
  return habits.length === 0 ? well.ends : habits.flatMap((name) => judgedHabit(name).ends);
}
