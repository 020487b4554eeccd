/**
 * The terminal of a person, as far as the commands use it: its size, colours (NO_COLOR, https://no-color.org), and the
 * few necessary control sequences of ECMA-48. Names from others pass `printable` before they come here.
 */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly hasColor: boolean;
  write(text: string): void;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** `undefined` if no person looks: a pipe, a file, or a dumb terminal. */
export function screenOf(stream: NodeJS.WriteStream, env: Env): Screen | undefined {
  if (!stream.isTTY || env['TERM'] === 'dumb') return undefined;
  return {
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
    hasColor: (env['NO_COLOR'] ?? '') === '',
    write: (text) => void stream.write(text),
  };
}

/** Eighty columns if the width is not known. */
export const screenWidth = (screen: Screen | undefined): number => Math.max(screen?.columns ?? 80, 40);

/** Goes to the first column and erases the line. */
export const eraseLine = '\r\u001B[2K';
/**
 * The alternate screen, without a cursor. Long lines are cut and do not wrap (DECAWM). `leaveScreen` brings the old
 * content back.
 */
export const enterScreen = '\u001B[?1049h\u001B[?25l\u001B[?7l';
export const leaveScreen = '\u001B[?7h\u001B[?25h\u001B[?1049l';
export const toTop = '\u001B[H';
export const eraseToEndOfLine = '\u001B[K';
export const eraseBelow = '\u001B[J';

const colors = { green: 32, yellow: 33, red: 31, bold: 1, dim: 2 } as const;
export type Color = keyof typeof colors;

export type Paint = (text: string, color: Color) => string;

export const paintFor = (screen: Screen | undefined): Paint =>
  screen?.hasColor ? (text, color) => `\u001B[${colors[color]}m${text}\u001B[0m` : (text) => text;

/** As systemctl(1): a dot if the locale can show it. */
export const dotOf = (env: Env): string =>
  /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '') ? '●' : '*';
