/** The options of `platen provision`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import type { ProvisionOptions } from './provision.ts';
import { configOption, passwordFileOption } from '../usual-options.ts';

export function define(program: Command, calls: Calls): void {
  const command = program.command('provision');
  command
    .description('compare the output ports of the service with the terminals here; correct them with --apply')
    .option(...configOption)
    .requiredOption('--user <name>', 'the administrator to log in as')
    .option(...passwordFileOption)
    .option('--domain <domain>', "of new output ports; else the account's primary domain")
    .option('--move', 'move output ports that stand elsewhere to --domain')
    .option(
      '--container <name>',
      'make the container of this name, with the domain of --domain, where there is none',
    )
    .option(
      '--terminal-config <name>',
      'make a terminal config of this name for the output ports that have none',
    )
    .option('--vendor <maker>', "of the terminal config: the short name of the printers' maker")
    .option('--apply', 'make, change and move instead of telling only')
    .option('--json', 'print JSON instead of lines')
    .action(
      calls.opens({
        load: async () => (await import('./provision.ts')).provisionCommand,
        open(given: ProvisionOptions) {
          const missing = missingIn(given);
          if (missing !== undefined) command.error(`error: ${missing}`);
          return given;
        },
      }),
    );
}

/** What the service takes for one (spec, Account): each part starts and ends with a letter or digit. */
const isDomain = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** Of options that mean nothing alone, or nothing at all. */
function missingIn({
  domain,
  move,
  container,
  terminalConfig,
  vendor,
}: ProvisionOptions): string | undefined {
  if (domain !== undefined && !isDomain.test(domain)) {
    return `--domain ${domain} is no domain: letters, digits, hyphens and periods, as in office.example`;
  }
  if (domain === undefined && move) return '--move needs --domain DOMAIN: where the ports go';
  if (domain === undefined && container !== undefined) return '--container needs --domain DOMAIN: its own';
  if ((terminalConfig === undefined) === (vendor === undefined)) return undefined;
  return '--terminal-config NAME and --vendor MAKER go together';
}
