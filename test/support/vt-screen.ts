/**
 * As much of a terminal of 80 columns and 24 lines as the prompt uses (ECMA-48, xterm's ctlseqs): what it would show,
 * and what can still be scrolled back to. Anything else that is written to it fails the test.
 */
export interface VtScreen {
  write(text: string): void;
  readonly lines: readonly string[];
  text(): string;
  /** Modes that are set, as `?1049`. */
  readonly modes: ReadonlySet<string>;
  readonly cursor: { readonly row: number; readonly column: number };
}

const size = { rows: 24, columns: 80 };

export function createVtScreen(): VtScreen {
  let lines = Array.from({ length: size.rows }, () => '');
  const modes = new Set(['?7', '?25']);
  let cursor = { row: 0, column: 0 };
  let unread = '';

  const actions: readonly (readonly [RegExp, (parameters: string) => void])[] = [
    [/^\u001b\[(\d+;\d+)H/, (at) => moveTo(at)],
    [/^\u001b\[(H)/, () => moveTo('1;1')],
    [/^\u001b\[(0m)/, () => {}],
    [/^\u001b\[([23])J/, () => void (lines = lines.map(() => ''))],
    [/^\u001b\[(2)K/, () => void (lines[cursor.row] = '')],
    [/^\u001b\[(\?\d+)h/, (mode) => void modes.add(mode)],
    [/^\u001b\[(\?\d+)l/, (mode) => void modes.delete(mode)],
    [/^([^\p{Cc}]+)/u, (text) => print(text)],
  ];

  function moveTo(at: string): void {
    const [row = 1, column = 1] = at.split(';').map(Number);
    cursor = { row: row - 1, column: column - 1 };
  }

  function print(text: string): void {
    const line = (lines[cursor.row] ?? '').padEnd(cursor.column);
    lines[cursor.row] = line.slice(0, cursor.column) + text + line.slice(cursor.column + text.length);
    cursor = { row: cursor.row, column: cursor.column + text.length };
  }

  return {
    write(text) {
      unread += text;
      while (unread !== '' && !isHalf.test(unread)) {
        const [form, act] = actions.find(([one]) => one.test(unread)) ?? [];
        const match = form?.exec(unread);
        if (!match || !act) throw new Error(`no terminal was told what to do with ${JSON.stringify(unread)}`);
        act(match[1] ?? '');
        unread = unread.slice(match[0].length);
      }
    },
    get lines() {
      return lines;
    },
    text: () => lines.join('\n'),
    modes,
    get cursor() {
      return cursor;
    },
  };
}

/** The rest of a sequence is still to come. */
const isHalf = /^\u001b(?:\[[?;\d]*)?$/;
