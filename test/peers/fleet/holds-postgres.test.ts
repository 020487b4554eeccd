/** The holds of a member of a fleet keep the contract, on a PostgreSQL of their own. */
import { afterAll, beforeAll } from 'vitest';
import { openMember } from '../../support/fleet/member.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { describeHolds } from '../../contracts/holds.ts';

needsPostgres()('holds in PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  describeHolds(async (user, opened) => {
    const member = opened.use(
      await openMember({ url: await postgres.newDatabase(), name: 'gateway-a', user }),
    );
    return member.holds;
  });
});
