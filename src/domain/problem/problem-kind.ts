/** The facts of each code in the closed list of problems; the list is `problem-kinds.ts`. */

/** never: not for this item · later: the same call may work by itself · after-repair: a person must change something. */
export type Retry = 'never' | 'later' | 'after-repair';

export interface ProblemKind {
  readonly retry: Retry;
  readonly person: string;
  readonly advice: string;
}

export const kind = (retry: Retry, person: string, advice: string): ProblemKind => ({
  retry,
  person,
  advice,
});
