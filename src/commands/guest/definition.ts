/** The options of `platen guest`. */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { guestLimits } from '../../operations/guest-calls.ts';
import type { Calls } from '../calls.ts';
import { configOption, jsonOption } from '../usual-options.ts';
import type { GuestEndOptions, GuestListOptions } from './list.ts';
import type { LetInOptions } from './let-in.ts';

export function define(program: Command, calls: Calls): void {
  const guest = program.command('guest');
  guest
    .description('lets a guest in for hours: makes a user with an ID number, and prints both on a slip')
    .option('--hours <hours>', 'how long: 1 to 168 hours', upTo(guestLimits.hours))
    .option('--pages <pages>', 'how many pages the service lets the guest print', upTo(guestLimits.pages))
    .option('--group <name>', 'the group of the service that the guest comes into')
    .option('--terminal <id>', 'prints the slip at the printer of this terminal')
    .option('--no-slip', 'prints nothing, and shows the ID number here')
    .option(...configOption)
    .option(...jsonOption)
    .action(
      calls.opens({
        load: async () => (await import('./let-in.ts')).letInCommand,
        open(given: Partial<LetInOptions> & { readonly slip?: boolean }) {
          const { hours, terminal, slip = true, ...others } = given;
          if (hours === undefined) guest.error('error: --hours is missing: how long does the guest stay?');
          if (slip === (terminal === undefined)) {
            guest.error('error: give --terminal ID for a slip, or --no-slip: one of both');
          }
          return { ...others, hours, terminal } as LetInOptions;
        },
      }),
    );
  // An option that both have is the outer one's, wherever it stands.
  const list = calls.does<GuestListOptions>(async () => (await import('./list.ts')).guestListCommand);
  guest
    .command('list')
    .description('shows the guests of this gateway, and when each ends')
    .option(...configOption)
    .option(...jsonOption)
    .action((_: object, command: Command) => list(command.optsWithGlobals()));
  const end = calls.does<GuestEndOptions>(async () => (await import('./list.ts')).guestEndCommand);
  guest
    .command('end <name>')
    .description('ends a guest now; all: every one')
    .option(...configOption)
    .action((name: string, _: object, command: Command) => end({ ...command.optsWithGlobals(), name }));
}

const upTo =
  (most: number) =>
  (text: string): number => {
    if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`must be a whole number from 1 to ${most}.`);
  };
