/**
 * The control sequences that bring a screen onto a terminal (ECMA-48; `?1049`, `?2004` and `3J` as in xterm's ctlseqs).
 * Lines stand at fixed rows and never wrap, so that a terminal that counts columns otherwise garbles one line at most.
 */
import type { Screen } from './screen.ts';

const escape = '\u001b';

/** Without the scrollback too: what the person before saw must not be scrolled back to. */
const clear = `${escape}[0m${escape}[2J${escape}[3J${escape}[H`;

/** The alternate screen, no wrapping, and pastes marked as such. */
export const enterScreen = `${escape}[?1049h${escape}[?7l${escape}[?2004h${clear}`;
export const leaveScreen = `${clear}${escape}[?2004l${escape}[?7h${escape}[?25h${escape}[?1049l`;

/** What changes `before` into the screen; everything is cleared first where it is another person's, or nothing is known. */
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
