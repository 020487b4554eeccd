/** Codes of problems for people: the code with blanks, and the advice that the closed list has for it. */
import type { ProblemKind } from '../../domain/problem/problem-kind.ts';
import { problemKinds } from '../../domain/problem/problem-kinds.ts';

const known = new Map<string, ProblemKind>(Object.entries(problemKinds));

/** `printer unreachable`. A gateway of another version may have codes that this page does not know. */
export const titleOf = (code: string): string => code.replaceAll('-', ' ');

export const adviceOf = (code: string): string =>
  known.get(code)?.advice ??
  'This gateway does not know this code. A gateway of that version has its advice.';
