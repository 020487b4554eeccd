/** Text that fits a screen. Lines break between words; only a word that is wider than the screen is broken inside. */
import { columnsOf, startOf } from '../../prompt/columns.ts';

/** All lines after the first are indented by this number of columns. */
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

/** As in systemctl(1): labels end at the same colon, and their texts continue below on the right. */
export function labelled(
  label: string,
  text: string,
  { width, at }: { width: number; at: number },
): readonly string[] {
  const [first = '', ...rest] = wrapped(text, { width, indent: at });
  return [`${(label === '' ? '' : `${label}:`).padStart(at - 1)} ${first}`, ...rest];
}

/** For rows of a table, which must stay one line. */
export const cutTo = (width: number, text: string): readonly string[] =>
  text.split('\n').map((line) => (columnsOf(line) > width ? `${startOf(width - 1, line)}…` : line));
