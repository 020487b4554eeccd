/**
 * The documents on their way at this agent: one list for all its desks, in the order in which they were handed in. Each
 * document is a case with a stage, and no other file keeps where a document is. `desk.ts` moves the cases on.
 */
import type { Problem } from '../domain/problem/problem.ts';
import type { ReleaseWish } from './context.ts';
import type { ReleaseListener } from './events.ts';
import type { Release } from './release.ts';

export type CaseStage =
  /** Its release has not begun. */
  | 'waiting'
  /** Its release gets it ready, and it may still be downloading. */
  | 'coming-in'
  /** It needs only its turn at the printer now. */
  | 'ready'
  /** It has the printer until its outcome is settled. */
  | 'at-printer'
  /** The printer holds it until a person comes to its panel. The documents behind it do not wait for it. */
  | 'held'
  /** Its outcome is settled. Its document may still have to leave the cloud. */
  | 'settled';

/** The documents that a person asked for in a single wish. */
export interface Batch {
  /** The problem that stopped the batch. */
  fault: Problem | undefined;
}

/** One document, from its ticket until nothing more is done for it. */
export interface Case {
  readonly documentUuid: string;
  readonly batch: Batch;
  readonly listener: ReleaseListener;
  /** The release of the document. It is replaced by another one if the printer could not unpack the first. */
  wish: ReleaseWish;
  stage: CaseStage;
  /** Set while the release is under way. */
  release: Release | undefined;
}

export class OnTheWay {
  readonly #cases = new Map<object, Set<Case>>();
  readonly #lastOutput = new Map<string, number>();

  /** The cases of one desk. */
  of(desk: object): ReadonlySet<Case> {
    return this.#cases.get(desk) ?? new Set();
  }

  add(desk: object, one: Case): void {
    const cases = this.#cases.get(desk) ?? new Set();
    this.#cases.set(desk, cases.add(one));
  }

  delete(desk: object, one: Case): void {
    const cases = this.#cases.get(desk);
    cases?.delete(one);
    if (cases?.size === 0) this.#cases.delete(desk);
  }

  /** Any terminal of this agent has it in hand. A document is never released twice at the same moment (I1). */
  isInHand(documentUuid: string): boolean {
    for (const cases of this.#cases.values()) {
      for (const one of cases) if (one.documentUuid === documentUuid && isInHand(one)) return true;
    }
    return false;
  }

  isAnyInHand(): boolean {
    return this.#cases.values().some((cases) => cases.values().some(isInHand));
  }

  /** A document came out at this terminal, or perhaps came out. Times are in monotonic milliseconds. */
  cameOut(terminal: string, at: number): void {
    this.#lastOutput.set(terminal, at);
  }

  lastOutputAt(terminal: string): number {
    return this.#lastOutput.get(terminal) ?? Number.NEGATIVE_INFINITY;
  }
}

export const isInHand = ({ stage }: Case): boolean => stage !== 'settled';

/** The document waits for the printer, or is at it. */
export const isInLine = ({ stage }: Case): boolean => stage !== 'settled' && stage !== 'held';

/** Its release has begun, and it has not had its turn yet. */
export const isAhead = ({ stage }: Case): boolean => stage === 'coming-in' || stage === 'ready';
