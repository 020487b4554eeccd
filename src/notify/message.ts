/**
 * One message to people: the conditions that came, last and went, at one moment at one gateway, each as a receiver is
 * told of it; and the same as plain text, a subject line and some lines.
 */
import { printable } from '../core/text/printable.ts';
import type { Condition, Severity } from '../domain/condition.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { problemKinds } from '../domain/problem/problem-kinds.ts';

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

export interface Notice extends Pick<Condition, 'code' | 'severity' | 'scope' | 'subject'> {
  /** ISO 8601, UTC. */
  readonly since: string;
}

export interface GoneNotice extends Notice {
  /** ISO 8601, UTC. */
  readonly until: string;
}

export interface SeenCondition extends Condition {
  readonly since: string;
}

/**
 * A condition as a receiver is told of it: its kind, its place and its beginning. The detail is left out, because it
 * may quote a printer's own words. The kind gives the meaning and the advice (domain/problem).
 */
export const noticeOf = ({ code, severity, scope, subject, since }: Notice): Notice => ({
  code,
  severity,
  scope,
  subject,
  since,
});

/** Severity is left out: a condition stays the same when it gets worse. A scope and a code hold no slash. */
export const keyOf = ({ scope, code, subject }: Pick<Notice, 'scope' | 'code' | 'subject'>): string =>
  `${scope}/${code}/${subject}`;

export interface Selection {
  readonly severity: Severity;
  readonly terminals?: readonly string[] | undefined;
  readonly conditions?: readonly string[] | undefined;
}

export const isSelected = (
  { severity, scope, code }: Pick<Notice, 'severity' | 'scope' | 'code'>,
  only: Selection,
): boolean =>
  (only.severity === 'warning' || severity === 'error') &&
  (only.terminals?.includes(scope) ?? true) &&
  (only.conditions?.includes(code) ?? true);

const placeIn = ({ scope }: Notice, { gateway }: Teller): string =>
  scope === 'agent' ? gateway : `${scope} at ${gateway}`;

/** A notice as a person reads it: `lobby at gateway-1: The printer cannot be reached` */
export const sentenceOf = (notice: Notice, from: Teller): string =>
  `${placeIn(notice, from)}: ${meaningOf(notice.code).what.replace(/\.$/, '')}`;

export function subjectLine({ came, lasting, went, from, isTest, heldBack }: Message): string {
  if (isTest) return `[Platen] ${from.gateway}: a test, nothing has happened`;
  const [kind, notices] =
    came.length > 0 ? ['', came] : lasting.length > 0 ? ['still: ', lasting] : ['over: ', went];
  const [first] = notices;
  if (first === undefined) return `[Platen] ${from.gateway}: ${heldBack} messages held back, all is over`;
  const more = came.length + lasting.length + went.length - 1;
  const others = more === 0 ? '' : ` and ${more} more`;
  return `[Platen] ${from.gateway}: ${kind}${first.code} (${first.scope})${others}`;
}

export function bodyText(message: Message): string {
  const { at, from, came, lasting, went, heldBack, isTest } = message;
  const site = from.site === undefined ? '' : `, site ${from.site}`;
  const parts = [
    `Gateway ${from.gateway}${site}, Platen ${from.version}, ${at}`,
    ...(isTest ? ['This is a test. Nothing has happened, and nobody has to do anything.'] : []),
    ...sectionOf('NEW', came),
    ...sectionOf('STILL SO', lasting),
    ...sectionOf('OVER', went),
    ...(heldBack === 0
      ? []
      : [`${heldBack} messages were held back because there were too many (notify.mostPerHour).`]),
    ...(from.url === undefined ? [] : [from.url]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Grouped by code, so that the meaning of a code is said once. */
function sectionOf(title: string, notices: readonly (Notice | GoneNotice)[]): readonly string[] {
  if (notices.length === 0) return [];
  const named = notices.slice(0, mostNamed);
  const groups = [...Map.groupBy(named, ({ code }) => code)].map(([code, some]) => groupOf(code, some));
  const more = notices.length - named.length;
  return [title, ...groups, ...(more === 0 ? [] : [`and ${more} more`])];
}

function groupOf(code: ProblemCode, notices: readonly (Notice | GoneNotice)[]): string {
  const { what, advice } = meaningOf(code);
  const isOver = notices.every((one) => 'until' in one);
  return [`${code}: ${what}`, ...notices.map(lineOf), ...(isOver ? [] : [`  Advice: ${advice}`])].join('\n');
}

const lineOf = (notice: Notice | GoneNotice): string => {
  const { severity, scope, subject, since } = notice;
  const until = 'until' in notice ? `, until ${notice.until}` : '';
  return `  ${severity}: ${printable(scope)}, ${printable(subject)}, since ${since}${until}`;
};
