/**
 * The strict side of the simulated pieces: every request that is not what the standard asks for is noted in a
 * sentence, besides being answered as the standard says. A test asserts that the list is empty.
 */
export interface Deviations {
  /** `POST /api/v1/login: authtype: expected a whole number (spec, Login)` */
  readonly list: readonly string[];
  note(deviation: { call: string; what: string; section: string }): void;
  forget(): void;
}

export function createDeviations(onNote: (sentence: string) => void): Deviations {
  const list: string[] = [];
  return {
    list,
    note({ call, what, section }) {
      const sentence = `${call}: ${what} (${section})`;
      list.push(sentence);
      onNote(sentence);
    },
    forget() {
      list.length = 0;
    },
  };
}
