/**
 * `platen simulate printer|reader`: one embedded device, until SIGTERM or SIGINT. The command listens for signals
 * before it opens the device, so an early signal ends it normally.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { aborted } from '../../core/service.ts';
import { habitsInWords, mistakeIn } from '../../simulator/habit-table.ts';
import { printerHabits } from '../../simulator/printer/habits/habits.ts';
import type { VirtualNetworkReader } from '../../simulator/reader/network-reader.ts';
import { startDiallingReader, startWaitingReader } from '../../simulator/reader/network-reader.ts';
import type { VirtualReader } from '../../simulator/reader/reader.ts';
import { startVirtualReader } from '../../simulator/reader/reader.ts';
import { socketPrinterHabits } from '../../simulator/printer/raw/socket-habits.ts';
import { answering } from './answering.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { refuseSimulator } from './simulator-place.ts';
import { replyToPrinter } from './printer-console.ts';
import { startIppPrinter, startRawPrinter } from './simulated-printer.ts';
import { onTypedLine } from '../terminal-text/typed-lines.ts';

export interface PrinterSimulation {
  readonly port: number;
  readonly output: string;
  readonly raw?: boolean;
  readonly pjl?: boolean;
  /** The number that it reports by IPP. */
  readonly serialNumber: string;
  readonly habit?: readonly string[];
}

export async function simulatePrinter(
  { port, output, raw, pjl, serialNumber, habit = [] }: PrinterSimulation,
  io: Io,
): Promise<number> {
  const table = raw ? socketPrinterHabits : printerHabits;
  if (habit.includes('list')) {
    for (const words of habitsInWords(table)) io.out(words);
    return exitCode.ok;
  }
  const mistakes = habit.flatMap((wish) => mistakeIn(table, wish) ?? []);
  for (const sentence of mistakes) io.error(`platen: ${sentence}`);
  if (mistakes.length > 0) return exitCode.usage;
  refuseSimulator();
  const common = { port, outputFolder: resolve(output) };
  if (statSync(common.outputFolder, { throwIfNoEntry: false })?.isDirectory() === false) {
    io.error(
      `platen: --output ${common.outputFolder} is not a folder. Give a folder, or the name of a new one`,
    );
    return exitCode.usage;
  }
  const { stop } = io;
  await using printer = raw
    ? await startRawPrinter({ ...common, isTalking: pjl === true, habit })
    : await startIppPrinter({ ...common, serialNumber, habit });
  io.out(stringify({ printer: { uri: printer.uri } }).trimEnd());
  io.out(`printed files: ${common.outputFolder}`);
  if (habit.length > 0) io.out(`habits: ${habit.join(', ')}`);
  io.out('Type empty, jam, door, away, slow or clear. Type help for more.');
  printer.onEvent((sentence) => io.out(sentence));
  await answering(io, stop, (line) => replyToPrinter(printer.orders, line));
  return exitCode.ok;
}

const readerHelp = 'Type a card number and press Enter to hold that card to the reader. Press Ctrl-C to end.';

export async function simulateReader(options: ReaderSimulation, io: Io): Promise<number> {
  refuseSimulator();
  const { stop } = io;
  await using simulated = await startReader(options);
  io.out(`readers: [{ ${simulated.setting} }]`);
  io.out(`or: platen init --reader '${simulated.answer}'`);
  io.out(readerHelp);
  onTypedLine((line) => {
    if (line === 'help') io.out(readerHelp);
    else void simulated.reader.tap(line);
  }, stop);
  await aborted(stop);
  return exitCode.ok;
}

export interface ReaderSimulation {
  readonly link: string;
  readonly dial?: number;
  readonly wait?: number;
}

/** The reader, its part of a configuration, and its answer for `platen init`. */
async function startReader({ link, dial, wait }: ReaderSimulation) {
  const host = '127.0.0.1';
  const hello = 'SIMULATED';
  if (dial !== undefined)
    return opened(
      startDiallingReader({ host, port: dial, hello }),
      `type: tcp-listen, listen: ${host}:${dial}, hello: ${hello}`,
      `tcp-listen:${host}:${dial}?hello=${hello}`,
    );
  if (wait !== undefined) {
    const reader = await startWaitingReader({ port: wait });
    const address = `${host}:${reader.port}`;
    return opened(reader, `type: tcp-connect, address: ${address}`, `tcp-connect:${address}`);
  }
  const path = resolve(link);
  return opened(await startVirtualReader({ link: path }), `type: serial, path: ${path}`, path);
}

const opened = (reader: VirtualReader | VirtualNetworkReader, setting: string, answer: string) => ({
  reader,
  setting,
  answer,
  [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
});
