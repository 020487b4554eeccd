/**
 * The news of a release, as values. One channel leads from a release to its desk, and from the desk to its listeners,
 * so that a listener needs to know no machine. The end comes from the ledger's verdict, and the pages come from the
 * printer.
 */
import type { PrinterWait } from '../domain/ports/printing.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { EndState, Outcome } from '../domain/release.ts';
import type { Trace } from '../domain/release-trace.ts';
import type { DocumentProgress } from '../domain/terminal/terminal-view.ts';

export type EndStage = Extract<DocumentProgress['stage'], 'printed' | 'handed-over' | 'failed' | 'unknown'>;
export type StageUnderWay = Exclude<DocumentProgress['stage'], EndStage>;

/** Why a document cannot go on; `undefined` if it goes on again. */
export type ReleaseWait = PrinterWait | 'engine-away';

export type ReleaseNews =
  /** The number of documents of others that come first, as far as is known. 0: the printer is ours. */
  | { readonly type: 'turn'; readonly before: number }
  /** The document has another stage, or another reason to wait. Not sent after the end. */
  | { readonly type: 'stage'; readonly stage: StageUnderWay; readonly wait?: NonNullable<ReleaseWait> }
  /** Another page is out. `pages` is the total if the service tells it. Not sent after the end. */
  | { readonly type: 'page'; readonly page: number; readonly pages?: number }
  /** The printer cannot do everything that was asked for. The person will see it on the paper. */
  | { readonly type: 'left-out' }
  /** The printer holds its job until a person mends the printer. */
  | { readonly type: 'standing' }
  /** The release came on: to a further stage, or within a stage. Sent at most every 2 s. */
  | { readonly type: 'progress' }
  /** The outcome is durable. Sent once. */
  | {
      readonly type: 'ended';
      readonly outcome: Outcome;
      readonly stage: EndStage;
      readonly problem: Problem | undefined;
      /** The times of the release; `undefined` if they are not known. */
      readonly trace?: Trace | undefined;
    }
  /** Nothing more is done for the release by itself. Its document in the cloud is finished, too. */
  | { readonly type: 'done' };

export type ReleaseEvent = ReleaseNews & { readonly releaseId: string; readonly documentUuid: string };
export type ReleaseEnded = Extract<ReleaseEvent, { type: 'ended' }>;
export type ReleaseListener = (event: ReleaseEvent) => void;

/** People are told "printed" only if the printing was confirmed (I12). */
export const endStageOf = {
  CONFIRMED: 'printed',
  'HANDED-OVER': 'handed-over',
  NOOUTPUT: 'failed',
  PARTIAL: 'unknown',
  UNKNOWN: 'unknown',
} as const satisfies Record<EndState, EndStage>;
