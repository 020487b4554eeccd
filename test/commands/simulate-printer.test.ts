/** `platen simulate printer --habit`: the list, mistakes, and a printer that has what was asked for. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printerHabits } from '../../src/simulator/printer/habits/habits.ts';
import { socketPrinterHabits } from '../../src/simulator/printer/raw/socket-habits.ts';
import { commandHere } from '../support/command-here.ts';

const simulatePrinter = ['simulate', 'printer', '--port', '0'];

test.each([
  { args: [], habits: printerHabits },
  { args: ['--raw'], habits: socketPrinterHabits },
])('$args --habit list says of each habit what it does and where that is told', async ({ args, habits }) => {
  const { code, out } = await commandHere([...simulatePrinter, ...args, '--habit', 'list']);
  expect(code).toBe(0);
  for (const [name, { does, source }] of Object.entries(habits)) {
    expect(out).toMatch(new RegExp(`^${name.replaceAll('.', '\\.')}[:=]`, 'm'));
    expect(out).toContain(does);
    expect(out).toContain(source);
  }
});

test('--habit list shows the value a habit has', async () => {
  const { out } = await commandHere([...simulatePrinter, '--habit', 'list']);
  expect(out).toContain('cuts-names=63 (octets, from 1 to 255): job-name comes back cut');
});

test.each([
  [['--habit', 'sings'], 'no habit is called sings. Known are: counts-late, '],
  [['--habit', 'counts-late', '--habit', 'cuts-names=some'], 'the value of the habit cuts-names is octets'],
  [['--output', import.meta.filename], 'is not a folder. Give a folder, or the name of a new one'],
  [['--raw', '--habit', 'counts-late'], 'Known are: prints-empty-connections, closes-late, answers-nothing'],
])('%j is a mistake of use', async (args, reported) => {
  const { code, error } = await commandHere([...simulatePrinter, ...args]);
  expect([code, error]).toEqual([64, expect.stringContaining(reported)]);
});

test.each([
  { args: ['--habit', 'counts-late', '--habit', 'cuts-names=80'], uri: /^printer:\n {2}uri: ipp:/m },
  { args: ['--raw', '--habit', 'closes-late=20'], uri: /^printer:\n {2}uri: socket:/m },
])('a printer with $args names its habits when it starts', async ({ args, uri }) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-habits-'));
  try {
    const { code, out } = await commandHere(
      [...simulatePrinter, '--output', folder, ...args],
      AbortSignal.abort(),
    );
    const habits = args.filter((arg) => !arg.startsWith('--')).join(', ');
    expect(code).toBe(0);
    expect(out).toMatch(uri);
    expect(out).toContain(`habits: ${habits}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
