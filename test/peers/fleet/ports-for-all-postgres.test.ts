/** The output ports of an account, read by one member of a fleet for all, in a real PostgreSQL (F14). */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { hours } from '../../../src/core/duration.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { OutputPort, SoughtPort } from '../../../src/domain/output-port.ts';
import type { OutputPorts } from '../../../src/domain/ports/service.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';
import { createPortTable } from '../../../src/fleet/port-table.ts';
import { createSharedPorts } from '../../../src/fleet/ports-for-all.ts';
import type { FleetKeys } from '../../../src/fleet/engine/fleet-keys.ts';
import { fleetKey, runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { recordLog } from '../../support/recorded-log.ts';

const sought = (serialNumber: string, address?: string): SoughtPort => ({ serialNumber, address });
const never = new AbortController().signal;

needsPostgres()('output ports that one reads for all', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  /** Of 600 ports, in whose list all have one address; the service counts how often it was asked. */
  function serviceOf(listed = portsOf(600)) {
    const service = { asked: 0, listed, answer: async (): Promise<void> => {} };
    const ports: OutputPorts = {
      async list({ each }) {
        service.asked += 1;
        await service.answer();
        for (const port of service.listed) await each?.(port);
        return service.listed;
      },
    };
    return { ports, service };
  }

  interface Choices extends Partial<FleetKeys> {
    readonly account?: string;
    readonly now?: () => number;
  }
  async function member(
    url: string,
    ports: OutputPorts,
    { account = 'account', now = systemClock.now, key = fleetKey, previousKey }: Choices = {},
  ) {
    const running = runEngine(url, { key, previousKey });
    onTestFinished(() => running[Symbol.asyncDispose]());
    await running.until('up');
    const { engine, memberId: id } = running;
    const [row] = await postgres.query(`SELECT incarnation FROM platen.member WHERE id = '${id}'`, url);
    const tools = { clock: systemClock, chance: systemChance, log: recordLog().log };
    const table = createPortTable({
      engine,
      key,
      previousKey,
      account,
      clock: { now },
      chance: systemChance,
      member: { id, incarnation: String(row?.['incarnation']) },
    });
    const shared = createSharedPorts({ ports, table, ...tools });
    const list = (...only: SoughtPort[]) => shared.list({ signal: never, only });
    return { id, running, table, shared, list };
  }

  it('are asked for once, and found by serial number, by address and by id, as in the whole list', async () => {
    const url = await postgres.newDatabase();
    const { ports, service } = serviceOf();
    const [first, second] = [await member(url, ports), await member(url, ports)];
    await first.list(sought('S-7'));
    expect(await second.list(sought('S-599'))).toEqual([service.listed[599]]);
    expect(await second.list(sought('none', '10.0.0.1'))).toEqual([service.listed[0]]);
    expect(await second.list({ id: 1005, ...sought('none') })).toEqual([service.listed[5]]);
    expect(service.asked).toBe(1);
  });

  it('say nothing in the engine but how many there are', async () => {
    const url = await postgres.newDatabase();
    const { ports } = serviceOf();
    await (await member(url, ports)).list(sought('S-7'));
    const rows = JSON.stringify(await postgres.query('SELECT * FROM platen.port', url));
    for (const word of ['S-7', '10.0.0.1', 'Port 7']) {
      expect(rows).not.toContain(word);
      expect(rows).not.toContain(Buffer.from(word).toString('hex'));
    }
  });

  it('are looked for in the service again where one is missing, and not again within the minute', async () => {
    const url = await postgres.newDatabase();
    const { ports, service } = serviceOf();
    const one = await member(url, ports);
    await one.list(sought('S-7'));
    expect(await one.list(sought('new'))).toEqual([]);
    expect(service.asked).toBe(1);
    service.listed = [...service.listed, { id: 1, name: 'New', deviceSerial: 'new' }];
    await postgres.query("UPDATE platen.port_reading SET done_at = now() - interval '2 minutes'", url);
    await one.list(sought('new'));
    expect(service.asked).toBe(2);
    expect(await (await member(url, ports)).list(sought('new'))).toHaveLength(1);
    expect(await postgres.query('SELECT DISTINCT reading FROM platen.port', url)).toEqual([{ reading: '2' }]);
  });

  it('are read anew when the clock of the engine was set back: nobody knows how old they are', async () => {
    const url = await postgres.newDatabase();
    const { ports, service } = serviceOf();
    const { list } = await member(url, ports);
    await list(sought('S-7'));
    await postgres.query(`UPDATE platen.port_reading SET done_at = done_at + interval '2 h'`, url);
    await list(sought('S-7'));
    await list(sought('S-7'));
    expect(service.asked).toBe(2);
  });

  it('are read anew when somebody wrote by hand that they were read at a time without end', async () => {
    const url = await postgres.newDatabase();
    const { ports, service } = serviceOf();
    const { list } = await member(url, ports);
    await list(sought('S-7'));
    await postgres.query(`UPDATE platen.port_reading SET done_at = 'infinity'`, url);
    expect(await list(sought('S-7'))).toContainEqual(service.listed[7]);
    expect(service.asked).toBe(2);
  });

  it('are read by the next one when the reader is gone; what it still adds is not taken', async () => {
    const url = await postgres.newDatabase();
    const { ports, service } = serviceOf();
    const [slow, quick] = [await member(url, ports), await member(url, ports)];
    const reading = await slow.table.begin(never);
    expect(reading).toBe(1);
    expect(await quick.table.begin(never)).toBeUndefined();
    await postgres.query(`UPDATE platen.member SET until = now() WHERE id = '${slow.id}'`, url);
    await quick.list(sought('S-7'));
    expect(service.asked).toBe(1);
    expect(await slow.table.add(1, 0, portsOf(3), never)).toBe(false);
    await slow.table.finish(1, never);
    expect(await postgres.query('SELECT done FROM platen.port_reading', url)).toEqual([{ done: '2' }]);
  });

  it('are read by another one at once when the service has refused the reader', async () => {
    const url = await postgres.newDatabase();
    const { ports, service } = serviceOf();
    const [denied, other] = [await member(url, ports), await member(url, ports)];
    service.answer = async () => {
      throw new Problem('cloud-denied', '403');
    };
    await expect(denied.list(sought('S-7'))).rejects.toMatchObject({ code: 'cloud-denied' });
    service.answer = async () => {};
    expect(await other.list(sought('S-7'))).toHaveLength(600);
  });

  it('are not those of another account, nor of one who reads with a person’s token', async () => {
    const url = await postgres.newDatabase();
    const { ports, service } = serviceOf();
    await (await member(url, ports)).list(sought('S-7'));
    await (await member(url, ports, { account: 'another' })).list(sought('S-7'));
    expect(service.asked).toBe(2);
    const token = { value: new Secret('token of a person'), expiresAt: 0 };
    const { shared } = await member(url, ports);
    await shared.list({ signal: never, only: [sought('S-7')], token });
    expect(service.asked).toBe(3);
  });

  it('are read anew where somebody gives out for fresh what was read two days ago, or what nobody has sealed', async () => {
    const url = await postgres.newDatabase();
    const { ports, service } = serviceOf();
    const daysAgo = (days: number) => () => systemClock.now() - hours(24 * days);
    await (await member(url, ports, { now: daysAgo(2) })).list(sought('S-7'));
    service.listed = service.listed.map((port) => ({ ...port, address: '10.0.0.2' }));
    const one = await member(url, ports);
    expect(await one.list(sought('S-7'))).toContainEqual(service.listed[7]);
    expect(service.asked).toBe(2);
    await postgres.query("UPDATE platen.port_reading SET done_at = now() + interval '1 year'", url);
    await one.list(sought('S-7'));
    expect(service.asked).toBe(3);
    await postgres.query("UPDATE platen.port SET body = 'nonsense'", url);
    expect(await one.list(sought('S-7'))).toContainEqual(service.listed[7]);
    expect(service.asked).toBe(4);
    await (await member(url, ports, { now: daysAgo(0.5) })).list(sought('S-7'));
    expect(service.asked).toBe(4);
  });

  it('are found by a gateway with both keys while the key of the fleet is changed, and what the former key sealed goes', async () => {
    const url = await postgres.newDatabase();
    const { ports, service } = serviceOf();
    const next = new Secret(Buffer.alloc(32, 8).toString('base64'));
    await (await member(url, ports)).list(sought('S-7'));
    const both = await member(url, ports, { key: next, previousKey: fleetKey });
    expect(await both.list(sought('S-599'))).toEqual([service.listed[599]]);
    expect(service.asked).toBe(1);
    await postgres.query(
      `UPDATE platen.port_reading SET begun_at = now() - interval '3 days', done_at = now() - interval '3 days'`,
      url,
    );
    await both.list(sought('S-7'));
    expect(service.asked).toBe(2);
    expect(await postgres.query('SELECT count(*) FROM platen.port', url)).toEqual([{ count: '600' }]);
    expect(await postgres.query('SELECT count(*) FROM platen.port_reading', url)).toEqual([{ count: '1' }]);
  });

  it('are read by each alone while the engine is away', async () => {
    const url = await postgres.newDatabase();
    const { ports, service } = serviceOf();
    const one = await member(url, ports);
    await one.running[Symbol.asyncDispose]();
    expect(await one.list(sought('S-7'))).toHaveLength(600);
    expect(service.asked).toBe(1);
  });
});

const portsOf = (count: number): OutputPort[] =>
  Array.from({ length: count }, (_, index) => ({
    id: 1000 + index,
    name: `Port ${index}`,
    deviceSerial: `S-${index}`,
    address: '10.0.0.1',
  }));
