/**
 * The steps of a card-number rule (src/cloud/README.md 9), by name: their parameters and their effect. Every step is
 * pure and total. A number that does not fit gives an error, never the number of another card. Digits go through
 * BigInt, because a 7-byte number is beyond the exact integers of Number. `rule-text.ts` says how rules are written.
 */
import { searchFor } from './regex.ts';

/** Why a number cannot go through a step; never contains the number. */
export interface Unfit {
  readonly unfit: string;
}

export type StepResult = string | Unfit;

/** Takes the former output, and the number with which the rule began. */
export type Conversion = (number: string, original: string) => StepResult;

/** Longest number a step takes or gives, in characters. */
export const longestNumber = 256;

/** The parameters in parentheses. There are several forms if a step can be written in several ways. */
export type Parameter = 'count' | 'index' | 'length' | 'char' | 'text' | 'pattern';

export interface StepKind {
  readonly forms: readonly (readonly Parameter[])[];
  /** The parameters have been checked against one of the forms. */
  make(parameters: readonly string[]): Conversion;
}

const plain = (conversion: Conversion): StepKind => ({ forms: [[]], make: () => conversion });

const withOne = (parameter: Parameter, make: (parameter: string) => Conversion): StepKind => ({
  forms: [[parameter]],
  make: ([one = '']) => make(one),
});

const padding = (pad: (number: string, length: number, char: string) => string): StepKind => ({
  forms: [['char', 'length']],
  make:
    ([char = '', length = '']) =>
    (number) =>
      pad(number, Number(length), char),
});

const hexadecimal = /^[0-9A-F]+$/i;
const decimal = /^[0-9]+$/;
const binary = /^[01]+$/;

const needs = (what: string): Unfit => ({ unfit: `needs ${what}` });

export const stepKinds: Readonly<Record<string, StepKind>> = {
  ASCII2Hex: plain(unpacked),
  Bin2Dec: plain((bits) =>
    binary.test(bits) ? BigInt(`0b${bits}`).toString() : needs('binary digits, 0 and 1'),
  ),
  CardNo: plain((_, original) => original),
  Const: withOne('text', (text) => () => text),
  Dec2Bin: plain((digits) =>
    decimal.test(digits) ? BigInt(digits).toString(2) : needs('decimal digits, 0 to 9'),
  ),
  Dec2Hex: plain((digits) =>
    decimal.test(digits) ? BigInt(digits).toString(16).toUpperCase() : needs('decimal digits, 0 to 9'),
  ),
  Hex2Dec: plain((digits) =>
    hexadecimal.test(digits) ? BigInt(`0x${digits}`).toString() : needs('hexadecimal digits, 0 to F'),
  ),
  LeftAppend: withOne('text', (text) => (number) => text + number),
  LeftPadding: padding((number, length, char) => number.padStart(length, char)),
  Lower: plain((number) => number.toLowerCase()),
  Regex: withOne('pattern', (pattern) => {
    const search = searchFor(pattern);
    return (number) => search(number) ?? { unfit: 'finds no match' };
  }),
  ReverseBits: plain((digits) => overBytes(digits, (bytes) => bytes.map(mirrored))),
  ReverseBytes: plain((digits) => overBytes(digits, (bytes) => bytes.toReversed())),
  RightAppend: withOne('text', (text) => (number) => number + text),
  RightPadding: padding((number, length, char) => number.padEnd(length, char)),
  Substring: {
    forms: [['count'], ['index', 'index']],
    make([first = '', end]) {
      const from = Number(first);
      if (end !== undefined) return (number) => number.slice(from, Number(end));
      return (number) => (from < 0 ? number.slice(from) : number.slice(0, from));
    },
  },
  TrimLeft: withOne('char', (char) => (number) => {
    let start = 0;
    while (number[start] === char) start += 1;
    return number.slice(start);
  }),
  TrimRight: withOne('char', (char) => (number) => {
    let end = number.length;
    while (end > 0 && number[end - 1] === char) end -= 1;
    return number.slice(0, end);
  }),
  Upper: plain((number) => number.toUpperCase()),
};

/** Text that does not look like packed ASCII stays as it is. The filler at its end is removed. */
function unpacked(text: string): string {
  if (!/^([34][0-9])+([fF]{2})*$/.test(text)) return text;
  const codes = text.replace(/([fF]{2})+$/, '').match(/../g) ?? [];
  return String.fromCharCode(...codes.map((code) => Number.parseInt(code, 16)));
}

/** With an odd number of digits the first byte has one digit, and gets a leading 0 (src/cloud/README.md 9). */
function overBytes(digits: string, change: (bytes: readonly string[]) => readonly string[]): StepResult {
  if (!hexadecimal.test(digits)) return needs('hexadecimal digits, 0 to F');
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return change(even.match(/../g) ?? []).join('');
}

/** The bits of one byte in reverse order. `ReverseBytes` reverses the bytes. */
const mirrored = (byte: string): string =>
  Number.parseInt([...Number.parseInt(byte, 16).toString(2).padStart(8, '0')].toReversed().join(''), 2)
    .toString(16)
    .toUpperCase()
    .padStart(2, '0');
