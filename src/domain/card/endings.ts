/**
 * The last steps of a rule that the search builds: the steps that turn the result so far into the stored number. Each
 * ending is made from one pair. The search tests whether it holds for the others.
 */
export interface Ending {
  /** As it is written in a rule; empty if no step is needed. */
  readonly text: string;
  readonly cost: number;
}

/** Only little may be added, and much must be kept; otherwise any number could be made from any other. */
const longestAddition = 8;
const shortestKept = 3;

/** These cannot stand in a parameter, see `rule-text.ts`. */
const unwritable = /[,()]/;

export function endingsFor(output: string, stored: string): readonly Ending[] {
  if (output === stored) return [{ text: '', cost: 0 }];
  const cased = inCaseOf(stored, output);
  if (cased.output === stored) return [{ text: cased.text, cost: 0.8 }];
  const endings = [...added(cased.output, stored), ...takenAway(cased.output, stored)];
  if (cased.text === '') return endings;
  return endings.map(({ text, cost }) => ({ text: `${cased.text};${text}`, cost: cost + 0.8 }));
}

function inCaseOf(stored: string, output: string): { readonly text: string; readonly output: string } {
  if (/[A-Z]/.test(output) && /[a-z]/.test(stored)) return { text: 'Lower', output: output.toLowerCase() };
  if (/[a-z]/.test(output) && /[A-Z]/.test(stored)) return { text: 'Upper', output: output.toUpperCase() };
  return { text: '', output };
}

function added(output: string, stored: string): Ending[] {
  const at = stored.indexOf(output);
  if (at < 0) return [];
  const before = stored.slice(0, at);
  const after = stored.slice(at + output.length);
  if (unwritable.test(before + after)) return [];
  const endings: Ending[] = [];
  if (after === '' && isOneChar(before)) {
    endings.push({ text: `LeftPadding(${before[0]},${stored.length})`, cost: 1 });
  }
  if (before === '' && isOneChar(after)) {
    endings.push({ text: `RightPadding(${after[0]},${stored.length})`, cost: 1.8 });
  }
  if (output.length >= shortestKept && before.length + after.length <= longestAddition) {
    const steps = [
      ...(before === '' ? [] : [`LeftAppend(${before})`]),
      ...(after === '' ? [] : [`RightAppend(${after})`]),
    ];
    endings.push({ text: steps.join(';'), cost: 2.2 * steps.length });
  }
  return endings;
}

function takenAway(output: string, stored: string): Ending[] {
  const at = output.indexOf(stored);
  if (at < 0 || stored.length < shortestKept) return [];
  const end = at + stored.length;
  const before = output.slice(0, at);
  const after = output.slice(end);
  const endings: Ending[] = [];
  if (after === '' && isOneChar(before) && stored[0] !== before[0]) {
    endings.push({ text: `TrimLeft(${before[0]})`, cost: 1.2 });
  }
  if (before === '' && isOneChar(after) && stored.at(-1) !== after[0]) {
    endings.push({ text: `TrimRight(${after[0]})`, cost: 1.8 });
  }
  if (output.endsWith(stored)) endings.push({ text: `Substring(-${stored.length})`, cost: 1.5 });
  if (at === 0) endings.push({ text: `Substring(${end})`, cost: 1.6 });
  else endings.push({ text: `Substring(${at},${end})`, cost: 2 });
  return endings;
}

const isOneChar = (text: string): boolean =>
  text !== '' && !unwritable.test(text) && text === (text[0] ?? '').repeat(text.length);
