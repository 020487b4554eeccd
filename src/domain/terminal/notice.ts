/**
 * What a terminal says to a person besides where it stands: a code, for pages that have words of their own in every
 * language, and the English sentence, for screens that have not.
 */
import type { DocumentNeed } from '../problem/document-reasons.ts';
import type { PrinterNeed } from '../problem/printer-needs.ts';
import type { Problem } from '../problem/problem.ts';
import { problemKinds } from '../problem/problem-kinds.ts';
import type { ProblemCode } from '../problem/problem-kinds.ts';

/** What is no problem, or not only one. `n` of the parameters counts. */
export type SessionNotice =
  /** After `n` tries, whatever the reason (T09). */
  | 'pin-refused'
  | 'card-registered'
  | 'card-not-registered'
  | 'card-registration-unknown'
  /** The service was told of the badge, and prints by itself. */
  | 'card-relayed'
  /** It may have been told: nobody knows. */
  | 'card-perhaps-relayed'
  | 'service-slow'
  /** The list of an open session is asked for again; and what came of it. */
  | 'looking-again'
  | 'nothing-new'
  | 'new-documents'
  /** `n` documents are shown; there may be more. */
  | 'more-in-portal'
  /** `n` documents of the list bear another name than the user's. */
  | 'under-other-name'
  /** `n` documents of others come first. */
  | 'queued'
  /** `n` documents may have been printed already. They were not printed again. */
  | 'left-alone'
  /** `n` of `of` documents of a session that is over did not come out for certain. */
  | 'not-all-printed'
  | 'only-arrived'
  /** The list could not be fetched again, and is shown as it was. */
  | 'list-stale'
  /** The printer refused or ignored a wish that the paper shows. */
  | 'not-as-asked'
  /** How they want their documents. */
  | 'defaults-not-kept'
  /** Of their own account. */
  | 'card-dropped'
  | 'card-not-dropped'
  | 'cards-missing'
  | 'short-id-given';

export type NoticeCode = ProblemCode | SessionNotice;

export interface Notice {
  readonly code: NoticeCode;
  readonly params?: Readonly<Record<string, string | number>>;
  /** What the printer needs, or the document, where that is it. */
  readonly needs?: PrinterNeed | DocumentNeed;
  readonly sentence: string;
}

/** Of every refused login and card the same (T09). */
export const refusalNotice: Notice = {
  code: 'login-refused',
  sentence: problemKinds['login-refused'].person,
};

/** A lock-out is told as a refusal, so that a guesser does not learn of it (T09). */
export const noticeOf = ({ code, need, person, place }: Problem): Notice =>
  code === 'login-locked'
    ? refusalNotice
    : {
        code,
        ...(place === undefined ? {} : { params: { place } }),
        ...(need && { needs: need }),
        sentence: person,
      };
