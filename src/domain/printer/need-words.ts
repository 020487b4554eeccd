/** What a printer waits for, in two words for whoever looks after it; a need of a newer agent stands as it is. */
const words: Readonly<Record<string, string>> = {
  paper: 'needs paper',
  jam: 'paper jam',
  door: 'door open',
  toner: 'needs toner',
  tray: 'tray missing',
  'output-full': 'output full',
  somebody: 'needs somebody',
  administrator: 'not usable',
};

/** `undefined`: it waits for nothing. */
export const needText = (need: string | null | undefined): string | undefined =>
  typeof need === 'string' ? (words[need] ?? need) : undefined;
