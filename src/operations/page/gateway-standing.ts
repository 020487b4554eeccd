/** The state of a gateway, in one word and in sentences: its faults, the worst first. No browser, no markup. */
import type { ToldGateway } from '../ui/answers.ts';
import type { Trouble } from '../../domain/gateway-troubles.ts';
import { spanText, titleOf } from './plain-words.ts';

/** The worst first. */
export const standings = ['silent', 'nothing-prints', 'trouble', 'look', 'in-order'] as const;
export type StandingWord = (typeof standings)[number];

interface Standing {
  readonly word: StandingWord;
  readonly faults: readonly string[];
}

/** `sinceAnswer`: seconds since the answer with this gateway came. */
export function standingOf(seen: ToldGateway, sinceAnswer: number): Standing {
  const { terminals } = seen.digest;
  const nothingPrints = terminals.served > 0 && terminals.ready === 0;
  const { isBeating, troubles } = seen;
  // For a silent gateway the first trouble is the silence.
  const others = isBeating ? troubles : troubles.slice(1);
  return {
    word: wordOf(seen, nothingPrints),
    faults: [
      ...(isBeating ? [] : [`last heard ${spanText(lastHeard(seen, sinceAnswer))} ago`]),
      ...(nothingPrints ? [nonePrints(terminals.served)] : []),
      ...others.map((trouble) => troubleText(trouble, sinceAnswer)),
    ],
  };
}

function wordOf({ isBeating, troubles }: ToldGateway, nothingPrints: boolean): StandingWord {
  if (!isBeating) return 'silent';
  if (nothingPrints) return 'nothing-prints';
  if (troubles.some(({ severity }) => severity === 'error')) return 'trouble';
  return troubles.length > 0 ? 'look' : 'in-order';
}

const nonePrints = (served: number): string =>
  served === 1 ? 'its terminal is not ready' : `none of ${served} terminals ready`;

function troubleText({ scope, what, detail, span }: Trouble, sinceAnswer: number): string {
  const where = scope === 'agent' ? '' : `${scope}: `;
  const since = span === undefined ? '' : ` for ${spanText(span / 1000 + sinceAnswer)}`;
  return where + titleOf(what) + since + (detail === undefined ? '' : `: ${detail}`);
}

export const lastHeard = ({ lastBeatSeconds }: ToldGateway, sinceAnswer: number): number =>
  lastBeatSeconds + sinceAnswer;

export function countedStandings(words: readonly StandingWord[]): ReadonlyMap<StandingWord, number> {
  const counts = new Map(standings.map((word) => [word, 0]));
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
