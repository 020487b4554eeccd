/** A program at work in one of the rooms, as the sandbox watches it. */
import type { SpooledDocument } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { Recipe } from './conversion-commands.ts';

export interface Task {
  readonly recipe: Recipe;
  readonly document: Pick<SpooledDocument, 'read' | 'length'>;
}

/** Disposing ends the program and everything that it started. */
export interface Running extends AsyncDisposable {
  /** The standard output of the program. */
  readonly output: AsyncIterable<Buffer>;
  /**
   * Called after the output has ended: the exit status as a shell gives it (128 plus the number for a signal). Rejects
   * if the document could not be read for it, or if the status is unknown.
   */
  status(): Promise<number>;
  /** Ends the program and everything that it started at once: a converter has nothing to tidy. */
  kill(): void;
}

/** With `killed` among the reasons, a lack of memory in the system may be the cause. */
export const failed = (
  why: string,
  facts: { readonly reasons?: readonly string[]; readonly cause?: unknown } = {},
) => new Problem('document-not-convertible', `the converter failed: ${why}`, facts);

/** Has its own sentence for people, because the print would differ from the document. */
export const lettersMissing = (why: string) =>
  new Problem('document-not-convertible', why, { reasons: ['letters-missing'] });
