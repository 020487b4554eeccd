/**
 * The reasons from the finishing parts of a printer (PWG 5100.9). Each part may be in each condition, so the sentence
 * is put together. None of them stops a page that needs no such part.
 */
export interface SaidReason {
  /** For the person in front of the printer. */
  readonly person: string;
  /** For the person who maintains it. */
  readonly advice: string;
}

const parts: Readonly<Record<string, string>> = {
  bander: 'bander',
  binder: 'binder',
  'die-cutter': 'die cutter',
  folder: 'folder',
  imprinter: 'imprinter',
  inserter: 'inserter',
  'make-envelope': 'envelope maker',
  perforater: 'perforater',
  puncher: 'puncher',
  'separation-cutter': 'cutter',
  'sheet-rotator': 'sheet rotator',
  slitter: 'slitter',
  stacker: 'stacker',
  stapler: 'stapler',
  stitcher: 'stitcher',
  subunit: 'finisher',
  trimmer: 'trimmer',
  wrapper: 'wrapper',
};

const conditions: readonly (readonly [RegExp, string])[] = [
  [/^empty$/, 'is empty'],
  [/^almost-empty$/, 'is almost empty'],
  [/^full$|^at-limit$/, 'is full'],
  [/^almost-full$|^near-limit$/, 'is almost full'],
  [/^jam$/, 'is jammed'],
  [/^(cover-|interlock-)?open(ed)?$/, 'is open'],
  [/^missing$|^removed$/, 'is missing'],
  [/^offline$|^turned-off$/, 'is switched off'],
  [/^life-(almost-)?over$/, 'is worn'],
  [/-failure$|-error$|^recoverable-storage$|^(over|under)-temperature$|^memory-exhausted$/, 'has a fault'],
  [/^warming-up$|^cooling-down$|^power-saver$/, 'is not ready yet'],
];

/** `undefined` if it is no such reason. */
export function finisherReason(word: string): SaidReason | undefined {
  const name = Object.keys(parts).find((one) => word.startsWith(`${one}-`));
  if (name === undefined) return undefined;
  const condition = word.slice(name.length + 1);
  const is = conditions.find(([form]) => form.test(condition))?.[1];
  if (is === undefined) return undefined;
  return { person: `The ${parts[name]} of the printer ${is}.`, advice: `Check the ${parts[name]}.` };
}
