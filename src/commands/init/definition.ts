/** The options of `platen init`, and the form of an answer in an option. */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Calls } from '../calls.ts';
import type { PrinterAnswer, ReaderAnswer } from './options.ts';
import { usualConfig } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('init')
    .description(
      'set up this machine: write its configuration, get it approved, print a test page; it asks for missing answers',
    )
    .option('-c, --config <file>', 'the configuration file to write', usualConfig)
    .option('--base-url <url>', 'the address of the service, for example https://cloud.example:7300')
    .option(
      '--auth-url <url>',
      'the OAuth address (default: port 7400 if the service is on port 7300, otherwise the same address)',
    )
    .option('--api-key-file <file>', 'the first line of this file is the API key; - means standard input')
    .option(
      '--description <text>',
      'the text for the administrator who approves this machine (default: the name of this machine)',
    )
    .option(
      '--printer <id=uri[,serial=number]>',
      'a terminal and its printer; give it once for each. Other terminals in the file stay',
      printerAnswers,
    )
    .option(
      '--reader <[id=]reader>',
      'a card reader, for example lobby=/dev/serial/by-id/… or lobby=tcp-connect:10.0.0.21:10001; give it once for each',
      readerAnswers,
    )
    .option('--from <file>', 'a CSV file of printers: id,uri,serialNumber,reader in each line')
    .option('--answers <file>', 'a YAML file with all of these answers')
    .option('--dry-run', 'write nothing; show what each printer answers, and what init would write')
    .option('--json', 'with --dry-run: show what each printer answers, as JSON')
    .option('--test-page', 'print a test page at each printer when it is ready')
    .option('--no-test-page', 'print no test page, and do not ask')
    .option(
      '--wait <minutes>',
      'minutes to wait for the approval (default: 10; no limit if you run it at a terminal)',
      minuteCount,
    )
    .option('--no-wait', 'write the configuration and start nothing')
    .option('-y, --yes', 'never ask questions')
    .action(calls.asCaller(async () => (await import('./init.ts')).initCommand));
}

/** `lobby=ipp://10.0.0.7/ipp/print,serial=SN-0001` */
function printerAnswers(given: string, before: readonly PrinterAnswer[] = []): readonly PrinterAnswer[] {
  const { id, uri, serialNumber } =
    /^(?<id>[a-z0-9-]{1,32})=(?<uri>\S+?)(?:,serial=(?<serialNumber>.+))?$/.exec(given)?.groups ?? {};
  if (id === undefined || uri === undefined) {
    throw new InvalidArgumentError('must look like lobby=ipp://10.0.0.7/ipp/print,serial=SN-0001.');
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
