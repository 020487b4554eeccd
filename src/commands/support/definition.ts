/** The options of `platen support-bundle`, and what it opens while it is still whoever called. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import type { Io } from '../io.ts';
import { createNewFile } from '../new-file.ts';
import { runProgramOf } from '../program.ts';
import { configOption, jsonOption, passwordFileOption } from '../usual-options.ts';
import type { RunProgram } from '../program.ts';
import type { SupportBundleOptions } from './support-bundle.ts';

interface SupportBundleFlags {
  readonly config: string;
  readonly output: string;
  readonly log?: string;
  readonly user?: string;
  readonly passwordFile?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function define(program: Command, calls: Calls): void {
  const command = program.command('support-bundle');
  command
    .description('collect everything that support needs in one archive, without secrets and names')
    .option(...configOption)
    .requiredOption('-o, --output <file>', 'the archive, a .tar.gz')
    .option('--log <file>', 'add the log in this file, if the log does not go to the journal')
    .option(
      '--user <name>',
      "log in at the service as this administrator, and add the service's audit log of the last day",
    )
    .option(...passwordFileOption)
    .option('--force', 'overwrite the file')
    .option(...jsonOption)
    .action(
      calls.opens({
        load: async () => (await import('./support-bundle.ts')).supportBundleCommand,
        open(given: SupportBundleFlags, io) {
          if (given.passwordFile !== undefined && given.user === undefined) {
            command.error('error: --password-file is the password of --user NAME. Give both or neither');
          }
          return openBundle(given, io);
        },
      }),
    );
}

/** The journal is not for the service's user to read. */
const openBundle = (given: SupportBundleFlags, io: Io): SupportBundleOptions => ({
  ...given,
  // First: nobody should wait for a bundle that has no place.
  output: createNewFile(given.output, { mode: 0o600, force: given.force }),
  journal: askJournal(runProgramOf(io.env['PATH'])),
});

/** What systemd's journal has of the unit, as it stands there (`log.ts` reads it); `undefined` where it has nothing, or not for us. */
export const askJournal = (run: RunProgram): Promise<string | undefined> =>
  run('journalctl', [
    '--unit=platen.service',
    '--since=-7days',
    '--lines=5000',
    '--output=cat',
    '--no-pager',
    '--quiet',
  ]);
