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
    .description('let the running agent log more for a limited time, or stop that')
    .addArgument(new Argument('<level>', 'from which level up').choices(['debug', 'trace', 'configured']))
    .option(...configOption)
    .option('--minutes <number>', 'for how long, at most 15', quarterOfAnHour, 15)
    .action((level: WantedLevel, options: Omit<LogLevelOptions, 'level'>) => set({ ...options, level }));
}

function quarterOfAnHour(text: string): number {
  if (!/^([1-9]|1[0-5])$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1 to 15.');
  return Number(text);
}
