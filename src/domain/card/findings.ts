/**
 * Ranks the rules that were found for known pairs: by how many pairs they explain, then by simplicity. Rules that
 * cannot be told apart are listed once. `advice.ts` has the advice about them.
 */
import type { CardPair } from './pairs.ts';
import type { CardRule } from './rule.ts';
import { convert } from './rule.ts';
import type { FoundRule } from './search.ts';

export interface Finding {
  readonly rule: CardRule;
  readonly explained: number;
  /** Pairs whose stored number the rule does not make, with the number that it makes, if any. */
  readonly unexplained: readonly (CardPair & { readonly gives: string | null })[];
}

const mostFindings = 8;
const mostProbes = 200;

/** If some rules explain all pairs, only those are returned; at most the few best ones. */
export function rankRules(found: readonly FoundRule[], pairs: readonly CardPair[]): readonly Finding[] {
  const known = new Set<string>();
  const reads = pairs.map(({ read }) => read);
  const probes = reads.flatMap(probesOf).slice(0, mostProbes);
  const findings: Finding[] = [];
  for (const { rule, fits } of ranked(found, pairs.length)) {
    if (findings.length === mostFindings) break;
    const effect = JSON.stringify([...reads, ...probes].map((number) => madeOf(rule, number)));
    if (known.has(effect)) continue;
    known.add(effect);
    findings.push(findingOf(rule, fits, pairs));
  }
  return findings;
}

function ranked(found: readonly FoundRule[], pairs: number): readonly FoundRule[] {
  const explained = ({ fits }: FoundRule) => fits.filter(Boolean).length;
  const length = ({ rule }: FoundRule) => rule.text.length;
  const whole = found.filter((one) => explained(one) === pairs);
  return (whole.length > 0 ? whole : found).toSorted(
    (one, other) => explained(other) - explained(one) || one.cost - other.cost || length(one) - length(other),
  );
}

function findingOf(rule: CardRule, fits: readonly boolean[], pairs: readonly CardPair[]): Finding {
  const unexplained = pairs
    .filter((_, index) => !fits[index])
    .map((pair) => ({ ...pair, gives: madeOf(rule, pair.read) }));
  return { rule, explained: pairs.length - unexplained.length, unexplained };
}

function madeOf(rule: CardRule, read: string): string | null {
  const result = convert(rule, read);
  return typeof result === 'string' ? result : null;
}

/** Cards that might exist. Rules that also agree on these are one rule, written in several ways. */
function probesOf(read: string): readonly string[] {
  const shifted = (by: number) => read.replace(/[0-9]/g, (digit) => String((Number(digit) + by) % 10));
  const letters = read.replace(/[A-F]/g, (letter) =>
    letter === 'F' ? 'A' : String.fromCharCode(letter.charCodeAt(0) + 1),
  );
  const zeros = (count: number) => '0'.repeat(count) + read.slice(count);
  return [shifted(3), shifted(7), letters, zeros(1), zeros(3), [...read].toReversed().join('')];
}
