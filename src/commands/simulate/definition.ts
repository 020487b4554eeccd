/** The options of `platen simulate`, one embedded piece each. */
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { ListenAddress } from '../../listener/address.ts';
import { keyAllowances } from '../../simulator/cloud/permissions.ts';
import type { Calls } from '../calls.ts';
import { portNumber, wholeNumber } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  const simulate = program
    .command('simulate')
    .description('run one simulated part by itself; platen.service must not be running');
  defineCloud(simulate, calls);
  definePrinter(simulate, calls);
  defineReader(simulate, calls);
}

function defineCloud(simulate: Command, calls: Calls): void {
  simulate
    .command('cloud')
    .description('a strict print service; it listens on the loopback address unless --listen is given')
    .option('--port <number>', 'the port to listen on', portNumber, 7300)
    .addOption(
      new Option(
        '--listen <host[:port]>',
        'the address to listen on; default port 7300; an address that is not loopback needs TLS',
      )
        .conflicts('port')
        .argParser(listenPlace),
    )
    .option('--tls-cert <file>', 'serve HTTPS with this certificate, in PEM')
    .option('--tls-key <file>', 'the private key of the certificate, in PEM')
    .addOption(
      new Option(
        '--tls',
        'serve HTTPS with a new certificate; GET /simulator/ca.pem gives the authority that signed it',
      ).conflicts(['tlsCert', 'tlsKey']),
    )
    .option('--oauth-port <number>', 'serve OAuth at this port instead of the port of the API', portNumber)
    .option(
      '--api-key <key>',
      'an API key to accept (default: sample-api-key); can be given several times',
      furtherKey,
    )
    .addOption(
      new Option('--key-allows <what...>', 'extra permissions of the API keys').choices(keyAllowances),
    )
    .addOption(
      new Option(
        '--approve <how>',
        'when a device is approved: by-hand, at-once, or after this number of polls',
      )
        .default('by-hand')
        .argParser(approval),
    )
    .option('--seed <file>', 'start with the people, documents and ports of this YAML file')
    .option('--state <file>', 'keep the state in this file')
    .option(
      '--strict',
      'refuse reads with a device token that no terminal needs; otherwise they are only noted',
    )
    .option('--gateway', 'answer like a gateway, which offers no certificates')
    .option('--set <name=value...>', 'change settings, for example userTokenLife=60; list shows all settings')
    .action(calls.does(async () => (await import('./cloud.ts')).simulateCloud));
}

function definePrinter(simulate: Command, calls: Calls): void {
  simulate
    .command('printer')
    .description(
      'a virtual printer that writes each print to a folder; it uses IPP, or raw TCP with --raw. Type empty or jam to simulate these states',
    )
    .option('--port <number>', 'the port to listen on', portNumber, 8631)
    .option('--output <folder>', 'the folder for the printed files', 'printed')
    .option('--raw', 'accept raw bytes, like printers on port 9100')
    .option('--pjl', 'with --raw: answer in PJL, and report the end of each job')
    .option('--serial-number <number>', 'the serial number that the printer reports by IPP', 'SN-0001')
    .option(
      '--habit <name...>',
      'behave like real printers, for example counts-late or cuts-names=80; list shows all habits',
    )
    .action(calls.does(async () => (await import('./simulate.ts')).simulatePrinter));
}

function defineReader(simulate: Command, calls: Calls): void {
  simulate
    .command('reader')
    .description('a badge reader on a pseudo-terminal or the network; each line that you type is a badge')
    .option('--link <path>', 'a path that always leads to the pseudo-terminal', 'platen-reader')
    .option(
      '--dial <port>',
      'instead of a pseudo-terminal: connect to this port of this machine (tcp-listen)',
      portNumber,
    )
    .option(
      '--wait <port>',
      'instead of a pseudo-terminal: wait for a connection at this port (tcp-connect)',
      portNumber,
    )
    .action(calls.does(async () => (await import('./simulate.ts')).simulateReader));
}

function approval(text: string): 'by-hand' | 'at-once' | { afterPolls: number } {
  return text === 'by-hand' || text === 'at-once' ? text : { afterPolls: wholeNumber(text) };
}

/** IPv6 in brackets, as in a URL. */
function listenPlace(text: string): ListenAddress {
  const [, bracketed, plain, port = '7300'] =
    /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s/]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw new InvalidArgumentError('must be HOST or HOST:PORT, IPv6 in brackets.');
  return { host, port: portNumber(port) };
}

/** A key that fits into a header, and into a form without escapes. */
function furtherKey(text: string, earlier: readonly string[] = []): readonly string[] {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new InvalidArgumentError('must be ASCII without blanks.');
  if (earlier.includes(text)) throw new InvalidArgumentError('is given twice.');
  return [...earlier, text];
}
