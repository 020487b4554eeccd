/** A state, as a word on its colour. */
import type { StandingWord } from '../standing.ts';

type Tone = 'bad' | 'warn' | 'good' | 'plain';

const marks: Readonly<Record<StandingWord, readonly [Tone, string]>> = {
  silent: ['bad', 'Silent'],
  'nothing-prints': ['bad', 'Nothing prints'],
  trouble: ['bad', 'Trouble'],
  look: ['warn', 'Look'],
  'in-order': ['good', 'In order'],
};

export const Mark = ({ tone, children }: { readonly tone: Tone; readonly children: string }) => (
  <span class={`mark ${tone}`}>{children}</span>
);

export const StandingMark = ({ word }: { readonly word: StandingWord }) => (
  <Mark tone={marks[word][0]}>{marks[word][1]}</Mark>
);
