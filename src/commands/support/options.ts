/** The options of `platen support-bundle`, and of what the running agent is told: `platen log-level`, `platen reload`. */
import type { Command } from 'commander';
import { Argument, InvalidArgumentError } from 'commander';
import { usualConfig } from '../init/options.ts';
import type { LogLevelOptions, WantedLevel } from '../log-level/log-level.ts';

const configOption = ['-c, --config <file>', 'the configuration file', usualConfig] as const;

export interface SupportBundleFlags {
  readonly config: string;
  readonly output: string;
  readonly log?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function defineSupport(
  program: Command,
  actions: {
    readonly bundle: (options: SupportBundleFlags) => Promise<void>;
    readonly logLevel: (options: LogLevelOptions) => Promise<void>;
    readonly reload: (options: { readonly config: string }) => Promise<void>;
  },
): void {
  program
    .command('support-bundle')
    .description('all that support asks for in one archive, with no secret and nobody named')
    .option(...configOption)
    .requiredOption('-o, --output <file>', 'the archive, a .tar.gz')
    .option('--log <file>', 'take the log from this file too, where it goes to no journal')
    .option('--force', 'overwrite the file')
    .option('--json', 'print JSON instead of a table')
    .action(actions.bundle);
  program
    .command('log-level')
    .description('let the running agent tell more for a limited time, or go back at once')
    .addArgument(new Argument('<level>', 'from which level up').choices(['debug', 'trace', 'configured']))
    .option(...configOption)
    .option('--minutes <number>', 'for how long, at most 15', quarterOfAnHour, 15)
    .action((level: WantedLevel, options: Omit<LogLevelOptions, 'level'>) =>
      actions.logLevel({ ...options, level }),
    );
  program
    .command('reload')
    .description('let the running agent read its configuration anew, and tell what became of it')
    .option(...configOption)
    .action(actions.reload);
}

function quarterOfAnHour(text: string): number {
  if (!/^([1-9]|1[0-5])$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1 to 15.');
  return Number(text);
}
