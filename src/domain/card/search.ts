/**
 * Finds card-number rules that explain known pairs. It searches over the steps of `steps.ts`: a few of them in a row,
 * simplest first, then one or two steps that make the stored number from the result. `findings.ts` ranks the rules.
 */
import type { CardPair } from './pairs.ts';
import type { CardRule } from './rule.ts';
import { parseCardRule } from './rule-text.ts';
import { convert } from './rule.ts';
import { endingsFor } from './endings.ts';

export interface FoundRule {
  readonly rule: CardRule;
  /** For each pair, whether the rule makes its stored number. */
  readonly fits: readonly boolean[];
  /** A lower cost means a simpler rule. */
  readonly cost: number;
}

/** A rule so far, and its result for each number read; `undefined` if the rule does not fit a number. */
interface Trail {
  readonly text: string;
  readonly cost: number;
  readonly outputs: readonly (string | undefined)[];
}

interface Move {
  readonly text: string;
  readonly cost: number;
}

const mostSteps = 3;
/** Endings are made from these pairs, and tried on all. */
const mostModels = 12;

/**
 * Rules that explain more than half of the pairs. `isOver` is asked between two steps of the search. When it says yes,
 * the rules found so far are returned.
 */
export function searchCardRules(
  pairs: readonly CardPair[],
  isOver: () => boolean = () => false,
): readonly FoundRule[] {
  const found = new Map<string, FoundRule>();
  const seen = new Set<string>();
  const moves = movesFor(pairs);
  let trails: readonly Trail[] = [{ text: '', cost: 0, outputs: pairs.map(({ read }) => read) }];
  for (const text of templates) consider(trailOf(text, pairs));
  for (let steps = 0; steps <= mostSteps; steps += 1) {
    const next: Trail[] = [];
    for (const trail of trails) {
      if (isOver()) return [...found.values()];
      const key = trail.outputs.join('\n');
      if (seen.has(key)) continue;
      seen.add(key);
      consider(trail);
      if (steps < mostSteps) next.push(...onward(trail, moves));
    }
    trails = next.toSorted((one, other) => one.cost - other.cost);
  }
  return [...found.values()];

  function consider({ text: sofar, cost, outputs }: Trail): void {
    const models = pairs.slice(0, mostModels).flatMap(({ stored }, index) => {
      const output = outputs[index];
      return output === undefined ? [] : endingsFor(output, stored);
    });
    for (const ending of new Map(models.map((one) => [one.text, one])).values()) {
      const text = ended(sofar, ending.text);
      if (text === undefined || found.has(text)) continue;
      const last = parseCardRule(ending.text);
      const fits = pairs.map(({ stored }, index) => {
        const output = outputs[index];
        return output !== undefined && convert(last, output) === stored;
      });
      if (fits.filter(Boolean).length * 2 <= pairs.length) continue;
      found.set(text, { rule: parseCardRule(text), fits, cost: cost + ending.cost });
    }
  }
}

/** A step behind a `+` belongs to the last chain alone. So joined chains can only have a prefix as their ending. */
function ended(text: string, ending: string): string | undefined {
  if (text === '' || ending === '') return text + ending;
  if (!text.includes('+')) return `${text};${ending}`;
  const prefix = /^LeftAppend\((?<prefix>[^)]*)\)$/.exec(ending)?.groups?.['prefix'];
  return prefix === undefined ? undefined : `Const(${prefix}) + ${text}`;
}

function trailOf(text: string, pairs: readonly CardPair[]): Trail {
  const rule = parseCardRule(text);
  const outputs = pairs.map(({ read }) => asText(convert(rule, read)));
  return { text, cost: 4 + text.length / 100, outputs };
}

const asText = (result: ReturnType<typeof convert>): string | undefined =>
  typeof result === 'string' ? result : undefined;

function onward(trail: Trail, moves: readonly (Move & { rule: CardRule })[]): Trail[] {
  const isSliced = trail.text.includes('Substring');
  return moves.flatMap(({ text, cost, rule }) => {
    // Padding at the start makes up for zeros that the reader has lost. At the end it is an ending.
    if (trail.text !== '' && text.startsWith('LeftPadding')) return [];
    // Two slices in a row are one, and a third slice in a rule explains pairs by accident.
    if (isSliced && text.startsWith('Substring')) return [];
    const outputs = trail.outputs.map((output) => output && asText(convert(rule, output)));
    if (outputs.every((output) => output === undefined)) return [];
    return [{ text: trail.text === '' ? text : `${trail.text};${text}`, cost: trail.cost + cost, outputs }];
  });
}

function movesFor(pairs: readonly CardPair[]): readonly (Move & { rule: CardRule })[] {
  const widest = Math.min(Math.max(...pairs.map(({ read }) => read.length)), 32);
  const slices: Move[] = [];
  for (let count = 1; count < widest; count += 1) {
    slices.push({ text: `Substring(-${count})`, cost: 1.5 }, { text: `Substring(${count})`, cost: 1.6 });
  }
  // Slices from the middle take whole bytes.
  for (let from = 2; from < widest - 2; from += 2) {
    for (let to = from + 4; to < widest; to += 2) {
      slices.push({ text: `Substring(${from},${to})`, cost: 2 });
    }
  }
  return [...conversions, ...slices].map((move) => ({ ...move, rule: parseCardRule(move.text) }));
}

/** 32, 40, 56 and 64 bits: the widths of card serial numbers. A reader that gives decimals has lost their zeros. */
const widths = [8, 10, 14, 16];

const conversions: readonly Move[] = [
  { text: 'Hex2Dec', cost: 1 },
  { text: 'ReverseBytes', cost: 1 },
  { text: 'Dec2Hex', cost: 1.1 },
  { text: 'TrimLeft(0)', cost: 1.2 },
  { text: 'ASCII2Hex', cost: 1.3 },
  { text: 'ReverseBits', cost: 2 },
  ...widths.map((width) => ({ text: `LeftPadding(0,${width})`, cost: 1.4 })),
  ...widths.map((width) => ({ text: `Dec2Hex;LeftPadding(0,${width})`, cost: 1.5 })),
];

/**
 * Facility code and number as 26-bit Wiegand has them: from the last three bytes as three and five digits, or out of
 * the 26 bits themselves, which have a parity bit at each end.
 */
const templates: readonly string[] = ['', 'ReverseBytes;', 'ASCII2Hex;', 'Dec2Hex;LeftPadding(0,8);'].flatMap(
  (before) => {
    const facility = `${before}Substring(-6);Substring(2);Hex2Dec`;
    const number = `${before}Substring(-4);Hex2Dec`;
    const bits = `${before}Hex2Dec;Dec2Bin;LeftPadding(0,26);Substring(-26)`;
    return [
      `${facility};LeftPadding(0,3) + ${number};LeftPadding(0,5)`,
      `${facility} + ${number};LeftPadding(0,5)`,
      `${number};LeftPadding(0,5)`,
      `${bits};Substring(1,9);Bin2Dec;LeftPadding(0,3) + ${bits};Substring(9,25);Bin2Dec;LeftPadding(0,5)`,
      `${bits};Substring(1,9);Bin2Dec + ${bits};Substring(9,25);Bin2Dec;LeftPadding(0,5)`,
      `${bits};Substring(9,25);Bin2Dec`,
      `${bits};Substring(1,25);Bin2Dec`,
    ];
  },
);
