/**
 * Brings a card number to the form in which the service stores it: by the terminal's rule, then by `decimal` and `trim`
 * (src/cloud/README.md 9 and 12, rows 22 and 23). Blanks are removed before that, see `card-number.ts`.
 */
import type { CardRule, ExplainedStep, Explanation } from './rule.ts';
import { explain } from './rule.ts';
import { CardNumber } from './card-number.ts';
import { Problem } from '../problem/problem.ts';

export interface CardFormat {
  readonly rule?: CardRule;
  /** A hexadecimal number becomes decimal, without padding. Any other number stays. */
  readonly decimal: boolean;
  /** Leading zeros are removed, but the last digit stays. */
  readonly trim: boolean;
}

/** Throws a `Problem` of code card-not-convertible, without the number, if the rule does not fit it. */
export function formatCard(card: CardNumber, format: CardFormat): CardNumber {
  const { output } = explainFormat(card.reveal(), format);
  if (typeof output === 'string') return new CardNumber(output);
  throw new Problem('card-not-convertible', output.unfit);
}

/** Changes by `decimal` and `trim` are listed as steps with these names. */
export function explainFormat(number: string, { rule, decimal, trim }: CardFormat): Explanation {
  const ruled = rule ? explain(rule, number) : { steps: [], output: number };
  if (typeof ruled.output !== 'string') return ruled;
  const steps: ExplainedStep[] = [...ruled.steps];
  let { output } = ruled;
  const become = (name: string, changed: string) => {
    if (changed !== output) steps.push({ rule: name, output: changed });
    output = changed;
  };
  // Above 2^53 a Number would give another card.
  if (decimal && /^[0-9A-F]+$/i.test(output)) become('decimal', BigInt(`0x${output}`).toString());
  if (trim) become('trim', output.replace(/^0+(?=.)/, ''));
  return { steps, output };
}
