/**
 * The commands at `platen simulate printer`: faults of a printer, and their end. Each line gives a text. It knows no
 * keyboard and no screen.
 */
import type { Duration } from '../../core/duration.ts';
import { seconds } from '../../core/duration.ts';
import type { ConsoleCommand, Reply } from './console.ts';
import { command, commandIn, commandList } from './console.ts';

/**
 * The orders that a virtual printer understands, IPP or raw. A missing method is an order that it does not understand.
 */
export interface PrinterUnderOrders {
  /** Stops with this printer-state-reason (RFC 8011 section 5.4.12), until `clear`. */
  stop(reason: string): Promise<void>;
  jamAfter?(pages: number): Promise<void>;
  slowDown?(pageTime: Duration): Promise<void>;
  goAway(): Promise<void>;
  clear(): Promise<void>;
}

type Act = (printer: PrinterUnderOrders, words: readonly string[]) => Promise<string>;

const cannot = (what: string) => new RangeError(`a raw printer cannot ${what}. Type help`);

const stopped =
  (reason: string, answer: string): Act =>
  async (printer) => {
    await printer.stop(reason);
    return answer;
  };

const commands: readonly ConsoleCommand<Act>[] = [
  command('help', 'show this list', async () => commandList(commands)),
  command('empty', 'the paper has run out', stopped('media-empty-error', 'The paper tray is empty.')),
  command('jam [PAGES]', 'paper jams now, or in each job after this number of pages', jam),
  command('door', 'a door is open', stopped('door-open-error', 'A door is open.')),
  command('away', 'the printer no longer accepts connections', async (printer) => {
    await printer.goAway();
    return 'The printer is away.';
  }),
  command('slow [SECONDS]', 'the seconds that each page takes (5)', slow),
  command('clear', 'the printer is ready again, and jobs continue', async (printer) => {
    await printer.clear();
    return 'The printer is ready again.';
  }),
  command('quit', 'end the simulated printer', async () => ''),
];

export async function replyToPrinter(printer: PrinterUnderOrders, line: string): Promise<Reply> {
  const typed = commandIn(commands, line);
  if (!typed) return { kind: 'mistake', text: `${line} is not a command. The commands are: ${known}` };
  if (typed.found.name[0] === 'quit') return { kind: 'quit', text: '' };
  try {
    return { kind: 'done', text: await typed.found.act(printer, typed.rest) };
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'mistake', text: error.message };
    throw error;
  }
}

const known = commands.map(({ name }) => name.join(' ')).join(', ');

async function jam(printer: PrinterUnderOrders, [pages]: readonly string[]): Promise<string> {
  if (pages === undefined) {
    await printer.stop('media-jam-error');
    return 'Paper has jammed.';
  }
  if (!printer.jamAfter) throw cannot('jam later');
  const count = within(pages, [0, 9999], 'PAGES');
  await printer.jamAfter(count);
  return `Paper jams after ${count} pages of each job.`;
}

async function slow(printer: PrinterUnderOrders, [span = '5']: readonly string[]): Promise<string> {
  if (!printer.slowDown) throw cannot('be slow');
  const count = within(span, [1, 3600], 'SECONDS');
  await printer.slowDown(seconds(count));
  return `Each page takes ${count} s.`;
}

function within(text: string, [least, most]: readonly [number, number], name: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (number < least || number > most)
    throw new RangeError(`${name} is a whole number from ${least} to ${most}`);
  return number;
}
