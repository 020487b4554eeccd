/** A member that is alone in its fleet, and so never needs the engine (F12). `README.md` has the argument. */
import { z } from 'zod';
import type { Env } from '../domain/env.ts';
import type { ClaimBooks } from '../domain/ports/claims.ts';
import { aloneSince } from './engine/second-level.ts';
import type { Statement } from './engine/line.ts';
import type { Ask } from './patience.ts';
import type { Teller } from './claims-told.ts';
import { isOpen, lastOfEach, tellClaims } from './claims-told.ts';

/** `over`: another member has come once, and this one is never alone again. */
export type AloneWord = 'alone' | 'over';

/** Durable when `write` returns. */
export interface AloneRecord {
  /** `undefined` also for a word that was given at another engine, or in another state directory. */
  read(): AloneWord | undefined;
  write(word: AloneWord): void;
}

/**
 * A promise in two places: a row of `platen.alone`, and a word beside the ledger. While the row is there, other members
 * get no claim without asking, and settle nothing of this member. While the word is there, the member prints without
 * the engine whenever that is away.
 * The row is there before the word is written. It is removed after the word is given up and everything is told. So no
 * other member prints without asking a document that may be printed here.
 */
export interface Solitude {
  isAlone(): boolean;
  /** The engine is of another fleet: its members may print a document that was printed here, and cannot be told. */
  end(): void;
  /** The engine has another address: a promise at the old address does not hold there. */
  moved(record: AloneRecord): void;
  /** Something was printed without asking the engine. */
  wentAlone(): void;
  /**
   * Called while the engine is up. The member becomes alone, or tells all and is alone no more; or it calls the lone
   * member that has to tell.
   */
  settle(ask: Ask): Promise<void>;
}

export interface SolitudeDeps
  extends Pick<Teller, 'member' | 'placeOf' | 'proofs'>,
    Pick<Env, 'clock' | 'log'> {
  readonly record: AloneRecord;
  readonly books: ClaimBooks;
}

/** A new member calls the lone member on this channel. */
export const aloneChannel = 'platen_alone';

const hasOthers = 'EXISTS (SELECT FROM platen.member WHERE id <> $1::uuid)';
/** A member that was taken off the roll may have made prints that are not in this ledger. */
const hadOthers = `(${hasOthers} OR EXISTS (SELECT FROM platen.any_claim WHERE member <> $1 OR left_by IS NOT NULL))`;

/** $1 member, in all of these. */
const look: Statement = {
  name: 'alone or not',
  text: `SELECT (SELECT member FROM platen.alone) AS alone, ${hasOthers} AS "hasOthers",
    (SELECT left(name, 255) FROM platen.alone JOIN platen.member ON id = platen.alone.member) AS name`,
};
const lookShape = z.object({
  alone: z.string().nullable(),
  hasOthers: z.boolean(),
  name: z.string().nullable(),
});

/** A member that does not know this table has to stay away. */
const promise: Statement = {
  name: 'alone',
  text: `
    WITH made AS (
      INSERT INTO platen.alone (member) SELECT $1::uuid WHERE NOT ${hadOthers} ON CONFLICT DO NOTHING
      RETURNING member)
    UPDATE platen.fleet SET minimum = greatest(minimum, ${aloneSince}) WHERE EXISTS (SELECT FROM made)`,
};
/**
 * Asked after all members can see the promise. A member that entered before it is seen here; a member that enters later
 * sees the promise.
 */
const confirm: Statement = {
  name: 'alone, confirmed',
  text: `SELECT EXISTS (SELECT FROM platen.alone WHERE member = $1::uuid) AND NOT ${hadOthers} AS "isAlone"`,
};
const takeBack: Statement = {
  name: 'alone no more',
  text: 'DELETE FROM platen.alone WHERE member = $1::uuid',
};
const call: Statement = { name: 'alone called', text: `SELECT pg_notify('${aloneChannel}', '')` };

export const createSolitude = (deps: SolitudeDeps): Solitude => new MembersSolitude(deps);

class MembersSolitude implements Solitude {
  readonly #deps: SolitudeDeps;
  #record: AloneRecord;
  #word: AloneWord | undefined;
  #isUnreported = true;
  /** The name of the member that the fleet waits for. */
  #called: string | undefined;

  constructor(deps: SolitudeDeps) {
    this.#deps = deps;
    this.#record = deps.record;
    this.#word = this.#record.read();
  }

  moved(record: AloneRecord): void {
    this.#record = record;
    this.#word = record.read();
    this.#isUnreported = true;
  }

  isAlone(): boolean {
    return this.#word === 'alone';
  }

  end(): void {
    if (this.isAlone()) this.#write('over');
  }

  wentAlone(): void {
    this.#isUnreported = true;
  }

  async settle(ask: Ask): Promise<void> {
    const { member } = this.#deps;
    const [row] = await ask(look, [member]);
    const { alone, hasOthers: isAccompanied, name } = lookShape.parse(row);
    const isOurs = alone === member;
    if (this.isAlone() && !isOurs) return this.#giveUp(ask);
    if (isOurs && (isAccompanied || this.#word === 'over')) return this.#giveUp(ask);
    if (alone !== null && !isOurs) return this.#call(ask, name ?? alone);
    this.#called = undefined;
    if (this.#word === undefined && !isAccompanied) await this.#become(ask);
    if (this.isAlone() && this.#isUnreported) await this.#tell(ask);
  }

  async #become(ask: Ask): Promise<void> {
    const { member } = this.#deps;
    await ask(promise, [member]);
    const [row] = await ask(confirm, [member]);
    if (row?.['isAlone'] === true) return this.#write('alone');
    await ask(takeBack, [member]);
  }

  async #giveUp(ask: Ask): Promise<void> {
    const { member, log } = this.#deps;
    if (this.isAlone()) log.info('alone no more');
    if (this.#word !== 'over') this.#write('over');
    await this.#tell(ask);
    await ask(takeBack, [member]);
  }

  /** Reads the ledger after the word is given up: each print without the engine has its intent there. */
  async #tell(ask: Ask): Promise<void> {
    const { books, member, clock, placeOf, proofs } = this.#deps;
    this.#isUnreported = false;
    try {
      // A finished release with a claim is settled in the usual way.
      const missing = lastOfEach(books.every()).filter(({ number, state }) => number === 0 || isOpen(state));
      await books.durable();
      await tellClaims(ask, missing, { member, now: clock.now(), placeOf, proofs });
    } catch (error) {
      this.#isUnreported = true;
      throw error;
    }
  }

  async #call(ask: Ask, name: string): Promise<void> {
    const { log } = this.#deps;
    if (this.#called !== name)
      log.warn('a member that was alone has not told what it printed', { member: name });
    this.#called = name;
    await ask(call, []);
  }

  #write(word: AloneWord): void {
    this.#record.write(word);
    this.#word = word;
  }
}
