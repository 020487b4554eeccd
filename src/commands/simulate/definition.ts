/** The options of `platen simulate`, one embedded piece each. */
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { ListenAddress } from '../../listener/address.ts';
import { keyAllowances } from '../../simulator/cloud/settings.ts';
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
    .description('a strict print service, on the loopback address unless said')
    .option('--port <number>', 'where it listens', portNumber, 7300)
    .addOption(
      new Option(
        '--listen <host[:port]>',
        'where it listens, port 7300 unless said; beyond the loopback address with TLS only',
      )
        .conflicts('port')
        .argParser(listenPlace),
    )
    .option('--tls-cert <file>', 'serve HTTPS with this certificate, in PEM')
    .option('--tls-key <file>', 'the private key of the certificate, in PEM')
    .option('--oauth-port <number>', 'serve OAuth at this port, not beside the API', portNumber)
    .option(
      '--api-key <key>',
      'an API key it accepts, sample-api-key unless said; may be given several times',
      furtherKey,
    )
    .addOption(
      new Option('--key-allows <what...>', 'what the API keys allow beyond the usual').choices(keyAllowances),
    )
    .addOption(
      new Option(
        '--approve <how>',
        'by-hand, at-once, or the number of polls after which a device is approved',
      )
        .default('by-hand')
        .argParser(approval),
    )
    .option('--seed <file>', 'begin with the people, documents and ports of this YAML file')
    .option('--state <file>', 'keep the state in this file')
    .option('--gateway', 'answer as a gateway does, which has no certificates')
    .action(calls.does(async () => (await import('./cloud.ts')).simulateCloud));
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

/** Of IPv6 in brackets, as in a URL. */
function listenPlace(text: string): ListenAddress {
  const [, bracketed, plain, port = '7300'] =
    /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s/]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw new InvalidArgumentError('must be HOST or HOST:PORT, IPv6 in brackets.');
  return { host, port: portNumber(port) };
}

/** As it can stand in a header, and in a form without more ado. */
function furtherKey(text: string, earlier: readonly string[] = []): readonly string[] {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new InvalidArgumentError('must be ASCII without blanks.');
  if (earlier.includes(text)) throw new InvalidArgumentError('is given twice.');
  return [...earlier, text];
}
