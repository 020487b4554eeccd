/** The options of `platen demo`. */
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Calls } from '../calls.ts';

export function define(program: Command, calls: Calls): void {
  program
    .command('demo')
    .description('try Platen with an embedded print service, printer and card reader')
    .option('--once', 'exit after one release')
    .addOption(
      new Option(
        '--tour',
        'show a wrong PIN, a new card, a jam, an outage and a second person in two minutes, then exit',
      ).conflicts('once'),
    )
    .addOption(
      new Option(
        '--fleet',
        'show in two minutes how one gateway takes over from the other, which is killed during a job, then exit',
      ).conflicts(['tour', 'pace', 'listen']),
    )
    .option('--pace <seconds>', 'with --tour: the number of seconds for each step', pace, 5)
    .option(
      '--listen <host:port>',
      'the address of the kiosk page (default: 127.0.0.1:7380; with --once a free port)',
    )
    .action(calls.does(async () => (await import('./demo.ts')).demoCommand));
}

function pace(text: string): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) > 60)
    throw new InvalidArgumentError('must be a whole number from 0 to 60.');
  return Number(text);
}
