/** The options of `platen trust`. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Calls } from '../calls.ts';
import { createNewFile } from '../new-file.ts';
import { configOption, jsonOption, passwordFileOption } from '../usual-options.ts';
import type { TrustOptions } from './trust.ts';

interface TrustFlags extends Omit<TrustOptions, 'save'> {
  readonly save?: string;
}

export function define(program: Command, calls: Calls): void {
  program
    .command('trust')
    .description(
      'show the authorities of the service, or the certificate of a printer, and trust them after you have compared them',
    )
    .option(...configOption)
    .option('--printer <terminal>', 'show the printer of this terminal, and what Platen knows about it')
    .option('--save <file>', 'write the authorities with the given fingerprints to this new file, as PEM')
    .option(
      '--fingerprint <sha256>',
      'the fingerprint of an authority or printer that you have compared; give it once for each',
      fingerprints,
    )
    .option('--user <name>', 'the user to log in as, if the service refuses the device')
    .option(...passwordFileOption)
    .option(...jsonOption)
    .action(
      calls.opens({ load: async () => (await import('./trust.ts')).trustCommand, open: openAuthorities }),
    );
}

/** The agent's user must be able to read the file, even if another user runs the command. */
const openAuthorities = ({ save, ...given }: TrustFlags): TrustOptions => ({
  ...given,
  ...(save === undefined ? {} : { save: createNewFile(resolve(save), { mode: 0o644 }) }),
});

/** With or without the form of OpenSSL; the result has capital digits in pairs with colons. */
function fingerprints(text: string, before: readonly string[] = []): readonly string[] {
  const digits = text.replace(/^sha-?256(?: fingerprint)?[=:]/i, '').replaceAll(':', '');
  if (!/^[0-9a-f]{64}$/i.test(digits)) {
    throw new InvalidArgumentError('must be a SHA-256 fingerprint: 64 hexadecimal digits.');
  }
  return [...before, digits.toUpperCase().replace(/(..)(?=.)/g, '$1:')];
}
