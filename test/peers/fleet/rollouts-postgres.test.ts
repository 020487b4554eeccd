/** Roll-outs in the tables of an engine, on a PostgreSQL of their own (F16). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOrders, createRolloutTable } from '../../../src/fleet/configuration/rollout-table.ts';
import type { Ask } from '../../../src/fleet/configuration/version-table.ts';
import { createSigner } from '../../support/fleet/signed-fleet.ts';
import type { RunningEngine } from '../../support/fleet/fleet-engine.ts';
import { runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { patience } from '../../support/patience.ts';

needsPostgres()('a roll-out in the engine', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  function tablesOf({ engine }: RunningEngine) {
    const ask: Ask = (statement, values, signal) =>
      engine.ask(statement, values, { within: patience(), signal });
    return {
      orders: createOrders(ask),
      rollouts: createRolloutTable(ask, (channel, listener) => engine.onNotice(channel, listener)),
    };
  }

  it('is looked after also when the clock of the engine was set back', async () => {
    const url = await postgres.newDatabase();
    await using member = runEngine(url);
    await member.until('up');
    const { signal } = new AbortController();
    const { orders, rollouts } = tablesOf(member);
    await orders.give(1, createSigner().order({ version: 1 }), signal);
    expect(await rollouts.turn(9000, signal)).toMatchObject({ number: 1 });
    expect(await rollouts.turn(9000, signal)).toBeUndefined();
    await postgres.query(`UPDATE platen.rollout SET looked_at = looked_at + interval '1 h'`, url);
    expect(await rollouts.turn(9000, signal)).toMatchObject({ number: 1 });
    expect(await rollouts.turn(9000, signal)).toBeUndefined();
  });

  it('waits for no gateway that was taken off the roll since the order, and changes nobody’s turn by that', async () => {
    const url = await postgres.newDatabase();
    await using first = runEngine(url, { member: { name: 'gateway-a' } });
    await using second = runEngine(url, { member: { name: 'gateway-b' } });
    await Promise.all([first, second].map((member) => member.until('up')));
    const { signal } = new AbortController();
    const { orders, rollouts } = tablesOf(first);
    expect(await orders.give(1, createSigner().order({ version: 1, steps: [100] }), signal)).toBe(true);
    const inStep = async () => (await rollouts.gateways(1, 2, signal)).map(({ name }) => name).toSorted();
    expect(await inStep()).toEqual(['gateway-a', 'gateway-b']);
    const before = await rollouts.wish(first.memberId, signal);

    await second[Symbol.asyncDispose]();
    await postgres.query(`DELETE FROM platen.member WHERE name = 'gateway-b'`, url);
    expect(await inStep()).toEqual(['gateway-a']);
    expect(await rollouts.wish(first.memberId, signal)).toMatchObject({ total: 2, rank: before?.rank });
  });
});
