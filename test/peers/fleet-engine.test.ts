/** The engine of a fleet against a real PostgreSQL: killed, stopped, paused, and one of two hosts. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Statement } from '../../src/fleet/engine/line.ts';
import { runEngine } from '../support/fleet-engine.ts';
import type { Postgres } from '../support/postgres.ts';
import { needsPostgres, startPostgres } from '../support/postgres.ts';

const one: Statement = { name: 'one', text: 'SELECT 1 AS one' };

needsPostgres()('an engine', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  it('is connected to, and answers', async () => {
    await using member = runEngine(await postgres.newDatabase());
    await member.until('up');
    expect(await member.engine.ask(one, [], { within: seconds(2) })).toEqual([{ one: 1 }]);
  });

  it('is back within 5 s after it was killed', async () => {
    await using member = runEngine(await postgres.newDatabase());
    await member.until('up');
    await postgres.kill();
    await member.until('away');
    await postgres.start();
    await member.until('up', 5000);
    expect(member.log.records('engine back')).toHaveLength(1);
  });
});
