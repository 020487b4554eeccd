/** An administrator at a machine of their own, with the fleet's section of the configuration and nothing else (F17). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../../src/core/clock.ts';
import { runCommandLine } from '../../../src/commands/command-line.ts';
import { commandHere } from '../../support/command-here.ts';
import { freePort } from '../../support/ports.ts';
import { layLine } from '../../support/cut-line.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import type { FleetStage } from '../../support/fleet/fleet-stage.ts';
import { setFleetStage } from '../../support/fleet/fleet-stage.ts';
import { aliceCard } from '../../support/agent/stage.ts';
import { untilBadgeMayBeHeldAgain } from '../../support/fleet/fleet-stage.ts';

needsPostgres()('whoever looks at a fleet', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  const ourKey = Buffer.alloc(32, 7).toString('base64');

  function desk({ stage: { folder } }: FleetStage, fleet: object | undefined): string {
    const file = join(folder, 'desk.yaml');
    writeFileSync(file, stringify(fleet === undefined ? {} : { fleet }), { mode: 0o600 });
    return file;
  }
  const deskAt = (fleet: FleetStage): string => desk(fleet, { engine: { url: fleet.url }, key: ourKey });

  it('F17: sees each gateway by what it told, and first the one that is gone', async () => {
    await using fleet = await setFleetStage(postgres);
    const file = deskAt(fleet);
    const first = await fleet.a.start();
    await first.told('terminal ready');
    const second = await fleet.b.start();
    await second.told('terminal out of service', ({ reason }) => reason === 'elsewhere');
    const reported = async () => (await commandHere(['fleet', 'status', '-c', file])).out;
    await expect.poll(reported, { interval: 500 }).toMatch(/gateway-a +main +\S+ +own +1\/1\/1/);
    await expect.poll(reported, { interval: 500 }).toMatch(/gateway-b +main +\S+ +own +0\/0\/1/);
    const well = await commandHere(['fleet', 'status', '-c', file]);
    expect(well.out).toMatch(
      /^\* fleet at 127\.0\.0\.1:\d+, PostgreSQL 1\d\.\S+: 2 of 2 gateways beat, 1 of 1 terminals ready, 0 with/,
    );
    expect(well.out).toMatch(
      /^ {2}engine: tables 0\.\d MB, 0 documents in hand, 0 history records owed, counted in \d+ ms$/m,
    );
    expect(well.code).toBe(0);

    // A person is not told of.
    fleet.stage.reader.tap(aliceCard);
    await first.told('session opened');
    await untilBadgeMayBeHeldAgain();
    fleet.stage.reader.tap(aliceCard);
    await first.told('release ended');
    await second.stop();
    const ill = await commandHere(['fleet', 'status', '-c', file, '--problems', '--json']);
    expect(ill.code).toBe(1);
    expect(JSON.parse(ill.out)).toMatchObject({
      well: false,
      sites: [{ site: 'main', gateways: 2, beating: 1, troubled: 1 }],
      gateways: [{ name: 'gateway-b', isBeating: false, troubles: [{ severity: 'error', what: 'gone' }] }],
    });
    const rows = JSON.stringify(await postgres.query('SELECT body FROM platen.digest', fleet.url));
    expect(rows).not.toMatch(/alice|04A1B2C3D4|\.pdf/i);
  });

  it('F17: a terminal that fails is told within some seconds, with what and where', async () => {
    await using fleet = await setFleetStage(postgres);
    const file = deskAt(fleet);
    const agent = await fleet.a.start();
    await agent.told('terminal ready');
    await fleet.stage.reader[Symbol.asyncDispose]();
    await agent.told('condition raised', ({ code }) => code === 'reader-unavailable');
    const reported = async () => (await commandHere(['fleet', 'status', '-c', file])).out;
    await expect
      .poll(reported, { interval: 500 })
      .toMatch(/gateway-a[^]*(?:error|warning): reader-unavailable at lobby for \d+ s/);
  });

  it('who watches waits for an engine that is away, and goes on when it is back', async () => {
    await using fleet = await setFleetStage(postgres);
    const agent = await fleet.a.start();
    await agent.told('engine found');
    await using line = await layLine(postgres.port);
    const url = fleet.url.replace(`:${postgres.port}/`, `:${line.port}/`);
    const file = desk(fleet, { engine: { url }, key: ourKey });
    line.cut();
    const stop = new AbortController();
    const said: string[] = [];
    const out = (text: string) => {
      said.push(text.replace(/^\S+ /, ''));
      if (text.includes('does not answer')) line.mend();
      if (text.includes('gateways beat')) stop.abort();
    };
    const io = { out, error: out, env: {}, clock: systemClock, stop: stop.signal };
    expect(await runCommandLine(['fleet', 'status', '--watch', '1', '-c', file], io)).toBe(0);
    expect([said[0], said.at(-1)]).toEqual([
      'The engine of the fleet does not answer.',
      expect.stringMatching(/^1 of 1 gateways beat, /),
    ]);
  });

  it('F17: what many tell at too great length does not cut the line by which all claims go', async () => {
    await using fleet = await setFleetStage(postgres);
    const agent = await fleet.a.start();
    await agent.told('terminal ready');
    const reported = async () => {
      const { gateways, problem } = (await (await fetch(`${agent.operations}/fleet`)).json()) as {
        readonly problem: unknown;
        readonly gateways: readonly {
          readonly hasTold: boolean;
          readonly digest: { readonly name: string };
        }[];
      };
      const heard = gateways.filter(({ hasTold }) => hasTold).map(({ digest: { name } }) => name);
      return { problem, all: gateways.length, hasOwn: heard.includes('gateway-a'), heard: heard.length };
    };
    await expect.poll(reported).toMatchObject({ hasOwn: true });
    await postgres.query(
      `INSERT INTO platen.member (id, incarnation, name, site, version, level, beat_at, until)
         SELECT gen_random_uuid(), gen_random_uuid(), 'other-' || i, 'other', '1', 1, clock_timestamp(), clock_timestamp()
         FROM generate_series(1, 600) i;
       INSERT INTO platen.digest SELECT m.id, clock_timestamp(), d.body || jsonb_build_object('more', repeat('x', 60000))
         FROM platen.digest d, platen.member m WHERE m.site = 'other'`,
      fleet.url,
    );
    const { heard, ...seen } = await reported();
    expect(seen).toEqual({ problem: null, all: 601, hasOwn: true });
    expect(heard).toBeGreaterThan(200);
    const cuts = agent.records.filter(({ msg }) => msg === 'engine away');
    expect(cuts.map(({ error }) => JSON.stringify(error))).not.toContainEqual(
      expect.stringContaining('sends more'),
    );
  });

  it('Prometheus is told where to ask, at the command and at a listener, and who is left out', async () => {
    await using fleet = await setFleetStage(postgres);
    const file = deskAt(fleet);
    const agent = await fleet.a.start();
    await agent.told('terminal ready');
    const digests = () => postgres.query('SELECT 1 FROM platen.digest', fleet.url);
    await expect.poll(digests).toHaveLength(1);
    const loopback = await commandHere(['fleet', 'targets', '-c', file]);
    expect([loopback.code, loopback.out]).toEqual([0, '[]']);
    expect(loopback.error).toBe(
      'platen: left out 1 gateway whose operations listener no other machine reaches: gateway-a. Set operations.listen there',
    );
    await postgres.query(
      `UPDATE platen.digest SET body = body || '{"operations": "gw-a.example:7381", "operationsTls": true}'`,
      fleet.url,
    );
    const groups = [
      {
        targets: ['gw-a.example:7381'],
        labels: { __scheme__: 'https', site: 'main', gateway: 'gateway-a' },
      },
    ];
    expect(JSON.parse((await commandHere(['fleet', 'targets', '-c', file])).out)).toEqual(groups);
    const answer = await fetch(`${agent.operations}/targets`);
    // As Prometheus wants it: 200, application/json, UTF-8.
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json(; charset=utf-8)?$/);
    expect(await answer.json()).toEqual(groups);
  });

  it('is told what keeps them from looking: 69 while the engine is away, 78 for what is to be corrected', async () => {
    await using fleet = await setFleetStage(postgres);
    const ask = async (section: object | undefined) => {
      const { code, error } = await commandHere(['fleet', 'status', '-c', desk(fleet, section)]);
      return `${code} ${error}`;
    };
    const nowhere = `postgresql://u@127.0.0.1:${await freePort()}/d`;
    expect(await ask({ engine: { url: nowhere }, key: ourKey })).toMatch(
      /^69 platen: 127\.0\.0\.1:\d+: .*does not answer/s,
    );
    expect(await ask({ engine: { url: fleet.url }, key: ourKey })).toMatch(
      /^78 platen: 127\.0\.0\.1:\d+ has no fleet in it yet\. Start a gateway first: it makes the tables\.[^.]*fleet\.engine\.url here\.$/,
    );
    const paused = await commandHere(['fleet', 'pause', '-c', deskAt(fleet)]);
    expect(paused).toMatchObject({
      code: 78,
      error: expect.stringMatching(/has no fleet in it yet\. Start a gateway first/) as string,
    });
    await (await fleet.a.start()).told('engine found');
    const otherKey = Buffer.alloc(32, 9).toString('base64');
    expect(await ask({ engine: { url: fleet.url }, key: otherKey })).toMatch(
      /^78 .*Give every member the same key/,
    );
    expect(await ask(undefined)).toMatch(
      /^78 .*desk\.yaml: fleet: is missing, so this gateway is not in a fleet$/,
    );
    expect(await ask({ engine: {}, key: ourKey })).toMatch(/^78 .*fleet\.engine\.url/);
  });
});
