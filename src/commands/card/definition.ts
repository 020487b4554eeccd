/** The options of `platen card`. */
import type { Command } from 'commander';
import type { CardConversion } from './card.ts';
import type { CardPairsFile } from './learn.ts';
import type { Calls } from '../calls.ts';
import { jsonOption, usualConfig } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  const convert = calls.does(async () => (await import('./card.ts')).convertCard);
  const learn = calls.does(async () => (await import('./learn.ts')).learnCardRules);
  const card = program.command('card').description('card numbers: try a rule, find a rule');
  card
    .command('convert <number>')
    .description('what a rule makes of a card number')
    .option('--rule <rule>', 'as in Hex2Dec;LeftPadding(0,10); without one the number stays as it is')
    .option(
      '-c, --config <file>',
      'with a terminal: the rule of this configuration, on the number as a reader hands it on',
      usualConfig,
    )
    .option('--terminal <id>', 'the rule of this terminal; of the only one where -c is given')
    .option('--explain', 'show every step')
    .option('--json', 'print JSON: input, steps, output')
    .action((number: string, options: Omit<CardConversion, 'number'>, command: Command) => {
      const isWanted = options.terminal !== undefined || command.getOptionValueSource('config') === 'cli';
      const config = isWanted ? options.config : undefined;
      return convert({ ...options, number, config });
    });
  card
    .command('learn <pairs>')
    .description(
      'find the rules that explain known pairs, a line READ,STORED for each card; - is standard input',
    )
    .option(...jsonOption)
    .action((file: string, options: Omit<CardPairsFile, 'file'>) => learn({ ...options, file }));
}
