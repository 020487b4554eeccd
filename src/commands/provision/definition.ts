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
    .option('--domain <domain>', "the domain of new output ports (default: the account's primary domain)")
    .option('--move', 'move output ports in other domains to --domain')
    .option(
      '--container <name>',
      'make a container with this name and the domain of --domain, if it does not exist',
    )
    .option(
      '--terminal-config <name>',
      'make a terminal config with this name for the output ports that have none',
    )
    .option('--vendor <maker>', "for the terminal config: the short name of the printers' maker")
    .option('--apply', 'make, change and move output ports, instead of only showing the differences')
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

/** A domain as the service accepts it (spec, Account): each part starts and ends with a letter or digit. */
const isDomain = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** Checks for options that need another option, and for wrong values. */
function missingIn({
  domain,
  move,
  container,
  terminalConfig,
  vendor,
}: ProvisionOptions): string | undefined {
  if (domain !== undefined && !isDomain.test(domain)) {
    return `--domain ${domain} is not a domain. Use letters, digits, hyphens and periods, for example office.example`;
  }
  if (domain === undefined && move) return '--move needs --domain DOMAIN, the new domain of the ports';
  if (domain === undefined && container !== undefined)
    return '--container needs --domain DOMAIN, the domain of the container';
  if ((terminalConfig === undefined) === (vendor === undefined)) return undefined;
  return 'give --terminal-config NAME and --vendor MAKER together';
}
