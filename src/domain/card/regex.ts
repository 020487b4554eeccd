/**
 * Regular expressions of card-number rules: ECMAScript syntax in Unicode mode, without patterns that can run too long.
 * A backtracking search tries at most the product of the choices of its quantifiers and alternatives. That product is
 * bounded, for numbers of the longest length. Back-references and look-around are not allowed.
 */

/** A number has at most so many characters, so a quantifier has at most so many choices. */
const mostChoices = 257;
/** Some tenths of a second at the worst. */
const mostWays = 20_000_000;

/** Returns the first group if it took part, else the whole match; `undefined` without a match. */
export function searchFor(pattern: string): (text: string) => string | undefined {
  const expression = new RegExp(pattern, 'u');
  return (text) => {
    const match = expression.exec(text);
    return match ? (match[1] ?? match[0]) : undefined;
  };
}

/** The mistake in a pattern, in a sentence; `undefined` when it may be used. */
export function patternMistake(pattern: string): string | undefined {
  try {
    // The engine compiles a pattern at its first search only, and may then find it too large.
    new RegExp(pattern, 'u').exec('');
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message.replace(/^.*\/u?: /, '')}`;
  }
  if (/\\[1-9k]/.test(pattern.replaceAll('\\\\', ''))) return 'must not refer back to a group';
  if (/\(\?<?[=!]/.test(pattern)) return 'must not look ahead or behind';
  const starts = pattern.startsWith('^') && !hasBareAlternative(pattern) ? 1 : mostChoices;
  const ways = waysOf(pattern);
  if (ways === undefined) {
    return 'must not repeat a group that contains a quantifier or an alternative. Write a class, for example [0-9A-F]*';
  }
  return ways * starts > mostWays
    ? 'could search for too long. Begin it with ^, or use fewer of * + ? and {}'
    : undefined;
}

const tokens = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?:|\?<[^>]*>)?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gu;

const tokensOf = (pattern: string): readonly string[] => pattern.match(tokens) ?? [];

function hasBareAlternative(pattern: string): boolean {
  let depth = 0;
  for (const token of tokensOf(pattern)) {
    if (token.startsWith('(')) depth += 1;
    if (token === ')') depth -= 1;
    if (token === '|' && depth === 0) return true;
  }
  return false;
}

interface Level {
  /** Of the alternatives before this one, together. */
  readonly before: number;
  /** Of this alternative so far, and of its last atom. */
  readonly ways: number;
  readonly atom: number;
}

const fresh: Level = { before: 0, ways: 1, atom: 1 };
const total = ({ before, ways }: Level): number => before + ways;

/** In how many ways the pattern can be tried from one place; `undefined` if repetition makes that exponential. */
function waysOf(pattern: string): number | undefined {
  const outer: Level[] = [];
  let level = fresh;
  for (const token of tokensOf(pattern)) {
    const choices = choicesOf(token);
    if (choices) {
      if (level.atom > 1 && choices.most > 1) return undefined;
      level = { ...level, ways: level.ways * choices.count, atom: 1 };
    } else if (token.startsWith('(')) {
      outer.push(level);
      level = fresh;
    } else if (token === ')') {
      const inner = total(level);
      const around = outer.pop() ?? fresh;
      level = { ...around, ways: around.ways * inner, atom: inner };
    } else if (token === '|') level = { ...fresh, before: total(level) };
    else level = { ...level, atom: 1 };
  }
  return total(level);
}

/** How often a quantifier may repeat at most, and in how many ways; `undefined` if the token is no quantifier. */
function choicesOf(token: string): { readonly most: number; readonly count: number } | undefined {
  if (/^[*+]/.test(token)) return { most: mostChoices, count: mostChoices };
  if (token.startsWith('?')) return { most: 1, count: 2 };
  const bounds = /^\{(?<least>\d+)(?<open>,(?<most>\d*))?\}/.exec(token)?.groups;
  if (!bounds) return undefined;
  const least = Number(bounds['least']);
  const named = bounds['open'] === undefined ? least : Number(bounds['most'] || mostChoices);
  const most = Math.min(named, mostChoices);
  return { most, count: Math.max(most - least, 0) + 1 };
}
