/**
 * What a command opens while it is still whoever called: files that this person wants written, and the journal, which
 * the service's user may not read. Nothing of it is read before the command is that user (service-user.ts).
 */
import { resolve } from 'node:path';
import type { Io } from '../io.ts';
import { createNewFile } from '../new-file.ts';
import { askJournal } from '../support/journal.ts';
import { runProgramOf } from '../support/program.ts';
import type { SupportBundleOptions } from '../support/support-bundle.ts';
import type { SupportBundleFlags } from '../support/options.ts';
import type { TrustOptions } from '../trust/trust.ts';

/** For the agent's user to read, whoever runs the command. */
const readableByAll = 0o644;
const ownerOnly = 0o600;

export const openAuthorities = ({
  save,
  ...given
}: Omit<TrustOptions, 'save'> & { readonly save?: string }): TrustOptions => ({
  ...given,
  ...(save === undefined ? {} : { save: createNewFile(resolve(save), { mode: readableByAll }) }),
});

export const openExport = ({ config, file }: { readonly config: string; readonly file: string }) => ({
  config,
  file: createNewFile(file, { mode: ownerOnly }),
});

export const openBundle = (given: SupportBundleFlags, io: Io): SupportBundleOptions => ({
  ...given,
  // First: nobody should wait for a bundle that has no place.
  output: createNewFile(given.output, { mode: ownerOnly, force: given.force }),
  journal: askJournal(runProgramOf(io.env['PATH'])),
});
