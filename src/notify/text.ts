/** A message as a person reads it: a subject line and some lines, in plain text. */
import { printable } from '../core/text/printable.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import type { Message, Teller } from './message.ts';
import { meaningOf, mostNamed } from './message.ts';
import type { GoneNotice, Notice } from './notice.ts';

const placeIn = ({ scope }: Notice, { gateway }: Teller): string =>
  scope === 'agent' ? gateway : `${scope} at ${gateway}`;

/** `lobby at gateway-1: The printer cannot be reached` */
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
