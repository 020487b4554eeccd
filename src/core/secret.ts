/**
 * A value that cannot print itself: `String(s)`, JSON, `util.inspect` and template literals all give `[secret]`. Only
 * `reveal()` gives the value; search for it to see every place where a secret leaves.
 */
import { inspect } from 'node:util';

export class Secret {
  #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** For comparing a refused token with the token in use. */
  equals(other: Secret | undefined): boolean {
    return other !== undefined && other.#value === this.#value;
  }

  /** Forgets the value. A string cannot be overwritten in V8, but no object of ours holds it any longer. */
  wipe(): void {
    this.#value = '';
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
