/** The state of the agent as one line for `systemctl status`: in words, faults first, without any person's data. */
import { counted } from '../core/text/counted.ts';
import type { Condition } from '../domain/condition.ts';

export interface StatusLineFacts {
  readonly terminals: readonly { readonly id: string; isReady(): boolean }[];
  /** The worst first. */
  readonly conditions: readonly Condition[];
  /** Records that wait for the service. */
  readonly waiting: number;
  readonly deadLetters: number;
}

/** So many conditions are named; the rest is counted. */
const most = 2;
const longest = 120;

export function statusLine({ terminals, conditions, waiting, deadLetters }: StatusLineFacts): string {
  const ready = terminals.filter((terminal) => terminal.isReady()).length;
  const refused = conditions.find(({ code }) => code === 'config-not-reloaded');
  // One cause may make several conditions.
  const details = new Map(
    conditions
      .filter((one) => one !== refused)
      .toReversed()
      .map(({ scope, detail }) => [detail, scope]),
  );
  const newestFirst = [...details].toReversed();
  const further = newestFirst.length - most;
  return [
    `${ready > 0 ? 'Ready' : 'Not ready'}: ${ready} of ${terminals.length} terminals.`,
    ...(refused
      ? [`Not reloaded, the earlier configuration is still used: ${sentence(refused.detail)}`]
      : []),
    ...newestFirst.slice(0, most).map(([detail, scope]) => `${scope}: ${sentence(detail)}`),
    ...(further > 0 ? [`${counted(further, 'more condition')}: platen status.`] : []),
    ...(waiting > 0 ? [`${counted(waiting, 'history record')} ${waiting === 1 ? 'waits' : 'wait'}.`] : []),
    ...(deadLetters > 0 ? [`${counted(deadLetters, 'history record')} refused for good.`] : []),
  ].join(' ');
}

/** One line with a full stop, cut if it is too long. */
function sentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length > longest) return `${line.slice(0, longest - 1)}…`;
  return /[.!?)]$/.test(line) ? line : `${line}.`;
}
