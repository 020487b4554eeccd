/** Numbers, spans, moments and codes of problems for people. */
import type { ProblemKind } from '../../domain/problem/problem-kind.ts';
import { problemKinds } from '../../domain/problem/problem-kinds.ts';
import { instant } from '../../listener/page/clock.ts';

export const counted = (count: number, noun: string): string =>
  `${wholeNumber.format(count)} ${noun}${count === 1 ? '' : 's'}`;

export const wholeNumber = new Intl.NumberFormat('en-GB');

/** From whole days, rounded down: 0 is less than a day from now, and a negative number is past. */
export function endText(days: number): string {
  if (days < 0) return 'it has ended';
  return days === 0 ? 'within a day' : `in ${counted(days, 'day')}`;
}

/** From seconds: `40 s`, `12 min`, `3 h`, `5 days`. */
export function spanText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** From milliseconds: `12 ms`, `4.21 s`, `31 s`, `3 min 20 s`. */
export function tookText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(2)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** In the time zone of the browser; text that is no moment stays as it is. */
export function momentText(iso: string): string {
  const at = instant(iso);
  return Number.isNaN(at.getTime()) ? iso : moment.format(at);
}

export const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?)]$/.test(text) ? '' : '.');

const known = new Map<string, ProblemKind>(Object.entries(problemKinds));

/** `printer unreachable` for a code. A gateway of another version may have codes that this page does not know. */
export const titleOf = (code: string): string => code.replaceAll('-', ' ');

export const adviceOf = (code: string): string =>
  known.get(code)?.advice ??
  'This gateway does not know this code. A gateway of that version has its advice.';
