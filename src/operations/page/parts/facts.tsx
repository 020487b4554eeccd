/** The small parts of every screen: names with their values, a state, and a moment. Unknown values are left out. */
import type { ComponentChildren } from 'preact';
import { momentText } from '../plain-words.ts';
import type { StandingWord } from '../gateway-standing.ts';

export const Facts = ({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {of
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

type Tone = 'bad' | 'warn' | 'good' | 'plain';

const marks: Readonly<Record<StandingWord, readonly [Tone, string]>> = {
  silent: ['bad', 'Silent'],
  'nothing-prints': ['bad', 'Nothing prints'],
  trouble: ['bad', 'Trouble'],
  look: ['warn', 'Look'],
  'in-order': ['good', 'In order'],
};

/** A state, as a word on its colour. */
export const Mark = ({ tone, children }: { readonly tone: Tone; readonly children: string }) => (
  <span class={`mark ${tone}`}>{children}</span>
);

export const StandingMark = ({ word }: { readonly word: StandingWord }) => (
  <Mark tone={marks[word][0]}>{marks[word][1]}</Mark>
);

/** A moment, for people and for machines. */
export const Moment = ({ at }: { readonly at: string }) => <time dateTime={at}>{momentText(at)}</time>;
