/**
 * A card number, normalised once at the reader's edge. From there on it cannot be printed: logs, JSON and
 * `inspect` show `[card]`. A badge is a name, not a secret (INVARIANTS.md T09), but it opens sessions.
 */
import { createHash } from 'node:crypto';
import { inspect } from 'node:util';

export class CardNumber {
  readonly #number: string;

  constructor(number: string) {
    this.#number = number;
  }

  /** For the login call only. */
  reveal(): string {
    return this.#number;
  }

  /** Tells two cards apart. For uses that outlive the session, which must not keep the number (I3). */
  mark(): string {
    return createHash('sha256').update(this.#number).digest('base64');
  }

  equals(other: CardNumber | undefined): boolean {
    return other !== undefined && other.#number === this.#number;
  }

  toString(): string {
    return '[card]';
  }

  toJSON(): string {
    return '[card]';
  }

  [inspect.custom](): string {
    return '[card]';
  }
}

const longestCard = 128;

/**
 * The default steps of src/cloud/README.md 9, without the optional ones. Control characters and blanks are removed,
 * everything after `=` is cut off, and letters become upper case. `undefined` when nothing usable is left.
 */
export function normaliseCard(read: string): CardNumber | undefined {
  const [beforeEquals = ''] = read.replace(/[\u0000-\u0020\u007f]/g, '').split('=', 1);
  const number = beforeEquals.toUpperCase();
  return /^[\u0021-\u007e]+$/.test(number) && number.length <= longestCard
    ? new CardNumber(number)
    : undefined;
}
