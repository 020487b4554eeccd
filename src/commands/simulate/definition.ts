/** The options of `platen simulate`, one embedded piece each. */
import type { Command } from 'commander';
import { Option } from 'commander';
import type { Calls } from '../calls.ts';
import { portNumber, wholeNumber } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  const simulate = program
    .command('simulate')
    .description('run one simulated part alone, where platen.service is not running');
  defineCloud(simulate, calls);
  definePrinter(simulate, calls);
  defineReader(simulate, calls);
}

function defineCloud(simulate: Command, calls: Calls): void {
  simulate
    .command('cloud')
    .description('a strict print service on the loopback address')
    .option('--port <number>', 'where it listens', portNumber, 7300)
    .option('--api-key <key>', 'the API key it accepts', 'sample-api-key')
    .addOption(
      new Option(
        '--approve <how>',
        'by-hand, at-once, or the number of polls after which a device is approved',
      )
        .default('by-hand')
        .argParser(approval),
    )
    .option('--state <file>', 'keep the state in this file')
    .option('--gateway', 'answer as a gateway does, which has no certificates')
    .action(calls.does(async () => (await import('./simulate.ts')).simulateCloud));
}

function definePrinter(simulate: Command, calls: Calls): void {
  simulate
    .command('printer')
    .description(
      'a virtual printer that writes what it prints to a folder; IPP, or raw TCP with --raw; takes words as empty and jam',
    )
    .option('--port <number>', 'where it listens', portNumber, 8631)
    .option('--output <folder>', 'where the printed files go', 'printed')
    .option('--raw', 'take raw bytes, as printers do on port 9100')
    .option('--pjl', 'with --raw: answer in PJL, and tell the end of each job')
    .option('--serial-number <number>', 'the serial number it tells, by IPP', 'SN-0001')
    .option(
      '--habit <name...>',
      'do as real ones do, as in counts-late or cuts-names=80; list names them all',
    )
    .action(calls.does(async () => (await import('./simulate.ts')).simulatePrinter));
}

function defineReader(simulate: Command, calls: Calls): void {
  simulate
    .command('reader')
    .description('a badge reader on a pseudo-terminal or the network; each line typed is a badge')
    .option('--link <path>', 'a name for the pseudo-terminal that stays the same', 'platen-reader')
    .option('--dial <port>', 'instead: dials in at this port of this machine (tcp-listen)', portNumber)
    .option('--wait <port>', 'instead: waits at this port to be dialled (tcp-connect)', portNumber)
    .action(calls.does(async () => (await import('./simulate.ts')).simulateReader));
}

function approval(text: string): 'by-hand' | 'at-once' | { afterPolls: number } {
  return text === 'by-hand' || text === 'at-once' ? text : { afterPolls: wholeNumber(text) };
}
