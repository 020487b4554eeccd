/** The options of `platen fleet diagnose`. */
import type { Command } from 'commander';
import type { Calls } from '../calls.ts';
import { createNewFile } from '../new-file.ts';
import { configOption } from '../usual-options.ts';

interface DiagnoseFlags {
  readonly config: string;
  readonly output: string;
  readonly force?: boolean;
}

export function defineDiagnose(fleet: Command, calls: Calls): void {
  const diagnose = calls.opens({
    load: async () => (await import('./diagnose.ts')).diagnoseCommand,
    open: ({ output, force, ...given }: DiagnoseFlags & { readonly gateway: string }) => ({
      ...given,
      output: createNewFile(output, { mode: 0o600, force }),
    }),
  });
  fleet
    .command('diagnose <gateway>')
    .description('get the support bundle of a gateway through the engine; it is encrypted on the way')
    .requiredOption('-o, --output <file>', 'the archive, a .tar.gz')
    .option('--force', 'overwrite the file')
    .option(...configOption)
    .action((gateway: string, options: DiagnoseFlags) => diagnose({ ...options, gateway }));
}
