/** The options of `platen init`, and how an answer is written in one. */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Calls } from '../calls.ts';
import type { PrinterAnswer, ReaderAnswer } from './options.ts';
import { usualConfig } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('init')
    .description(
      'set up this machine: write its configuration, have it approved, print a test page; asks for what is missing',
    )
    .option('-c, --config <file>', 'the configuration to write', usualConfig)
    .option('--base-url <url>', 'the service, as in https://cloud.example:7300')
    .option(
      '--auth-url <url>',
      'its OAuth side; else port 7400 where the service is on 7300, else the same address',
    )
    .option('--api-key-file <file>', 'its first line is the API key; - is standard input')
    .option(
      '--description <text>',
      'what the administrator who approves reads; else the name of this machine',
    )
    .option(
      '--printer <id=uri[,serial=number]>',
      'a terminal and its printer; once for each. Others that are there stay',
      printerAnswers,
    )
    .option(
      '--reader <[id=]reader>',
      'a card reader, as in lobby=/dev/serial/by-id/… or lobby=tcp-connect:10.0.0.21:10001; once for each',
      readerAnswers,
    )
    .option('--from <file>', 'many printers from a CSV file: id,uri,serialNumber,reader in each line')
    .option('--answers <file>', 'all of these in one YAML file')
    .option('--dry-run', 'write nothing: show what each printer answers and what would be written')
    .option('--json', 'with --dry-run: what each printer answers as JSON')
    .option('--test-page', 'print a test page at each printer when it is ready')
    .option('--no-test-page', 'print none, and do not ask')
    .option(
      '--wait <minutes>',
      'how long to wait for approval; else 10, or as long as it takes at a terminal',
      minuteCount,
    )
    .option('--no-wait', 'write the configuration and start nothing')
    .option('-y, --yes', 'never ask')
    .action(calls.asCaller(async () => (await import('./init.ts')).initCommand));
}

/** `lobby=ipp://10.0.0.7/ipp/print,serial=SN-0001` */
function printerAnswers(given: string, before: readonly PrinterAnswer[] = []): readonly PrinterAnswer[] {
  const { id, uri, serialNumber } =
    /^(?<id>[a-z0-9-]{1,32})=(?<uri>\S+?)(?:,serial=(?<serialNumber>.+))?$/.exec(given)?.groups ?? {};
  if (id === undefined || uri === undefined) {
    throw new InvalidArgumentError('must be like lobby=ipp://10.0.0.7/ipp/print,serial=SN-0001.');
  }
  return [...before, { id, uri, ...(serialNumber === undefined ? {} : { serialNumber }) }];
}

/** `/dev/serial/by-id/…`, or `lobby=/dev/…` */
function readerAnswers(given: string, before: readonly ReaderAnswer[] = []): readonly ReaderAnswer[] {
  const { terminal, reader = given } =
    /^(?<terminal>[a-z0-9-]{1,32})=(?<reader>.+)$/.exec(given)?.groups ?? {};
  return [...before, { terminal, reader }];
}

function minuteCount(text: string): number {
  const minutes = Number(text);
  if (!/^\d{1,5}(?:\.\d{1,3})?$/.test(text) || minutes === 0) {
    throw new InvalidArgumentError('must be a number of minutes above 0.');
  }
  return minutes;
}
