/** One line of the log as a person reads it: when, in the time of the machine, which terminal, and what. */
import { isoWithOffset } from '../../core/clock.ts';
import { printable } from '../../core/log.ts';
import type { Io } from '../io.ts';
import type { Color } from '../terminal-text/screen.ts';
import { paintFor } from '../terminal-text/screen.ts';
import type { LogLine } from './log-line.ts';
import { terminalOf } from './log-line.ts';
import { sentenceOf } from './sentences.ts';

const marks: ReadonlyMap<string, readonly [string, Color]> = new Map([
  ['warn', ['Warning: ', 'yellow']],
  ['error', ['Error: ', 'red']],
  ['fatal', ['Error: ', 'red']],
]);

/** `2026-11-22 10:15:03` */
const stampWidth = 19;
const longestId = 32;

/** Terminals are met one after the other: the column for them grows, and never shrinks. */
export function createTeller(io: Pick<Io, 'out' | 'screen'>): (line: LogLine) => void {
  const paint = paintFor(io.screen);
  let width = 0;
  return (line) => {
    const { at, record, text } = line;
    const terminal = printable(terminalOf(line) ?? '').slice(0, longestId);
    width = Math.max(width, terminal.length);
    const when = at === undefined ? '' : isoWithOffset(at).slice(0, stampWidth).replace('T', ' ');
    const where = width === 0 ? '' : `${terminal.padEnd(width)}  `;
    const sentence = record ? sentenceOf(record) : printable(text);
    const [word, color] = (record && marks.get(record.level)) ?? ['', undefined];
    const words = color ? paint(`${word}${sentence}`, color) : sentence;
    io.out(`${when.padEnd(stampWidth)}  ${where}${words}`);
  };
}
