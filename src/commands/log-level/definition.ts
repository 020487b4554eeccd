/** The options of `platen log-level`. */
import type { Command } from 'commander';
import { Argument, InvalidArgumentError } from 'commander';
import type { Calls } from '../calls.ts';
import { configOption } from '../usual-options.ts';
import type { LogLevelOptions, WantedLevel } from './log-level.ts';

export function define(program: Command, calls: Calls): void {
  const set = calls.does(async () => (await import('./log-level.ts')).logLevelCommand);
  program
    .command('log-level')
    .description('make the running agent log more for a limited time, or go back to the configured level')
    .addArgument(new Argument('<level>', 'the lowest level to log').choices(['debug', 'trace', 'configured']))
    .option(...configOption)
    .option('--minutes <number>', 'the number of minutes, at most 15', quarterOfAnHour, 15)
    .action((level: WantedLevel, options: Omit<LogLevelOptions, 'level'>) => set({ ...options, level }));
}

function quarterOfAnHour(text: string): number {
  if (!/^([1-9]|1[0-5])$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1 to 15.');
  return Number(text);
}
