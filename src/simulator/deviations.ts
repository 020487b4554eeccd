/**
 * The strict side of the simulated pieces: every request that is not what the standard asks for is noted in a
 * sentence, besides being answered as the standard says. A test asserts that the list is empty.
 */
import { printable } from '../core/text/printable.ts';

export interface Deviations {
  /** `POST /api/v1/login: authtype: expected a whole number (spec, Login)`; the first ten thousand. */
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
