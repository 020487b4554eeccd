/** What a roll-out makes a thousand gateways ask of the service, at one of them (F13, F16). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { minutes } from '../../../src/core/duration.ts';
import { commandHere } from '../../support/command-here.ts';
import { forwardClock } from '../../support/forward-clock.ts';
import { runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { reachesEngine, setFleetStage } from '../../support/fleet/fleet-stage.ts';
import type { Running } from '../../support/agent/stage.ts';

needsPostgres()('one of a thousand gateways', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  const settlingOf = async ({ operations }: Running) => {
    const status = (await (await fetch(`${operations}/status`)).json()) as {
      readonly settling: { readonly gateways: number; readonly secondsLeft: number } | null;
    };
    return status.settling;
  };

  /** They were there, and come back some day. */
  async function enrol(url: string, others: number): Promise<void> {
    await using member = runEngine(url);
    await member.until('up');
    await postgres.query(
      `INSERT INTO platen.member (id, incarnation, name, site, version, level, beat_at, until)
        SELECT gen_random_uuid(), gen_random_uuid(), 'gateway-' || n, 'elsewhere', '1.0.0', 2,
          clock_timestamp() - interval '1 h', clock_timestamp() - interval '1 h' FROM generate_series(1, ${others}) n`,
      url,
    );
  }

  it('asks in its turn what a configuration that it takes with all others makes it ask', async () => {
    const clock = forwardClock();
    await using stage = await setFleetStage(postgres, { clock });
    const { url, a } = stage;
    const key = join(stage.stage.folder, 'signer');
    expect(await commandHere(['fleet', 'keygen', key])).toMatchObject({ code: 0 });
    const { fleet, ...rest } = parse(readFileSync(a.configFile, 'utf8')) as Record<string, object>;
    writeFileSync(a.configFile, stringify({ ...rest, fleet: { ...fleet, signers: [`${key}.pub`] } }));
    await enrol(url, 999);

    const agent = await a.start();
    await reachesEngine(agent);
    await agent.told('terminal ready');
    await expect.poll(() => settlingOf(agent)).toMatchObject({ gateways: 1001 });
    clock.forward(minutes(6));
    await expect.poll(() => settlingOf(agent)).toBeNull();

    const folder = join(stage.stage.folder, 'pushed');
    const fleetCommand = async (...args: readonly string[]) =>
      expect(await commandHere(['fleet', ...args, '--key', key, '-c', a.configFile])).toMatchObject({
        code: 0,
      });
    mkdirSync(join(folder, 'gateways'), { recursive: true });
    const lobby = { id: 'lobby', serialNumber: 'SN-0001', printer: { uri: stage.stage.printer.uri } };
    const file = stringify({ terminals: [{ ...lobby, place: 'Entrance' }] });
    writeFileSync(join(folder, 'gateways', 'gateway-a.yaml'), file);
    await fleetCommand('push', folder);
    await fleetCommand('roll', '1', '--steps', '100%', '--soak', '0s');
    await agent.told('config version taken');
    await agent.told('terminal changed');
    // Whoever badges waits for none of it.
    await agent.told('terminal ready');
    expect((await settlingOf(agent))?.secondsLeft).toBeGreaterThan(240);
  });
});
