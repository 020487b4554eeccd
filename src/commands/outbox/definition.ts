/** The options of `platen outbox`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { createNewFile } from '../new-file.ts';
import { configOption, jsonOption } from '../usual-options.ts';

interface Config {
  readonly config: string;
}

export function define(program: Command, calls: Calls): void {
  const outbox = program.command('outbox').description('history records that the service has not accepted');
  outbox
    .command('list')
    .description('what is waiting, and why; no names')
    .option(...configOption)
    .option(...jsonOption)
    .action(calls.does(async () => (await import('./outbox.ts')).listOutbox));
  const retry = calls.does(async () => (await import('./outbox.ts')).retryOutbox);
  outbox
    .command('retry [id]')
    .description('send dead letters again: all, or that of one release')
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
    .description('write all of them, with names and titles, to a new file (.csv, otherwise JSON Lines)')
    .option(...configOption)
    .action((file: string, options: Config) => exported({ ...options, file }));
}

/** It names people: for its owner alone. */
export const openExport = ({ config, file }: Config & { readonly file: string }) => ({
  config,
  file: createNewFile(file, { mode: 0o600 }),
});
