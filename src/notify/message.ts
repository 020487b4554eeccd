/** One message to people: what came, what lasts, what went, as of one moment at one gateway. */
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { problemKinds } from '../domain/problem/problem-kinds.ts';
import type { GoneNotice, Notice } from './notice.ts';

/** Who tells. */
export interface Teller {
  readonly gateway: string;
  readonly site?: string | undefined;
  /** Of Platen. */
  readonly version: string;
  /** Where more is to be seen, where another machine can reach it. */
  readonly url?: string | undefined;
}

export interface Changes {
  readonly came: readonly Notice[];
  /** Told before, and still so. */
  readonly lasting: readonly Notice[];
  readonly went: readonly GoneNotice[];
}

export interface Message extends Changes {
  /** The same however often it is tried. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly from: Teller;
  /** Messages that were held back since the last one, because there would have been too many. */
  readonly heldBack: number;
  /** Somebody tries whether it arrives; nothing has happened. */
  readonly isTest?: true;
}

/** Named one by one in a message; the others are counted. */
export const mostNamed = 100;

export const isNothing = ({ came, lasting, went }: Changes): boolean =>
  came.length + lasting.length + went.length === 0;

/** What such a condition means, and what to do about it. */
export const meaningOf = (code: ProblemCode): { readonly what: string; readonly advice: string } => {
  const { person: what, advice } = problemKinds[code];
  return { what, advice };
};
