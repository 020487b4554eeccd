/**
 * Card-number rules (src/cloud/README.md 9): chains of steps, each on the former output. Every chain begins with the
 * number as it was read, and the outputs are joined. This file carries the rules out; `rule-text.ts` says how they are
 * written.
 */
import type { Conversion, Unfit } from './steps.ts';
import { longestNumber } from './steps.ts';

export interface RuleStep {
  /** As it is written in a rule. */
  readonly text: string;
  readonly convert: Conversion;
}

export interface CardRule {
  readonly text: string;
  /** Empty for the empty rule, which changes nothing. */
  readonly chains: readonly (readonly RuleStep[])[];
}

export interface ExplainedStep {
  /** The step, or `+` if chains are joined. */
  readonly rule: string;
  readonly output: string;
}

export interface Explanation {
  /** Up to the step that the number did not fit. */
  readonly steps: readonly ExplainedStep[];
  readonly output: string | Unfit;
}

export function explain(rule: CardRule, number: string): Explanation {
  const steps: ExplainedStep[] = [];
  if (number.length > longestNumber) {
    return { steps, output: { unfit: `the number has more than ${longestNumber} characters` } };
  }
  const ends: string[] = [];
  for (const chain of rule.chains) {
    let output = number;
    for (const { text, convert } of chain) {
      const result = checked(convert(output, number));
      if (typeof result !== 'string') return { steps, output: { unfit: `${text} ${result.unfit}` } };
      output = result;
      steps.push({ rule: text, output });
    }
    ends.push(output);
  }
  if (ends.length === 0) return { steps, output: number };
  const joined = ends.join('');
  if (ends.length > 1) steps.push({ rule: '+', output: joined });
  return { steps, output: joined.length > longestNumber ? tooLong : joined };
}

const tooLong: Unfit = { unfit: `gives more than ${longestNumber} characters` };

function checked(result: string | Unfit): string | Unfit {
  if (result === '') return { unfit: 'makes the number empty' };
  return typeof result === 'string' && result.length > longestNumber ? tooLong : result;
}

/** The converted number, or why there is none. */
export const convert = (rule: CardRule, number: string): string | Unfit => explain(rule, number).output;
