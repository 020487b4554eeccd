/** Text that fits a screen: broken between words, and a word that is wider than the screen within itself. */
import { columnsOf, startOf } from '../../prompt/columns.ts';

/** What comes after the first line is indented by so many columns. */
export function wrapped(
  text: string,
  { width, indent }: { width: number; indent: number },
): readonly string[] {
  const room = Math.max(width - indent, 20);
  const lines: string[] = [];
  let line = '';
  const push = () => {
    lines.push(`${lines.length === 0 ? '' : ' '.repeat(indent)}${line}`);
    line = '';
  };
  for (const word of text.split(/\s+/)) {
    let rest = word;
    if (line !== '' && columnsOf(line) + 1 + columnsOf(rest) > room) push();
    while (columnsOf(rest) > room) {
      line = startOf(room, rest);
      rest = rest.slice(line.length);
      push();
    }
    line = line === '' ? rest : `${line} ${rest}`;
  }
  if (line !== '' || lines.length === 0) push();
  return lines;
}

/** As systemctl(1) has it: names end at their colon, what is said of them stands at the right and goes on below. */
export function labelled(
  label: string,
  text: string,
  { width, at }: { width: number; at: number },
): readonly string[] {
  const [first = '', ...rest] = wrapped(text, { width, indent: at });
  return [`${(label === '' ? '' : `${label}:`).padStart(at - 1)} ${first}`, ...rest];
}

/** Of a table: a row that went on below would be none any more. */
export const cutTo = (width: number, text: string): readonly string[] =>
  text.split('\n').map((line) => (columnsOf(line) > width ? `${startOf(width - 1, line)}…` : line));
