/** Whatever a person may say: where the terminal expects none of it, it does nothing, and the log tells that something was said. */
import type { PersonsWord } from '../../domain/terminal/persons-word.ts';

const ignored = { actions: 'tellIgnored' } as const;

type Elsewhere = Exclude<PersonsWord['type'], 'language' | 'still-there'>;

export const wordsOutOfPlace = {
  release: ignored,
  delete: ignored,
  change: ignored,
  printer: ignored,
  preview: ignored,
  'end-preview': ignored,
  'look-again': ignored,
  'open-stick': ignored,
  'bring-file': ignored,
  'close-stick': ignored,
  'print-again': ignored,
  'print-missing': ignored,
  'it-is-there': ignored,
  'log-out': ignored,
  'log-in': ignored,
  pin: ignored,
  enrol: ignored,
  'keep-defaults': ignored,
  'forget-defaults': ignored,
  'open-account': ignored,
  'close-account': ignored,
  'drop-card': ignored,
  'register-card': ignored,
  'new-short-id': ignored,
  prove: ignored,
  'step-back': ignored,
} as const satisfies Record<Elsewhere, typeof ignored>;
