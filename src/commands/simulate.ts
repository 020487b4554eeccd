/** `platen simulate cloud|printer|reader`: one embedded piece alone, until SIGTERM or SIGINT. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { aborted } from '../core/service.ts';
import type { CloudOptions } from '../simulator/cloud.ts';
import { startCloud } from '../simulator/cloud.ts';
import type { HabitTable, WishIn } from '../simulator/habit-table.ts';
import { habitsInWords, isWishIn, mistakeIn } from '../simulator/habit-table.ts';
import { printerHabits } from '../simulator/printer-habits.ts';
import { startVirtualPrinter } from '../simulator/printer.ts';
import type { VirtualNetworkReader } from '../simulator/network-reader.ts';
import { startDiallingReader, startWaitingReader } from '../simulator/network-reader.ts';
import type { VirtualReader } from '../simulator/reader.ts';
import { startVirtualReader } from '../simulator/reader.ts';
import { socketPrinterHabits } from '../simulator/socket-printer-habits.ts';
import { startVirtualSocketPrinter } from '../simulator/socket-printer.ts';
import { replyTo } from './cloud-console.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';
import { refuseSimulator } from './simulator-place.ts';
import { onTypedLine } from './typed-lines.ts';

export interface CloudSimulation {
  readonly port: number;
  readonly apiKey: string;
  readonly approve: NonNullable<CloudOptions['approval']>;
  readonly state?: string;
  readonly gateway?: boolean;
}

export async function simulateCloud(
  { port, apiKey, approve, state, gateway }: CloudSimulation,
  io: Io,
): Promise<number> {
  refuseSimulator();
  await using cloud = await startCloud({
    port,
    apiKey,
    approval: approve,
    role: gateway ? 'gateway' : 'primary',
    ...(state === undefined ? {} : { stateFile: resolve(state) }),
  });
  io.out(`cloud.baseUrl: ${cloud.baseUrl}`);
  io.out(`cloud.authUrl: ${cloud.authUrl}`);
  io.out(`cloud.apiKey: ${cloud.apiKey}`);
  for (const { userName, cards } of cloud.state.users) io.out(`card of ${userName}: ${cards.join(', ')}`);
  io.out(`Approve waiting devices: type approve here, or curl -X POST ${cloud.baseUrl}/simulator/approve`);
  io.out('Type help for everything else.');
  cloud.onEvent((sentence) => io.out(sentence));
  const quit = new AbortController();
  const end = AbortSignal.any([io.stop, quit.signal]);
  onTypedLine((line) => {
    const { kind, text } = replyTo(cloud, line);
    if (kind === 'quit') quit.abort();
    else if (kind === 'mistake') io.error(`platen: ${text}`);
    else if (text !== '') io.out(text);
  }, end);
  await aborted(end);
  return exitCode.ok;
}

export interface PrinterSimulation {
  readonly port: number;
  readonly output: string;
  readonly raw?: boolean;
  readonly pjl?: boolean;
  readonly habit?: readonly string[];
}

export async function simulatePrinter(
  { port, output, raw, pjl, habit = [] }: PrinterSimulation,
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
    io.error(`platen: --output ${common.outputFolder} is no folder: name one, or one that can be made`);
    return exitCode.usage;
  }
  const voice = { kind: pjl ? 'talks' : 'mute' } as const;
  await using printer = raw
    ? await startVirtualSocketPrinter({ ...common, voice, habits: wishesFor(socketPrinterHabits, habit) })
    : await startVirtualPrinter({ ...common, habits: wishesFor(printerHabits, habit) });
  io.out(`printer.uri: ${printer.uri}`);
  io.out(`printed files: ${common.outputFolder}`);
  if (habit.length > 0) io.out(`habits: ${habit.join(', ')}`);
  printer.onEvent((sentence) => io.out(sentence));
  await aborted(io.stop);
  return exitCode.ok;
}

const wishesFor = <Table extends HabitTable>(
  table: Table,
  habit: readonly string[],
): readonly WishIn<Table>[] => habit.filter((wish) => isWishIn(table, wish));

export async function simulateReader(options: ReaderSimulation, io: Io): Promise<number> {
  refuseSimulator();
  await using simulated = await startReader(options);
  io.out(`readers: [{ ${simulated.setting} }]`);
  io.out('Type a card number and Enter to hold that card to the reader.');
  onTypedLine((line) => void simulated.reader.tap(line), io.stop);
  await aborted(io.stop);
  return exitCode.ok;
}

export interface ReaderSimulation {
  readonly link: string;
  readonly dial?: number;
  readonly wait?: number;
}

/** The reader, and what the configuration says of it. */
async function startReader({ link, dial, wait }: ReaderSimulation) {
  const host = '127.0.0.1';
  const hello = 'SIMULATED';
  if (dial !== undefined)
    return opened(
      startDiallingReader({ host, port: dial, hello }),
      `type: tcp-listen, listen: ${host}:${dial}, hello: ${hello}`,
    );
  if (wait !== undefined) {
    const reader = await startWaitingReader({ port: wait });
    return opened(reader, `type: tcp-connect, address: ${host}:${reader.port}`);
  }
  const path = resolve(link);
  return opened(await startVirtualReader({ link: path }), `type: serial, path: ${path}`);
}

const opened = (reader: VirtualReader | VirtualNetworkReader, setting: string) => ({
  ...{ reader, setting },
  [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
});
