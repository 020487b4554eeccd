/**
 * An engine that carries out what it was asked late, or once more: whoever gave up waiting does not know. Random walks of
 * two members over one document, each statement repeated at a later moment; the words of the seed repeat a walk.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import type { Claim } from '../../../src/domain/ports/claims.ts';
import type { EndState } from '../../../src/domain/release.ts';
import { outcomeOf } from '../../../src/domain/release.ts';
import type { Statement } from '../../../src/fleet/engine/line.ts';
import { notStopped, wishFor } from '../../contracts/claims.ts';
import type { FleetMember } from '../../support/fleet/fleet-member.ts';
import { startMember } from '../../support/fleet/fleet-member.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startSettledPostgres } from '../../support/fleet/postgres.ts';
import { patience } from '../../support/patience.ts';

const ends: readonly EndState[] = ['NOOUTPUT', 'NOOUTPUT', 'NOOUTPUT', 'UNKNOWN', 'PARTIAL', 'CONFIRMED'];
const deeds = new Set([
  'claim taken',
  'claim announced',
  'claim ended',
  'record to be posted',
  'records posted',
]);

/** Numerical Recipes' generator: a walk is told by its seed. */
function chanceOf(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return { below, of: <One>(all: readonly One[]): One => all[below(all.length)] as One };
}

needsPostgres()('an engine that answers late, or twice', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startSettledPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  it.each([1, 2, 3, 4])(
    'I1: lets nothing out unasked that may have printed, nor twice at once (walk %i)',
    async (seed) => {
      const url = await postgres.newDatabase();
      await using one = await startMember(url);
      await using other = await startMember(url);
      const members = [one, other] as const;
      const chance = chanceOf(seed);
      const asked: {
        readonly of: FleetMember;
        readonly statement: Statement;
        readonly values: readonly unknown[];
      }[] = [];
      for (const of of members) {
        const { engine } = of.running;
        const ask = engine.ask.bind(engine);
        engine.ask = (statement, values, options) => {
          if (deeds.has(statement.name)) asked.push({ of, statement, values });
          return ask(statement, values, options);
        };
      }
      const repeatSome = async (): Promise<void> => {
        for (let left = chance.below(4); left > 0 && asked.length > 0; left -= 1) {
          const { of, statement, values } = chance.of(asked);
          await of.running.engine.ask(statement, values, { within: patience() }).catch(() => {});
          asked.pop();
        }
      };

      for (let round = 0; round < 8; round += 1) {
        const document = systemChance.uuid();
        /** By releases that have ended. */
        let mayHavePrinted = false;
        for (let step = 0; step < 6; step += 1) {
          const at = chance.of(members);
          const rival = at === one ? other : one;
          const known = (await rival.claims.elsewhere([document], notStopped)).get(document);
          const reported = (await at.claims.elsewhere([document], notStopped)).get(document) ?? known;
          const isAsked = chance.below(2) === 0 && reported !== undefined;
          const wish = wishFor(document, isAsked ? { again: reported.releaseId } : {});
          at.records(wish, 'PLANNED');
          const claim = await at.claims.take(wish, notStopped).catch((): undefined => undefined);
          if (!claim) {
            at.records(wish, 'NOOUTPUT');
            continue;
          }
          expect(!mayHavePrinted || isAsked, `${seed}: step ${step} was given unasked`).toBe(true);
          await repeatSome();
          const lets = (by: FleetMember, held: Claim | undefined) =>
            held
              ? by.claims.sending(held, undefined, notStopped).then(
                  () => true,
                  () => false,
                )
              : Promise.resolve(false);
          const isFirst = chance.below(2) === 0 && (await lets(at, claim));
          const word = chance.of([undefined, reported?.releaseId, wish.releaseId]);
          const rivalWish = wishFor(document, word === undefined ? {} : { again: word });
          rival.records(rivalWish, 'PLANNED');
          const again = await rival.claims.take(rivalWish, notStopped).catch((): undefined => undefined);
          await repeatSome();
          const out = [isFirst || (await lets(at, claim)), await lets(rival, again)];
          expect(out, `${seed}: step ${step} is sent twice`).not.toEqual([true, true]);
          rival.records(rivalWish, 'NOOUTPUT');
          const state = out[0] ? chance.of(ends) : 'NOOUTPUT';
          await repeatSome();
          await at.ends(claim, state);
          if (again) await rival.ends(again, 'NOOUTPUT');
          mayHavePrinted ||= outcomeOf[state] !== 'failed';
          await repeatSome();
        }
      }
    },
  );
});
