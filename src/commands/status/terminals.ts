/**
 * The terminals in `platen status`: one line each, terminals with trouble first. If there are many, healthy terminals
 * are only counted.
 */
import { printable } from '../../core/text/printable.ts';
import { needText } from '../../domain/problem/printer-needs.ts';
import { columnsOf, startOf } from '../../prompt/columns.ts';
import { outageReason } from '../../domain/terminal/outage-words.ts';
import type { Look } from './look.ts';
import type { TerminalStatus } from './schema.ts';
import { padded } from '../terminal-text/table.ts';
import { wrapped } from '../terminal-text/text-width.ts';

/** This many lines fit a screen, so all are shown. */
const mostLines = 16;

export function terminalLines(terminals: readonly TerminalStatus[], look: Look): readonly string[] {
  if (terminals.length === 0) return ['no terminal is configured'];
  const troubled = terminals.filter((terminal) => !isInOrder(terminal));
  const healthy = terminals.filter((terminal) => isInOrder(terminal));
  const isShort = look.isWhole || terminals.length <= mostLines;
  const shown = isShort ? [...troubled, ...healthy] : troubled;
  const left = terminals.length - shown.length;
  return [
    ...(shown.length === 0 ? [] : tableOf(shown, look)),
    ...(left > 0 ? [`  ${left} more are ready; platen status --all shows them`] : []),
    ...terminals.flatMap((terminal) => outageLines(terminal, look)),
    ...(shown.some(({ printer }) => printer.assumed)
      ? ['', ...wrapped(notAsked, { width: look.width, indent: 2 })]
      : []),
  ];
}

/** `platen check --monitor` uses the same words. */
export const notAsked = 'not asked: a raw printer tells nothing until something is sent';

/** Other gateways serve all its terminals, and this gateway is ready to take over. */
export const isStandby = (terminals: readonly TerminalStatus[]): boolean =>
  terminals.length > 0 && terminals.every(isElsewhere);
export const isElsewhere = ({ outage }: TerminalStatus): boolean => outage?.reason === 'elsewhere';

/** It can release, and no part of it is away. */
const isInOrder = (terminal: TerminalStatus): boolean => isElsewhere(terminal) || isServing(terminal);
const isServing = ({ ready, readers, prompt, outage }: TerminalStatus): boolean =>
  ready && outage === null && readers.every(({ state }) => state === 'up') && prompt?.state !== 'down';

const heading = ['TERMINAL', 'STATE', 'PRINTER', 'READERS', 'PROMPT'];
/** A longer name gets its own line, so that the columns stay aligned. */
const widestName = 24;

function tableOf(terminals: readonly TerminalStatus[], { dot, paint, width }: Look): readonly string[] {
  const rows = terminals.map((terminal) => cellsOf(terminal).map(printable));
  const widths = heading.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(columnsOf)),
  );
  const [nameWidth = 0, ...others] = widths;
  const name = Math.min(nameWidth, widestName);
  const line = ([first = '', ...rest]: readonly string[]) =>
    [padded(first, name), ...rest.map((cell, column) => padded(cell, others[column] ?? 0))]
      .join('  ')
      .trimEnd();
  return [
    paint(startOf(width, `  ${line(heading)}`), 'bold'),
    ...rows.flatMap((row, index) => {
      const terminal = terminals[index];
      const mark = paint(dot, terminal && isInOrder(terminal) ? 'green' : terminal?.ready ? 'yellow' : 'red');
      const [id = '', ...rest] = row;
      const lines = columnsOf(id) > name ? [id, line(['', ...rest])] : [line(row)];
      return lines.map((text, nth) => `${nth === 0 ? mark : ' '} ${startOf(width - 2, text)}`);
    }),
  ];
}

/** It tells that a session is open, but not whose. */
function cellsOf(terminal: TerminalStatus): readonly string[] {
  const { id, readers, prompt } = terminal;
  const up = readers.filter(({ state }) => state === 'up').length;
  const [only, another] = readers;
  const counted = another ? `${up} of ${readers.length} up` : (only?.state ?? 'none');
  return [id, stateOf(terminal), printerOf(terminal), counted, prompt?.state ?? '-'];
}

function stateOf({ state, ready, outage }: TerminalStatus): string {
  if (state === 'outOfService') return outage?.reason === 'elsewhere' ? 'elsewhere' : 'out of service';
  if (state !== 'prompting') return 'in a session';
  return ready ? 'ready' : 'not ready';
}

const printerStates: Readonly<Record<string, string>> = {
  idle: 'ready',
  processing: 'printing',
  stopped: 'stopped',
  unreachable: 'away',
};

/** An obstacle comes before the activity: a printer that accepts no jobs calls itself idle. */
export function printerOf({ printer }: Pick<TerminalStatus, 'printer'>): string {
  const needed = needText(printer.needs);
  if (needed !== undefined) return needed;
  if (printer.acceptingJobs === false) return 'accepts no jobs';
  if (printer.assumed === true) return 'not asked';
  if (printer.ready === false && printer.state === 'idle') return 'not ready';
  return printerStates[printer.state] ?? printer.state.slice(0, 14);
}

function outageLines({ id, outage }: TerminalStatus, { width }: Look): readonly string[] {
  if (!outage) return [];
  const { reason, reference, userCode, by } = outage;
  if (by !== undefined) return ['', ...wrapped(printable(`${id} is served by ${by}`), { width, indent: 2 })];
  const code = userCode === undefined ? '' : `, user code ${userCode}`;
  const text = `${id} is out of service: ${outageReason(reason)}${code}, reference ${reference} in the log`;
  return ['', ...wrapped(printable(text), { width, indent: 2 })];
}
