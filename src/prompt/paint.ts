/**
 * The control sequences that draw a screen on a terminal (ECMA-48; `?1049`, `?2004` and `3J` as in xterm's ctlseqs).
 * Each line has a fixed row and never wraps. A terminal that measures columns differently therefore garbles at most one
 * line.
 */
import type { Screen } from './screen.ts';

const escape = '\u001b';

/** It also clears the scrollback, so that the next person cannot scroll back to the previous session. */
const clear = `${escape}[0m${escape}[2J${escape}[3J${escape}[H`;

/** The alternate screen, without wrapping, and with marked pastes. */
export const enterScreen = `${escape}[?1049h${escape}[?7l${escape}[?2004h${clear}`;
export const leaveScreen = `${clear}${escape}[?2004l${escape}[?7h${escape}[?25h${escape}[?1049l`;

/**
 * The sequences that turn `before` into the screen. Everything is cleared if the generation differs or if the current
 * content is unknown.
 */
export function paint(screen: Screen, before: Screen | undefined): string {
  const isClean = before?.generation !== screen.generation;
  const lines = screen.lines.flatMap((line, row) => {
    if (line === (isClean ? '' : before?.lines[row])) return [];
    return `${at(row, 0)}${escape}[2K${line}`;
  });
  const { cursor } = screen;
  const isCursorSame =
    lines.length === 0 &&
    !isClean &&
    cursor?.row === before?.cursor?.row &&
    cursor?.column === before?.cursor?.column;
  const tail = cursor ? `${at(cursor.row, cursor.column)}${escape}[?25h` : `${escape}[?25l`;
  return (isClean ? clear : '') + lines.join('') + (isCursorSame ? '' : tail);
}

const at = (row: number, column: number): string => `${escape}[${row + 1};${column + 1}H`;
