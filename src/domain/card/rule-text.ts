/**
 * How a card-number rule is written (src/cloud/README.md 9). Steps are joined by `;`, and chains of steps by `+`, which
 * binds looser. Names are case-sensitive. Blanks count only in a pattern.
 */
import { patternMistake } from './regex.ts';
import type { CardRule, RuleStep } from './rule.ts';
import type { Parameter } from './steps.ts';
import { longestNumber, stepKinds } from './steps.ts';
import { Problem } from '../problem/problem.ts';

const longestRule = 1024;

/** Throws a `Problem` of code config-invalid: `column 9: …` with the mistake and the allowed words. */
export function parseCardRule(text: string): CardRule {
  if (text.length > longestRule) throw mistake(longestRule, `a rule has at most ${longestRule} characters`);
  if (text.trim() === '') return { text, chains: [] };
  const chains: RuleStep[][] = [[]];
  let at = 0;
  for (;;) {
    const { step, end } = readStep(text, afterBlanks(text, at));
    chains.at(-1)?.push(step);
    at = afterBlanks(text, end);
    const joint = text[at];
    if (joint === undefined) return { text, chains };
    if (joint === '+') chains.push([]);
    else if (joint !== ';')
      throw mistake(at, `"${joint}" is not allowed here. Write ; or +, or end the rule here`);
    at += 1;
  }
}

const mistake = (at: number, message: string): Problem =>
  new Problem('config-invalid', `column ${at + 1}: ${message}`);

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

function readStep(text: string, at: number): { readonly step: RuleStep; readonly end: number } {
  const name = /^[A-Za-z0-9]+/.exec(text.slice(at))?.[0] ?? '';
  const kind = Object.hasOwn(stepKinds, name) ? stepKinds[name] : undefined;
  if (!kind) throw mistake(at, unknownName(name));
  const open = afterBlanks(text, at + name.length);
  const isPattern = kind.forms[0]?.[0] === 'pattern';
  const inside = text[open] === '(' ? insideOf(text, open, isPattern) : undefined;
  const parameters =
    inside === undefined ? [] : isPattern ? [inside] : inside.split(',').map((one) => one.trim());
  const form = kind.forms.find(({ length }) => length === parameters.length);
  if (!form)
    throw mistake(at, `write ${name} as ${kind.forms.map((one) => formText(name, one)).join(' or ')}`);
  for (const [index, parameter] of form.entries()) {
    const wrong = parameterMistake[parameter](parameters[index] ?? '');
    if (wrong !== undefined) throw mistake(open + 1, `${formText(name, form)}: ${parameter} ${wrong}`);
  }
  if (name === 'Substring' && form.length === 2 && Number(parameters[0]) >= Number(parameters[1])) {
    throw mistake(open + 1, 'Substring(index,index): the second number must be larger than the first');
  }
  const written = inside === undefined ? name : `${name}(${parameters.join(',')})`;
  const end = inside === undefined ? at + name.length : open + inside.length + 2;
  return { step: { text: written, convert: kind.make(parameters) }, end };
}

function unknownName(name: string): string {
  const names = Object.keys(stepKinds);
  if (name === '') return `a step is missing. The steps are ${names.join(', ')}`;
  const meant = names.find((one) => one.toLowerCase() === name.toLowerCase());
  return meant
    ? `"${name}" must be written ${meant}`
    : `"${name}" is not a step. The steps are ${names.join(', ')}`;
}

const formText = (name: string, form: readonly Parameter[]): string =>
  form.length === 0 ? name : `${name}(${form.join(',')})`;

/** The text between a parenthesis and its closing one. A pattern has parentheses of its own. */
function insideOf(text: string, open: number, isPattern: boolean): string {
  let depth = 0;
  let inClass = false;
  for (let at = open; at < text.length; at += 1) {
    const char = text[at];
    if (isPattern && char === '\\') at += 1;
    else if (isPattern && inClass) inClass = char !== ']';
    else if (isPattern && char === '[') inClass = true;
    else if (char === '(' && (isPattern || at === open)) depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth === 0) return text.slice(open + 1, at);
    }
  }
  throw mistake(open, 'the closing ) is missing');
}

const isNumber = (text: string, least: number): boolean =>
  /^-?\d{1,3}$/.test(text) && Number(text) >= least && Number(text) <= longestNumber;

const parameterMistake: Readonly<Record<Parameter, (text: string) => string | undefined>> = {
  count: (text) =>
    isNumber(text, -longestNumber) && Number(text) !== 0
      ? undefined
      : `must be 1 to ${longestNumber} for the first characters, or -1 to -${longestNumber} for the last`,
  index: (text) => (isNumber(text, 0) ? undefined : `must be 0 to ${longestNumber}`),
  length: (text) => (isNumber(text, 1) ? undefined : `must be 1 to ${longestNumber}`),
  char: (text) => (/^[!-~]$/.test(text) ? undefined : 'must be one character'),
  text: (text) =>
    /^[!-~]{1,64}$/.test(text) ? undefined : 'must be 1 to 64 characters without blanks and commas',
  pattern: patternMistake,
};
