/** The options of `platen guest`. */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { guestLimits } from '../../domain/ports/guests.ts';
import type { Calls } from '../calls.ts';
import { configOption, jsonOption } from '../usual-options.ts';
import type { GuestEndOptions, GuestListOptions } from './list.ts';
import type { LetInOptions } from './let-in.ts';

export function define(program: Command, calls: Calls): void {
  const guest = program.command('guest');
  guest
    .description('let a guest in for some hours: make a user with an ID number, and print both on a slip')
    .option('--hours <hours>', 'the number of hours, from 1 to 168', upTo(guestLimits.hours))
    .option(
      '--pages <pages>',
      'the number of pages that the service lets the guest print',
      upTo(guestLimits.pages),
    )
    .option('--group <name>', "the guest's group in the service")
    .option('--terminal <id>', 'print the slip at the printer of this terminal')
    .option('--no-slip', 'print nothing; show the ID number here')
    .option(...configOption)
    .option(...jsonOption)
    .action(
      calls.opens({
        load: async () => (await import('./let-in.ts')).letInCommand,
        open(given: Partial<LetInOptions> & { readonly slip?: boolean }) {
          const { hours, terminal, slip = true, ...others } = given;
          if (hours === undefined) guest.error('error: --hours is missing. Say how long the guest stays');
          if (slip === (terminal === undefined)) {
            guest.error('error: give either --terminal ID for a slip, or --no-slip');
          }
          return { ...others, hours, terminal } as LetInOptions;
        },
      }),
    );
  // If both commands have an option of the same name, commander always gives it to the outer one.
  const list = calls.does<GuestListOptions>(async () => (await import('./list.ts')).guestListCommand);
  guest
    .command('list')
    .description('show the guests of this gateway, and when the time of each guest ends')
    .option(...configOption)
    .option(...jsonOption)
    .action((_: object, command: Command) => list(command.optsWithGlobals()));
  const end = calls.does<GuestEndOptions>(async () => (await import('./list.ts')).guestEndCommand);
  guest
    .command('end <name>')
    .description('end the time of a guest now; all: of every guest')
    .option(...configOption)
    .action((name: string, _: object, command: Command) => end({ ...command.optsWithGlobals(), name }));
}

const upTo =
  (most: number) =>
  (text: string): number => {
    if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`must be a whole number from 1 to ${most}.`);
  };
