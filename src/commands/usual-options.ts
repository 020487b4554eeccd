/** Options that several commands share, and checks of their values. */
import { InvalidArgumentError } from 'commander';

/** The package installs this file, and the unit reads it. */
export const usualConfig = '/etc/platen/platen.yaml';

export const configOption = ['-c, --config <file>', 'the configuration file', usualConfig] as const;
export const jsonOption = ['--json', 'print JSON instead of a table'] as const;
export const passwordFileOption = [
  '--password-file <file>',
  'the first line of this file is the password (default: standard input)',
] as const;

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('must be a whole number above 0.');
  return Number(text);
}

export function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('must be a port number.');
  return Number(text);
}
