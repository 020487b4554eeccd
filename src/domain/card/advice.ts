/**
 * Advice for an administrator before they use a rule that was found for known pairs. It warns of too few pairs, of
 * pairs that contradict one another or the rule, and of numbers cut so short that two cards may become the same.
 */
import type { Finding } from './findings.ts';
import type { CardPair } from './pairs.ts';
import type { CardRule } from './rule.ts';
import { convert } from './rule.ts';

/** src/cloud/README.md 9. */
const enoughPairs = 3;

/** Sentences for the administrator. They contain card numbers, so only the person who gave the pairs may see them. */
export function adviceOn(pairs: readonly CardPair[], findings: readonly Finding[]): readonly string[] {
  const [best] = findings;
  return [
    ...fewness(pairs),
    ...contradictions(pairs),
    ...(best
      ? [...misfits(best, pairs.length), ...truncation(best, pairs), ...paddingHint(best, pairs)]
      : []),
  ];
}

function fewness(pairs: readonly CardPair[]): string[] {
  const cards = new Set(pairs.map(({ read }) => read)).size;
  if (cards >= enoughPairs) return [];
  return [
    `${cards} ${cards === 1 ? 'card fits' : 'cards fit'} many rules. Give at least ${enoughPairs} cards, better ten`,
  ];
}

function contradictions(pairs: readonly CardPair[]): string[] {
  return pairs.flatMap((pair, index) => {
    const earlier = pairs.slice(0, index);
    const sameRead = earlier.find(({ read }) => read === pair.read);
    if (sameRead) {
      return [
        `lines ${sameRead.line} and ${pair.line} disagree: ${pair.read} is stored in two ways. One is wrong`,
      ];
    }
    const sameStored = earlier.find(({ stored }) => stored === pair.stored);
    if (!sameStored) return [];
    return [
      `lines ${sameStored.line} and ${pair.line}: two cards are stored as ${pair.stored}. Both belong to the same person, or one is wrong`,
    ];
  });
}

function misfits({ rule, unexplained }: Finding, pairs: number): string[] {
  if (unexplained.length === 0) return [];
  const lines = unexplained.map(({ line }) => line).join(', ');
  return [
    `${unexplained.length} of ${pairs} pairs do not fit ${rule.text || 'the unchanged number'} (line ${lines}). Check these cards again`,
  ];
}

/**
 * If a digit can be changed without changing the result, the rule drops it. Cards that differ only there become the
 * same card.
 */
function truncation({ rule, unexplained }: Finding, pairs: readonly CardPair[]): string[] {
  const pair = pairs.find(
    (one) => /^[0-9A-F]+$/.test(one.read) && !unexplained.some(({ line }) => line === one.line),
  );
  if (!pair) return [];
  const others = 'If two cards differ only in the other digits, each opens the documents of the other';
  const kept = digitsThatCount(rule, pair);
  const { length } = pair.read;
  if (kept < length) {
    const isDecimal = pairs.every(({ read }) => /^[0-9]+$/.test(read));
    const bits = isDecimal ? '' : `${kept * 4} of the ${length * 4} bits, `;
    return [
      `the stored numbers keep only ${bits}${kept} of the ${length} digits of the number that the reader sends. ${others}`,
    ];
  }
  return /2Dec;(?:[^+]*;)?Substring/.test(rule.text)
    ? [`the stored numbers keep only some of the decimal digits. ${others}`]
    : [];
}

/** A digit that can be changed without changing the stored number does not count. */
const digitsThatCount = (rule: CardRule, { read, stored }: CardPair): number =>
  [...read].filter((digit, at) => {
    const other = `${read.slice(0, at)}${digit === '1' ? '2' : '1'}${read.slice(at + 1)}`;
    return convert(rule, other) !== stored;
  }).length;

function paddingHint({ rule }: Finding, pairs: readonly CardPair[]): string[] {
  const length = pairs[0]?.stored.length ?? 0;
  const isFixed = pairs.every(({ stored }) => /^[0-9]+$/.test(stored) && stored.length === length);
  if (!isFixed || !rule.text.endsWith('Hex2Dec')) return [];
  return [
    `all stored numbers here have ${length} digits. If the service writes zeros before shorter numbers, end the rule with ;LeftPadding(0,${length})`,
  ];
}
