/**
 * The strict side of the simulator. A request that violates its standard gets the standard's answer and is also noted
 * as a sentence. A test asserts that the list is empty.
 */
import { printable } from '../core/text/printable.ts';

export interface Deviations {
  /**
   * For example `POST /api/v1/login: authtype: expected a whole number (spec, Login)`. Only the first ten thousand are
   * kept.
   */
  readonly list: readonly string[];
  note(deviation: { call: string; what: string; section: string }): void;
  forget(): void;
}

const mostKept = 10_000;

export function createDeviations(onNote: (sentence: string) => void): Deviations {
  const list: string[] = [];
  return {
    list,
    note({ call, what, section }) {
      const sentence = `${printable(call)}: ${printable(what)} (${section})`;
      if (list.length < mostKept) list.push(sentence);
      onNote(sentence);
    },
    forget() {
      list.length = 0;
    },
  };
}
