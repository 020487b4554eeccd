/** One message to people: the conditions that came, last and went, at one moment at one gateway. */
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { problemKinds } from '../domain/problem/problem-kinds.ts';
import type { GoneNotice, Notice } from './notice.ts';

export interface Teller {
  readonly gateway: string;
  readonly site?: string | undefined;
  /** The version of Platen. */
  readonly version: string;
  /** The operations page, if another machine can reach it. */
  readonly url?: string | undefined;
}

export interface Changes {
  readonly came: readonly Notice[];
  /** Told before, and still so. */
  readonly lasting: readonly Notice[];
  readonly went: readonly GoneNotice[];
}

export interface Message extends Changes {
  /** The same at every try. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly from: Teller;
  /** The number of messages held back since the last one, because there would have been too many. */
  readonly heldBack: number;
  /** A test of the way; nothing has happened. */
  readonly isTest?: true;
}

/** A message names at most so many and counts the others. */
export const mostNamed = 100;

export const isNothing = ({ came, lasting, went }: Changes): boolean =>
  came.length + lasting.length + went.length === 0;

export const meaningOf = (code: ProblemCode): { readonly what: string; readonly advice: string } => {
  const { person: what, advice } = problemKinds[code];
  return { what, advice };
};
