/**
 * The options of `platen support-bundle`, and the files and programs that it opens while it still runs as the caller.
 */
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

/** The service's user may not read the journal. */
const openBundle = (given: SupportBundleFlags, io: Io): SupportBundleOptions => ({
  ...given,
  // The file comes first: nobody should wait for a bundle that cannot be stored.
  output: createNewFile(given.output, { mode: 0o600, force: given.force }),
  journal: askJournal(runProgramOf(io.env['PATH'])),
});

/**
 * The unit's entries in systemd's journal, unchanged (`log.ts` reads them). `undefined` if there are none, or if this
 * user may not read them.
 */
export const askJournal = (run: RunProgram): Promise<string | undefined> =>
  run('journalctl', [
    '--unit=platen.service',
    '--since=-7days',
    '--lines=5000',
    '--output=cat',
    '--no-pager',
    '--quiet',
  ]);
