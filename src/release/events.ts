/**
 * What becomes of a release, as values: one channel from a release to its desk, and from the desk to whoever listens.
 * Who hears them needs to know no machine. The end is told by the ledger's verdict, the pages by the printer.
 */
import type { PrinterWait } from '../domain/ports/printing.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { EndState, Outcome } from '../domain/release.ts';
import type { Trace } from '../domain/release-trace.ts';
import type { DocumentProgress } from '../domain/terminal/terminal-view.ts';

export type EndStage = Extract<DocumentProgress['stage'], 'printed' | 'handed-over' | 'failed' | 'unknown'>;
export type StageUnderWay = Exclude<DocumentProgress['stage'], EndStage>;

/** What keeps a document from going on; `undefined`: nothing any longer. */
export type ReleaseWait = PrinterWait | 'engine-away';

export type ReleaseNews =
  /** So many documents of others come first, as far as is known; 0: the printer is ours. */
  | { readonly type: 'turn'; readonly before: number }
  /** It has another stage, or something else keeps it waiting there; until it has ended. */
  | { readonly type: 'stage'; readonly stage: StageUnderWay; readonly wait?: NonNullable<ReleaseWait> }
  /** Another page is out, of so many where the service tells; until it has ended. */
  | { readonly type: 'page'; readonly page: number; readonly pages?: number }
  /** The printer does not do all that was asked of it: the paper will show it. */
  | { readonly type: 'left-out' }
  /** The printer holds its job until somebody mends it. */
  | { readonly type: 'standing' }
  /** It came on: a stage further, or within one; at most every 2 s. */
  | { readonly type: 'progress' }
  /** Its outcome is durable; once. */
  | {
      readonly type: 'ended';
      readonly outcome: Outcome;
      readonly stage: EndStage;
      readonly problem: Problem | undefined;
      /** Where its time went; `undefined` where nobody knows. */
      readonly trace?: Trace | undefined;
    }
  /** Nothing more is done for it by itself: also its document in the cloud is finished with. */
  | { readonly type: 'done' };

export type ReleaseEvent = ReleaseNews & { readonly releaseId: string; readonly documentUuid: string };
export type ReleaseEnded = Extract<ReleaseEvent, { type: 'ended' }>;
export type ReleaseListener = (event: ReleaseEvent) => void;

/** Nobody is told "printed" but of what was confirmed (I12). */
export const endStageOf = {
  CONFIRMED: 'printed',
  'HANDED-OVER': 'handed-over',
  NOOUTPUT: 'failed',
  PARTIAL: 'unknown',
  UNKNOWN: 'unknown',
} as const satisfies Record<EndState, EndStage>;
