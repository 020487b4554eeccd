/**
 * Every habit of the virtual raw printer, and what is said of three documents in a row that are sent there: what came out by
 * the printer's own record, the words that are true of each, and how long people wait for the three.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { isProblem } from '../../../src/domain/problem/problem.ts';
import type { SocketPrinterDeps } from '../../../src/printing/raw/socket-printer.ts';
import type { SocketHabitWish } from '../../../src/simulator/printer/raw/socket-habits.ts';
import { socketPrinterHabits } from '../../../src/simulator/printer/raw/socket-habits.ts';
import type { SocketPrinterVoice } from '../../../src/simulator/printer/raw/pjl-dialogue.ts';
import { openRawPrinter, sendBytes, virtualSocketPrinter } from '../../support/printer/raw-printers.ts';
import { pdfOf } from '../../support/printer/samples.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';

interface Row {
  readonly as: SocketHabitWish;
  readonly voice?: SocketPrinterVoice;
  readonly options?: Partial<SocketPrinterDeps>;
  /** Of the three, in the order in which they were sent. */
  readonly said: readonly string[];
  /** Of those that the printer has whole. */
  readonly came: number;
  /** Seconds in which all three are over. */
  readonly within: number;
}

const printed = { said: ['device', 'device', 'device'], came: 3 };
const handedOver = { said: ['handed-over', 'handed-over', 'handed-over'], came: 3 };
const talks = { voice: { kind: 'talks' } } as const;

const rows: Readonly<Record<keyof typeof socketPrinterHabits, readonly Omit<Row, 'as'>[]>> = {
  'prints-empty-connections': [{ ...handedOver, within: 5 }],
  'closes-late': [
    { ...handedOver, within: 35 },
    // What it has said is the end, and yet it serves nobody else before it has closed.
    { ...printed, ...talks, within: 35 },
  ],
  'answers-nothing': [{ ...handedOver, within: 5 }],
  'closes-first': [
    { ...handedOver, within: 5 },
    { ...handedOver, options: { pjl: 'off' }, within: 5 },
    { ...printed, ...talks, within: 5 },
  ],
  'half-shut': [
    { ...handedOver, within: 5 },
    { ...handedOver, options: { pjl: 'off' }, within: 5 },
  ],
  'resets-at-end': [
    { said: Array.from({ length: 3 }, () => 'ended-by-reset, perhaps'), came: 3, within: 5 },
    { ...handedOver, options: { resetIsEnd: true }, within: 5 },
    { ...printed, ...talks, within: 5 },
  ],
  'puts-out': [
    { ...handedOver, within: 10 },
    { ...handedOver, options: { pjl: 'off' }, within: 10 },
  ],
  pauses: [{ ...handedOver, within: 130 }],
  'talks-of-others': [{ ...handedOver, within: 15 }],
  'answers-no-question': [{ ...printed, within: 10 }],
  'wants-paper': [{ ...printed, within: 5 }],
  // Somebody is told of it once; who asks again is printed for.
  'stands-for-paper': [{ said: ['device', 'printer-not-ready, not-sent', 'device'], came: 2, within: 5 }],
  'online-in-trouble': [{ said: ['device', 'printer-not-ready, not-sent', 'device'], came: 2, within: 5 }],
  'never-online': [{ ...printed, within: 5 }],
};

const names = Object.keys(socketPrinterHabits) as (keyof typeof socketPrinterHabits)[];

const all = names.flatMap((name) => rows[name].map((row) => ({ as: name, ...row })));

async function become({ as, voice, options }: Pick<Row, 'as' | 'voice' | 'options'>) {
  const time = createVirtualTime();
  const clock = time.clock();
  const peer = await virtualSocketPrinter({ habits: [as], clock, ...(voice ? { voice } : {}) });
  const printer = openRawPrinter(peer.uri, { clock, stall: 'auto', jobStall: 'auto', ...options });
  const words: string[] = [];
  const since = clock.monotonic();
  for (const length of [5000, 300_000, 3_000_000]) {
    const end = sendBytes(printer, pdfOf(length)).then(
      (report) => (report ? 'device' : 'handed-over'),
      (problem: unknown) => (isProblem(problem) ? `${problem.code}, ${problem.delivery}` : String(problem)),
    );
    words.push(await time.until(end));
  }
  const took = clock.monotonic() - since;
  await peer.waitFor(() => peer.outputs.length > 0);
  return { peer, words, took };
}

it('the page about habits has a row for each', () => {
  const page = readFileSync('systemd/printer-habits.md', 'utf8');
  const [, table = ''] = /<!-- raw habits -->([^]*)<!-- \/raw habits -->/.exec(page) ?? [];
  expect([...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)).toEqual(names);
});

describe('three documents at a raw printer with a habit: what came out, and what is said of each (I1, I12)', () => {
  it.each(all)('$as, $voice.kind, $options: $said', async ({ said, came, within, ...row }) => {
    const { peer, words, took } = await become(row);
    expect(words).toEqual(said);
    expect(peer.outputs.filter(({ complete }) => complete)).toHaveLength(came);
    expect(took).toBeLessThan(seconds(within));
    expect(peer.deviations).toEqual([]);
  });
});
