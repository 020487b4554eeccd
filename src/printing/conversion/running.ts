/** A program at work in one of the rooms, as the sandbox watches it. */
import type { SpooledDocument } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Recipe } from './conversion-commands.ts';

export interface Task {
  readonly recipe: Recipe;
  readonly document: Pick<SpooledDocument, 'read' | 'length'>;
}

/** Disposing ends the program, and what it started. */
export interface Running extends AsyncDisposable {
  /** What it writes. */
  readonly output: AsyncIterable<Buffer>;
  /**
   * Once the output has ended: how the program did, as a shell tells it (128 and its number for a signal). Rejects where
   * the document could not be read for it, or nobody knows how it ended.
   */
  status(): Promise<number>;
  /** The program and what it started, at once: there is nothing that a converter could still put in order. */
  kill(): void;
}

/** `killed` among the reasons: the system's lack of memory may have been to blame. */
export const failed = (
  why: string,
  facts: { readonly reasons?: readonly string[]; readonly cause?: unknown } = {},
) => new Problem('document-not-convertible', `the converter failed: ${why}`, facts);

/** With a sentence of its own: what would be printed is not what was written. */
export const lettersMissing = (why: string) =>
  new Problem('document-not-convertible', why, { reasons: ['letters-missing'] });
