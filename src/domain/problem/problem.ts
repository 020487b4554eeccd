/** An error of the closed list in `problem-kinds.ts`; the original error always stays as `cause`. */
import type { Duration } from '../../core/duration.ts';
import type { DocumentNeed } from './document-reasons.ts';
import { documentReason } from './document-reasons.ts';
import type { PrinterNeed } from './printer-needs.ts';
import { foremostReason } from './printer-reasons.ts';
import type { Retry } from './problem-kind.ts';
import type { ProblemCode } from './problem-kinds.ts';
import { problemKinds } from './problem-kinds.ts';

/** The knowledge about a failed request: it was not sent, it perhaps had an effect, or it was answered. */
export type Delivery = 'not-sent' | 'perhaps' | 'answered';

export interface ProblemOptions extends ErrorOptions {
  /** How long the other side asked us to wait. */
  readonly retryAfter?: Duration;
  /** HTTP status, if there was one. */
  readonly status?: number;
  readonly delivery?: Delivery;
  /** The standard's own words: printer-state-reasons, an IPP status, an OAuth error code. */
  readonly reasons?: readonly string[];
  /** The place of the terminal that has the document, for people. */
  readonly place?: string;
  /** Replaces the advice of the code when another remedy helps. */
  readonly advice?: string;
}

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly retryAfter: Duration | undefined;
  readonly status: number | undefined;
  readonly delivery: Delivery;
  readonly reasons: readonly string[];
  readonly place: string | undefined;
  readonly #advice: string | undefined;

  constructor(code: ProblemCode, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.status = options.status;
    this.delivery = options.delivery ?? 'answered';
    this.reasons = options.reasons ?? [];
    this.place = options.place;
    this.#advice = options.advice;
  }

  get retry(): Retry {
    return problemKinds[this.code].retry;
  }

  /** The sentence for the person at the printer. */
  get person(): string {
    if (this.place !== undefined) return claimedAt(this.place);
    const said = ownReason(this)?.person;
    if (said === undefined) return problemKinds[this.code].person;
    return this.code === 'printer-stalled' ? `${said} Please look at the tray.` : said;
  }

  /** The need of the printer or the document, if that is known. */
  get need(): PrinterNeed | DocumentNeed | undefined {
    return ownReason(this)?.need;
  }

  get advice(): string {
    return this.#advice ?? ownReason(this)?.advice ?? problemKinds[this.code].advice;
  }
}

/**
 * A problem that the ledger or the timeline has kept, told to an administrator: the fault, if it is known, and the
 * remedy.
 */
export function faultAndRemedy(code: string, reasons: readonly string[] = []): string {
  if (!isProblemCode(code)) return '';
  const problem = new Problem(code, '', { reasons });
  return ownReason(problem) === undefined ? problem.advice : `${problem.person} ${problem.advice}`;
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problemKinds, code);

/** A newer version may have written codes that this version does not know, if an administrator went back. */
export const hasKnownCode = <Kept extends { readonly code: string }>(
  kept: Kept,
): kept is Kept & { readonly code: ProblemCode } => isProblemCode(kept.code);

const claimedAt = (place: string): string =>
  `This document is being printed at ${place}, or was printed there.`;

/** A printer says why it is not ready, or stopped. Each of its reasons has a sentence. */
function ownReason({ code, reasons }: Problem) {
  if (code === 'document-not-convertible') return documentReason(reasons);
  return code === 'printer-not-ready' || code === 'printer-stalled' ? foremostReason(reasons) : undefined;
}

export const isProblem = (error: unknown, ...codes: readonly ProblemCode[]): error is Problem =>
  error instanceof Problem && (codes.length === 0 || codes.includes(error.code));

/** It is not known whether the other side carried out the request: the answer was lost, or the time ran out. */
export const isUnsettled = (error: unknown): boolean => !isProblem(error) || error.delivery === 'perhaps';

/** The error as a `Problem`. Any other error becomes the cause of a problem with the given code. */
export function asProblem(error: unknown, code: ProblemCode, message: string): Problem {
  return error instanceof Problem ? error : new Problem(code, message, { cause: error });
}
