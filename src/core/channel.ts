/** Tells pieces that are built later. The sender does not wait, and a word without a listener is lost. */
export class Channel<Word = void> {
  readonly #listeners = new Set<(word: Word) => void>();

  readonly tell = (word: Word): void => {
    for (const listener of this.#listeners) listener(word);
  };

  /** Call the result to hear no more. */
  readonly hear = (listener: (word: Word) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
}
