/** The interval between two outputs of a command: `--watch SECONDS`. */
import { InvalidArgumentError } from 'commander';
import { wholeNumber } from './usual-options.ts';

export function watchSeconds(text: string): number {
  const seconds = wholeNumber(text);
  if (seconds > 3600) throw new InvalidArgumentError('must be at most 3600 seconds.');
  return seconds;
}
