/** All that a page can say, with what belongs to each verb; a new verb does not compile until it stands here. */
import type { Command } from '../../src/kiosk/commands.ts';

type Verb = Command['command'];

const said: Readonly<Record<Verb, object>> = {
  'log-in': { way: 'short-id', shortId: '4711' },
  pin: { pin: '0815' },
  enrol: { userName: 'alice', password: 'pw' },
  release: { documentUuids: ['d-1'] },
  'print-again': { documentUuid: 'd-2' },
  'print-missing': { documentUuid: 'd-2', from: 7, to: 12 },
  'it-is-there': { documentUuid: 'd-2' },
  preview: { documentUuid: 'd-1', page: 1 },
  'end-preview': {},
  'look-again': {},
  delete: { documentUuids: ['d-1'] },
  change: { documentUuid: 'd-1', copies: 1, color: false, sides: 'one-sided' },
  printer: { printer: 'Colour, A3' },
  language: { language: 'de' },
  'keep-defaults': { grey: true, twoSided: false },
  'forget-defaults': {},
  'open-stick': {},
  'bring-file': { file: 0, edition: 1 },
  'close-stick': {},
  'open-account': {},
  'close-account': {},
  'drop-card': { card: 0, edition: 1 },
  'register-card': {},
  'new-short-id': {},
  prove: { password: 'pw' },
  'step-back': {},
  'still-there': {},
  'log-out': {},
};

export const verbs = Object.keys(said) as readonly Verb[];

export const commandOf = (verb: Verb, generation: number): object => ({
  command: verb,
  generation,
  ...said[verb],
});
