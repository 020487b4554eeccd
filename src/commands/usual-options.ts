/** Options that several commands have, and what may stand in one. */
import { InvalidArgumentError } from 'commander';

/** What the package brings and the unit reads. */
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
