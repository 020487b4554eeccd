/** An administrator brings the support bundle of a gateway that they cannot reach, through the engine (F17). */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import { Secret } from '../../../src/core/secret.ts';
import { answerDiagnoses } from '../../../src/fleet/diagnosis/bundle-answer.ts';
import { askForBundle } from '../../../src/fleet/diagnosis/bundle-question.ts';
import type { Visit } from '../../../src/fleet/engine/visit.ts';
import { callerHere, commandHere } from '../../support/command-here.ts';
import { fleetKey, runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { setFleetStage } from '../../support/fleet/fleet-stage.ts';
import { startProgram } from '../../support/program.ts';
import { patience } from '../../support/patience.ts';

needsPostgres()('platen fleet diagnose', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  it('brings the archive that platen support-bundle makes there; who asked is in its log, and nothing stays', async () => {
    await using fleet = await setFleetStage(postgres);
    await using gateway = startProgram(['run', '-c', fleet.a.configFile]);
    await gateway.logged('terminal ready');
    const file = join(fleet.stage.folder, 'bundle.tar.gz');
    const ask = (name: string) =>
      commandHere(['fleet', 'diagnose', name, '-o', file, '-c', fleet.b.configFile]);
    expect(await ask('gatewa-a')).toMatchObject({
      code: 1,
      error:
        'platen: There is no gateway gatewa-a. Did you mean gateway-a? To see all: platen fleet status --all.',
    });
    const brought = await ask('gateway-a');
    expect([brought.error, brought.code]).toEqual(['', 0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const names = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' });
    for (const name of ['README.txt', 'config.yaml', 'status.json', 'log-agent.jsonl']) {
      expect(names).toContain(`/${name}`);
    }
    const config = execFileSync('tar', ['-xOzf', file, '--wildcards', '*/config.yaml'], { encoding: 'utf8' });
    expect(config).toContain('gateway-a');
    expect(config).not.toContain(fleetKey.reveal());
    await gateway.printed(`"by":${callerHere}`);
    await gateway.logged('diagnosis asked for');
    await gateway.logged('diagnosis answered');
    for (const table of ['diagnosis', 'diagnosis_part']) {
      expect(await postgres.query(`SELECT 1 FROM platen.${table}`, fleet.url)).toEqual([]);
    }
    expect((await ask('gateway-a')).error).toMatch(/exists already; --force overwrites it$/);
  });

  /** A member that answers, without an agent around it. */
  async function answering(bundle: () => Promise<Buffer>) {
    await using opened = new AsyncDisposableStack();
    const url = await postgres.newDatabase();
    const running = opened.use(runEngine(url, { member: { name: 'gateway-a' } }));
    const { engine, memberId: member } = running;
    await running.until('up');
    const recorded = recordLog();
    const stop = new AbortController();
    const parts = { engine, member, key: fleetKey, bundle, clock: systemClock, log: recorded.log };
    const service = answerDiagnoses(parts).run(stop.signal);
    opened.defer(async () => {
      stop.abort();
      await service;
    });
    const visit = {
      ask: ((statement, values) =>
        engine.ask(statement, values, { within: patience() })) satisfies Visit['ask'],
    };
    const held = opened.move();
    return {
      url,
      member,
      recorded,
      visit,
      ask: (key = fleetKey, within = seconds(10), previousKey?: Secret) =>
        askForBundle({
          visit,
          key,
          previousKey,
          member,
          by: 0,
          from: 'desk',
          within,
          clock: systemClock,
          chance: systemChance,
          signal: stop.signal,
        }),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }

  it('takes a bundle of many parts whole, and none that is too large', async () => {
    let size = 3_000_000;
    await using gateway = await answering(async () => Buffer.alloc(size, 7));
    expect((await gateway.ask()).equals(Buffer.alloc(size, 7))).toBe(true);
    size = 8 * 1024 * 1024 + 1;
    await expect(gateway.ask()).rejects.toThrow('it says: its bundle could not be made. Its log says why');
    expect(gateway.recorded.text()).toContain('"msg":"diagnosis not answered"');
  });

  it('is answered to nobody without the key of the fleet, however they write into the database', async () => {
    let made = 0;
    await using gateway = await answering(async () => {
      made += 1;
      return Buffer.from('a bundle');
    });
    const stranger = new Secret(Buffer.alloc(32, 9).toString('base64'));
    await expect(gateway.ask(stranger, seconds(2))).rejects.toThrow('it has not answered in time');
    expect(gateway.recorded.records('diagnosis refused')).toMatchObject([{ by: 0, from: 'desk' }]);
    expect([made, gateway.recorded.records('diagnosis asked for')]).toEqual([0, []]);
    expect(await postgres.query('SELECT 1 FROM platen.diagnosis', gateway.url)).toEqual([]);
  });

  it('is answered while the key of the fleet is changed, also where the gateway has the former key alone', async () => {
    await using gateway = await answering(async () => Buffer.from('a bundle'));
    const next = new Secret(Buffer.alloc(32, 8).toString('base64'));
    expect((await gateway.ask(next, seconds(10), fleetKey)).toString()).toBe('a bundle');
    expect(gateway.recorded.records('diagnosis refused')).toEqual([]);
  });

  it('a question of ten minutes ago is not answered, and what is an hour old is gone', async () => {
    let made = 0;
    await using gateway = await answering(async () => {
      made += 1;
      return Buffer.from('a bundle');
    });
    const left = (minutes: number) =>
      postgres.query(
        `INSERT INTO platen.diagnosis (id, member, asked_at, from_machine, public_key, proof)
           VALUES (gen_random_uuid(), '${gateway.member}', clock_timestamp() - interval '${minutes} minutes', '', '', '');
         INSERT INTO platen.diagnosis_part SELECT id, 0, '' FROM platen.diagnosis`,
        gateway.url,
      );
    await left(61);
    expect((await gateway.ask()).toString()).toBe('a bundle');
    expect(await postgres.query('SELECT 1 FROM platen.diagnosis_part', gateway.url)).toEqual([]);
    await left(11);
    expect((await gateway.ask()).toString()).toBe('a bundle');
    expect(gateway.recorded.records('diagnosis refused')).toEqual([]);
    expect(made).toBe(2);
  });
});
