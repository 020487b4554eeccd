/** The options of `platen card`. */
import type { Command } from 'commander';
import type { CardConversion } from './card.ts';
import type { CardPairsFile } from './learn.ts';
import type { Calls } from '../calls.ts';
import { jsonOption, usualConfig } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  const convert = calls.does(async () => (await import('./card.ts')).convertCard);
  const learn = calls.does(async () => (await import('./learn.ts')).learnCardRules);
  const card = program.command('card').description('try a rule for card numbers, or find one');
  card
    .command('convert <number>')
    .description('apply a rule to a card number')
    .option(
      '--rule <rule>',
      'the rule, for example Hex2Dec;LeftPadding(0,10); without a rule the number does not change',
    )
    .option(
      '-c, --config <file>',
      'the configuration with the rule of the terminal; give the number as the reader sends it',
      usualConfig,
    )
    .option(
      '--terminal <id>',
      'the terminal whose rule is used; with -c it is not needed if there is only one terminal',
    )
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
      'find the rules that fit known pairs; the file has one line READ,STORED for each card; - means standard input',
    )
    .option(...jsonOption)
    .action((file: string, options: Omit<CardPairsFile, 'file'>) => learn({ ...options, file }));
}
