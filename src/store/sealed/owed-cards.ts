/**
 * The port OwedCards as a sealed file. The card numbers in it are sealed once more, with a separate key for each
 * person, as in `row-keys.ts`. When the key is destroyed, no block that ever held the file reveals them (INVARIANTS.md
 * I4, I5).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Duration } from '../../core/duration.ts';
import { hours, milliseconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import { CardNumber } from '../../domain/card/card-number.ts';
import type { OwedCards, Owner } from '../../domain/ports/owed-cards.ts';
import { isSameOwner } from '../../domain/ports/owed-cards.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import { fileProblem } from '../files/durable-file.ts';
import type { RowKeys } from './row-keys.ts';
import { openRowKeys, readRowKeys } from './row-keys.ts';
import type { SealedFiles } from './sealed-files.ts';

export const owedCardsName = 'owed-cards';
export const owedCardKeysName = 'owed-card-keys';

const mostOwners = 32;
const mostCards = 64;
/** Counted only while an agent runs. */
const keptFor = hours(30 * 24);

const oneOwed = z.object({
  id: z.int(),
  providerId: z.int(),
  /** Milliseconds. */
  age: z.number(),
  slot: z.int().nonnegative(),
  /** Base64. */
  sealed: z.string(),
});
const shape = z.object({ owed: z.array(oneOwed) });
type Owed = z.output<typeof oneOwed>;

const numbers = z.array(z.string());

const purposeOf = ({ id, providerId }: Owner): string => `cards owed to user ${id} of provider ${providerId}`;

interface OwedCardsDeps extends Pick<Env, 'chance' | 'log'> {
  readonly directory: string;
  readonly files: SealedFiles;
}

/** Throws `store-refused` or `store-failed` if the file exists and cannot be read. */
export const openOwedCards = (deps: OwedCardsDeps): OwedCards => new OwedCardsFile(deps);

class OwedCardsFile implements OwedCards {
  readonly #deps: OwedCardsDeps;
  readonly #keysPath: string;
  #owed: readonly Owed[];

  constructor(deps: OwedCardsDeps) {
    this.#deps = deps;
    this.#keysPath = join(deps.directory, owedCardKeysName);
    const stored = deps.files.read(owedCardsName, shape);
    const owed = stored.kind === 'value' ? stored.value.owed : [];
    this.#owed = owed.filter((one) => this.#opened(one) !== undefined);
    const lost = owed.length - this.#owed.length;
    if (lost > 0) deps.log.warn('owed cards unreadable', { people: lost });
    // A crash may have come after an entry was forgotten and before its key was destroyed.
    if (existsSync(this.#keysPath)) this.#destroyOthers();
  }

  all(): readonly Owner[] {
    return this.#owed.map(({ id, providerId }) => ({ id, providerId }));
  }

  of(owner: Owner): readonly CardNumber[] {
    const owed = this.#owed.find((one) => isSameOwner(one, owner));
    const found = owed && this.#opened(owed);
    return found ? numbers.parse(JSON.parse(found.text)).map((number) => new CardNumber(number)) : [];
  }

  keep({ id, providerId }: Owner, cards: readonly CardNumber[]): void {
    const owner = { id, providerId };
    const others = this.#othersThan(owner);
    if (others.length >= mostOwners || cards.length > mostCards) {
      throw new Problem('store-refused', 'too many cards are to be given back already');
    }
    const text = JSON.stringify(cards.map((card) => card.reveal()));
    this.#withKeys((keys) =>
      keys.spend((slot) => {
        const sealed = keys.sealing(slot).seal(purposeOf(owner), text).toString('base64');
        this.#write([...others, { ...owner, age: 0, slot, sealed }]);
      }),
    );
    this.#destroyOthers();
  }

  forget(owner: Owner): void {
    const others = this.#othersThan(owner);
    if (others.length === this.#owed.length) return;
    try {
      this.#write(others);
    } catch (error) {
      this.#tell(error);
      // On a full disk it must be enough to destroy the key: that takes no room.
      this.#owed = others;
    }
    this.#destroyOthers();
  }

  age(span: Duration): readonly Owner[] {
    if (this.#owed.length === 0) return [];
    const aged = this.#owed.map((one) => ({ ...one, age: one.age + span }));
    const isOver = ({ age }: Owed): boolean => milliseconds(age) >= keptFor;
    this.#write(aged.filter((one) => !isOver(one)));
    const over = aged.filter(isOver);
    if (over.length > 0) this.#destroyOthers();
    return over.map(({ id, providerId }) => ({ id, providerId }));
  }

  #othersThan(owner: Owner): readonly Owed[] {
    return this.#owed.filter((one) => !isSameOwner(one, owner));
  }

  #write(owed: readonly Owed[]): void {
    this.#deps.files.write(owedCardsName, { owed });
    this.#owed = owed;
  }

  #opened(owed: Owed): { readonly text: string; readonly copy: number } | undefined {
    const bytes = Buffer.from(owed.sealed, 'base64');
    for (const [copy, unsealing] of readRowKeys(this.#keysPath).unsealings(owed.slot).entries()) {
      const found = unsealing.unseal(purposeOf(owed), bytes);
      if (found.kind === 'text') return { text: found.text, copy };
    }
    return undefined;
  }

  /** Replaces every key that no entry uses. */
  #destroyOthers(): void {
    try {
      this.#withKeys(() => {});
    } catch (error) {
      this.#tell(error);
    }
  }

  #withKeys(work: (keys: RowKeys) => void): void {
    const used = this.#owed.flatMap((one) => {
      const found = this.#opened(one);
      return found ? [[one.slot, found.copy] as const] : [];
    });
    using keys = this.#openKeys();
    keys.settle(new Map(used));
    work(keys);
  }

  #openKeys(): RowKeys {
    try {
      return openRowKeys({ path: this.#keysPath, chance: this.#deps.chance });
    } catch (error) {
      throw isProblem(error) ? error : fileProblem(this.#keysPath, error);
    }
  }

  #tell(error: unknown): void {
    if (!isProblem(error)) throw error;
    this.#deps.log.warn('owed cards not written', { code: error.code, detail: error.message });
  }
}
