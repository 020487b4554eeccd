/** The options of `platen outbox`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { createNewFile } from '../new-file.ts';
import { configOption, jsonOption } from '../usual-options.ts';

interface Config {
  readonly config: string;
}

export function define(program: Command, calls: Calls): void {
  const outbox = program
    .command('outbox')
    .description('show or send history records that the service has not accepted');
  outbox
    .command('list')
    .description('show the waiting records and the reasons, without names')
    .option(...configOption)
    .option(...jsonOption)
    .action(calls.does(async () => (await import('./outbox.ts')).listOutbox));
  const retry = calls.does(async () => (await import('./outbox.ts')).retryOutbox);
  outbox
    .command('retry [id]')
    .description('send dead letters again: all of them, or only the one with this id')
    .option(...configOption)
    .action((id: string | undefined, options: Config) =>
      retry({ ...options, ...(id === undefined ? {} : { id }) }),
    );
  const exported = calls.opens({
    load: async () => (await import('./outbox.ts')).exportOutbox,
    open: openExport,
  });
  outbox
    .command('export <file>')
    .description('write all records, with names and titles, to a new file (.csv, otherwise JSON Lines)')
    .option(...configOption)
    .action((file: string, options: Config) => exported({ ...options, file }));
}

/** The file has names of people, so only its owner may read it. */
export const openExport = ({ config, file }: Config & { readonly file: string }) => ({
  config,
  file: createNewFile(file, { mode: 0o600 }),
});
