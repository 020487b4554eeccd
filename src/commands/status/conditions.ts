/** The present faults in `platen status`: place, beginning, and advice. */
import { printable, printableWhole } from '../../core/text/printable.ts';
import { problemKinds } from '../../domain/problem/problem-kinds.ts';
import { sinceText } from '../terminal-text/span-text.ts';
import type { Look, Sight } from './look.ts';
import type { ConditionStatus } from './schema.ts';
import { wrapped } from '../terminal-text/text-width.ts';

/** Nobody reads more. The log and `--all` have the others. */
const mostShown = 10;

export function conditionLines({ status, now }: Sight, { width, paint, isWhole }: Look): readonly string[] {
  const { conditions } = status;
  if (conditions.length === 0) return [];
  const shown = isWhole ? conditions : conditions.slice(0, mostShown);
  const left = conditions.length - shown.length;
  return [
    '',
    paint('CONDITIONS', 'bold'),
    ...shown.flatMap((condition) => {
      const { severity } = condition;
      const [first = '', ...rest] = wrapped(printableWhole(textOf(condition, now)), { width, indent: 2 });
      const word = severity === 'error' ? paint(severity, 'red') : paint(printable(severity), 'yellow');
      return [first.replace(printable(severity), () => word), ...rest];
    }),
    ...(left > 0 ? [`and ${left} more; platen status --all shows them`] : []),
  ];
}

function textOf(condition: ConditionStatus, now: number): string {
  const { severity, scope, subject, code, detail, since, acknowledged } = condition;
  const what = subject === undefined ? scope : `${scope}, ${subject}`;
  const from = since === undefined ? '' : ` Since ${sinceText(since, now)}.`;
  const advice = adviceFor(code, detail);
  return `${severity}: ${what}: ${detail}${detail.endsWith('.') ? '' : '.'}${advice}${from}${takenOn(acknowledged)}`;
}

function takenOn(by: ConditionStatus['acknowledged']): string {
  if (!by) return '';
  return ` ${by.name} has taken this on${by.note === '' ? '' : `: ${by.note}`}.`;
}

/** Some details already have an advice: the reason of a printer has its own. */
function adviceFor(code: string, detail: string): string {
  const advice = Object.entries(problemKinds).find(([known]) => known === code)?.[1].advice;
  const isSaid =
    advice === undefined ||
    detail.includes(advice) ||
    code === 'printer-not-ready' ||
    code === 'spooler-policy';
  return isSaid ? '' : ` ${advice}`;
}
