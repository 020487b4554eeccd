/** An administrator moves a terminal to another gateway, which it stays at until it is moved again (F11). */
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { callerHere, commandHere } from '../../support/command-here.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import type { FleetStage, Gateway } from '../../support/fleet/fleet-stage.ts';
import { setFleetStage, untilBadgeMayBeHeldAgain } from '../../support/fleet/fleet-stage.ts';
import type { Running } from '../../support/agent/stage.ts';
import { aliceCard } from '../../support/agent/stage.ts';

needsPostgres()('platen terminals move', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  const move = (fleet: FleetStage, id: string, to: string) =>
    commandHere(['terminals', 'move', id, '--to', to, '-c', fleet.a.configFile]);
  /** Whom the fleet prefers has stayed for half a minute. */
  const haveStayed = ({ url }: FleetStage) =>
    postgres.query(`UPDATE platen.member SET beating_since = beating_since - interval '30 s'`, url);
  const beats = (agent: Running) => agent.records.filter(({ msg }) => msg === 'terminal taken over').length;

  async function both(fleet: FleetStage): Promise<{ readonly first: Running; readonly second: Running }> {
    const first = await fleet.a.start();
    await first.told('terminal ready');
    const second = await fleet.b.start();
    await second.told('terminal out of service', ({ reason }) => reason === 'elsewhere');
    const setUp = () => postgres.query('SELECT 1 FROM platen.set_up', fleet.url);
    await expect.poll(setUp).toHaveLength(2);
    await haveStayed(fleet);
    return { first, second };
  }

  it('waits until nobody uses it, takes along what is at the same printer, and outlasts a restart', async () => {
    const others = [{ id: 'attic', serialNumber: 'SN-0002' }];
    await using fleet = await setFleetStage(postgres, { others });
    const { first, second } = await both(fleet);
    fleet.stage.reader.tap(aliceCard);
    await first.told('session opened');
    const moving = move(fleet, 'lobby', 'gateway-b');
    await untilBadgeMayBeHeldAgain();
    expect(beats(second)).toBe(0);
    fleet.stage.reader.tap(aliceCard);
    expect(await first.told('terminal handed over')).toMatchObject({ why: 'preferred', to: 'gateway-b' });
    await second.told('terminal taken over', ({ terminal }) => terminal === 'lobby');
    await second.told('terminal taken over', ({ terminal }) => terminal === 'attic');
    expect(await moving).toEqual({
      code: 0,
      out: 'attic: moves too, because it is at the same printer\ngateway-b serves lobby, and keeps it until you move it again',
      error: '',
    });

    await first.stop();
    const again = await fleet.a.start();
    await again.told('terminal out of service', ({ reason }) => reason === 'elsewhere');
    await haveStayed(fleet);
    await untilBadgeMayBeHeldAgain();
    expect(beats(again)).toBe(0);
    expect(again.records.filter(({ code }) => code === 'fleet-terminal-elsewhere')).toEqual([]);

    const back = await move(fleet, 'attic', 'auto');
    expect([back.error, back.out]).toEqual([
      '',
      'attic moves to the gateway that the fleet chooses, as soon as nobody uses it',
    ]);
    await again.told('terminal taken over', ({ terminal }) => terminal === 'lobby');
    expect((await move(fleet, 'attic', 'auto')).out).toBe(
      'attic is already at the gateway that the fleet has chosen',
    );
  });

  it('from a desk that is of no site: the gateway says which, and the logs there say who asked', async () => {
    await using fleet = await setFleetStage(postgres);
    for (const { configFile } of [fleet.a, fleet.b]) {
      const config = parse(readFileSync(configFile, 'utf8')) as { fleet: object };
      const settings = { ...config, fleet: { ...config.fleet, site: 'north' } };
      writeFileSync(configFile, stringify(settings), { mode: 0o600 });
    }
    const desk = join(fleet.stage.folder, 'desk.yaml');
    const key = Buffer.alloc(32, 7).toString('base64');
    writeFileSync(desk, stringify({ fleet: { engine: { url: fleet.url }, key } }), { mode: 0o600 });
    const from = (...args: readonly string[]) =>
      commandHere(['terminals', 'move', 'lobby', ...args, '-c', desk]);
    const { first, second } = await both(fleet);
    expect(await from('--to', 'gateway-b')).toMatchObject({ code: 0, error: '' });
    const asked = { terminal: 'lobby', to: 'gateway-b', by: callerHere, from: hostname() };
    expect(await first.told('terminal move asked for')).toMatchObject(asked);
    expect(await second.told('terminal move asked for')).toMatchObject(asked);
    expect(await from('--to', 'auto')).toMatchObject({
      code: 1,
      error: 'platen: There is no gateway at the site main. Give another site: --site SITE',
    });
    expect(await from('--to', 'auto', '--site', 'north')).toMatchObject({ code: 0 });
    await first.told('terminal move asked for', ({ to }) => to === 'auto');
  });

  it('while that gateway is away another one serves it, and gives it back', async () => {
    await using fleet = await setFleetStage(postgres);
    const { first, second } = await both(fleet);
    expect((await move(fleet, 'lobby', 'gateway-b')).code).toBe(0);
    await second.stop();
    await first.told('terminal taken over', ({ epoch }) => Number(epoch) > 1);
    const again = await fleet.b.start();
    await again.told('terminal out of service', ({ reason }) => reason === 'elsewhere');
    await haveStayed(fleet);
    await again.told('terminal taken over');
  });

  it('says what is wrong with a wish that cannot be, and changes nothing', async () => {
    await using fleet = await setFleetStage(postgres);
    const other = (gateway: Gateway, id: string) => {
      const config = parse(readFileSync(gateway.configFile, 'utf8')) as { terminals: { id: string }[] };
      const [first] = config.terminals;
      const terminals = [{ ...first, id, readers: [] }];
      writeFileSync(gateway.configFile, stringify({ ...config, terminals }), { mode: 0o600 });
    };
    other(fleet.b, 'annex');
    const first = await fleet.a.start();
    await first.told('terminal ready');
    const second = await fleet.b.start();
    const setUp = () => postgres.query('SELECT 1 FROM platen.set_up', fleet.url);
    await expect.poll(setUp).toHaveLength(2);

    const said = async (id: string, to: string) => {
      const { code, error } = await move(fleet, id, to);
      return `${code} ${error}`;
    };
    expect(await said('loby', 'gateway-b')).toBe(
      '1 platen: There is no terminal loby. Did you mean lobby? Terminals: annex, lobby.',
    );
    expect(await said('constructor', 'auto')).toMatch(/^1 platen: There is no terminal constructor\./);
    expect(await said('lobby', 'gateway-c')).toBe(
      '1 platen: There is no gateway gateway-c at the site main. Did you mean gateway-a? Gateways that have lobby in their configuration: gateway-a.',
    );
    expect(await said('lobby', 'gateway-b')).toBe(
      '1 platen: gateway-b does not have lobby in its configuration. Gateways that have it: gateway-a.',
    );
    await second.stop();
    expect(await said('annex', 'gateway-b')).toBe(
      '1 platen: gateway-b is not running (see platen fleet status). annex stays where it is.',
    );
    expect(await postgres.query('SELECT 1 FROM platen.wish', fleet.url)).toEqual([]);
  });
});
