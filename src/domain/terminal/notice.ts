/**
 * A notice of a terminal to a person, besides its state: a code, for pages that have their own words in every language,
 * and the English sentence, for screens that do not.
 */
import type { DocumentNeed } from '../problem/document-reasons.ts';
import type { PrinterNeed } from '../problem/printer-needs.ts';
import type { Problem } from '../problem/problem.ts';
import { problemKinds } from '../problem/problem-kinds.ts';
import type { ProblemCode } from '../problem/problem-kinds.ts';

/** Notices that are no problem, or more than a problem. The parameter `n` is the number of documents, or of tries. */
export type SessionNotice =
  /** After `n` tries, whatever the reason (T09). */
  | 'pin-refused'
  | 'card-registered'
  | 'card-not-registered'
  | 'card-registration-unknown'
  /** The service was told of the badge, and prints by itself. */
  | 'card-relayed'
  /** It is not known whether the service was told. */
  | 'card-perhaps-relayed'
  | 'service-slow'
  /** The list of an open session is asked for again, and the results of that. */
  | 'looking-again'
  | 'nothing-new'
  | 'new-documents'
  /** `n` documents are shown; there may be more. */
  | 'more-in-portal'
  /** `n` documents of the list have another user's name. */
  | 'under-other-name'
  /** `n` documents of others come first. */
  | 'queued'
  /** `n` documents may have been printed already. They were not printed again. */
  | 'left-alone'
  /** `n` of `of` documents did not come out for certain, and the session is over. */
  | 'not-all-printed'
  | 'only-arrived'
  /** The list could not be fetched again, and is shown as it was. */
  | 'list-stale'
  /** The printer refused or ignored a wish, and the paper shows it. */
  | 'not-as-asked'
  /** How a person wants their documents. */
  | 'defaults-not-kept'
  /** About a person's own account. */
  | 'card-dropped'
  | 'card-not-dropped'
  | 'cards-missing'
  | 'short-id-given';

export type NoticeCode = ProblemCode | SessionNotice;

export interface Notice {
  readonly code: NoticeCode;
  readonly params?: Readonly<Record<string, string | number>>;
  /** The need of the printer or the document, if that is the reason. */
  readonly needs?: PrinterNeed | DocumentNeed;
  readonly sentence: string;
}

/** The same for every refused login and card (T09). */
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
