/** Two gateways as programs of their own: one is killed, or stands still, and the other takes its terminal over (F11). */
import type { ExpectStatic } from 'vitest';
import { afterAll, beforeAll, it } from 'vitest';
import { setFleetStage, untilBadgeMayBeHeldAgain } from '../../support/fleet/fleet-stage.ts';
import { startProgram } from '../../support/program.ts';
import type { Program } from '../../support/program.ts';
import { aliceCard } from '../../support/agent/stage.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';

needsPostgres()('a fleet of two programs', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  async function two(expect: ExpectStatic) {
    await using opened = new AsyncDisposableStack();
    const fleet = opened.use(await setFleetStage(postgres));
    const start = (configFile: string): Program => opened.use(startProgram(['run', '-c', configFile]));
    const first = start(fleet.a.configFile);
    await first.logged('terminal ready');
    await first.logged('reader up');
    const second = start(fleet.b.configFile);
    await second.printed('"reason":"elsewhere"');
    // Who is new takes nothing that lapsed before it has been there for as long as a hold lives.
    await expect
      .poll(() =>
        postgres.query(
          `SELECT FROM platen.member WHERE beating_since < clock_timestamp() - interval '5 s'`,
          fleet.url,
        ),
      )
      .toHaveLength(2);
    const held = opened.move();
    return { fleet, first, second, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }

  it.for(['SIGKILL', 'SIGSTOP'] as const)(
    'F11: after %s the other one serves, and a badge there prints',
    // Most of the time somebody waits.
    { concurrent: true },
    async (signal, { expect }) => {
      await using pair = await two(expect);
      const { fleet, first, second } = pair;
      first.child.kill(signal);
      await second.logged('terminal taken over');
      if (signal === 'SIGSTOP') {
        // It finds at once that its time is over, and gives the reader up.
        first.child.kill('SIGCONT');
        await first.printed('"reason":"elsewhere","by":"gateway-b"');
      }
      await second.logged('reader up');
      await second.logged('terminal ready');
      fleet.stage.reader.tap(aliceCard);
      await second.logged('session opened');
      await untilBadgeMayBeHeldAgain();
      fleet.stage.reader.tap(aliceCard);
      await second.logged('release ended');
      expect(fleet.stage.printer.outputs).toHaveLength(1);
      first.child.kill('SIGKILL');
    },
  );
});
