/**
 * The engine of a fleet against a real PostgreSQL: killed, stopped, paused, as a replica, as one of two hosts, and with
 * members that differ in their keys, their ids and the schema they speak.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { milliseconds, seconds } from '../../../src/core/duration.ts';
import { Secret } from '../../../src/core/secret.ts';
import { isProblem } from '../../../src/domain/problem/problem.ts';
import { levels } from '../../../src/fleet/engine/levels.ts';
import type { Statement } from '../../../src/fleet/engine/line.ts';
import type { RunningEngine } from '../../support/fleet/fleet-engine.ts';
import { runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { forwardClock } from '../../support/forward-clock.ts';
import { freePort } from '../../support/ports.ts';
import { eventually } from '../../support/patience.ts';

const one: Statement = { name: 'one', text: 'SELECT 1 AS one' };
const longSleep: Statement = { name: 'long sleep', text: 'SELECT pg_sleep(60)' };
const within = seconds(3);
/** The level that this version speaks. */
const ours = levels.length;

/** The sentence that is shown while the engine is away. */
const shown = async (member: RunningEngine, code: string): Promise<string> => {
  await eventually(() => expect(member.condition()?.code).toBe(code));
  return member.condition()?.detail ?? '';
};

/** Octets, after everything was collected that nobody holds. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

needsPostgres()('an engine', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  it('is found, answers, and tells what it is (F1)', async () => {
    await using member = runEngine(await postgres.newDatabase());
    const state = await member.until('up');
    expect(state).toMatchObject({
      facts: {
        place: `127.0.0.1:${postgres.port}`,
        settings: { fsync: 'on', fullPageWrites: 'on', synchronousCommit: 'on', isReplica: false },
        fleet: { level: ours, minimum: 1 },
      },
    });
    expect(await member.engine.ask(one, [], { within })).toEqual([{ one: 1 }]);
    expect(member.condition()).toBeUndefined();
  });

  it('is back after it was killed, and so are the channels', async () => {
    await using member = runEngine(await postgres.newDatabase());
    await member.until('up');
    const heard: string[] = [];
    using _ = member.engine.onNotice('platen_test', (payload) => heard.push(payload));
    await postgres.kill();
    await member.until('away');
    expect(member.condition()).toMatchObject({
      code: 'fleet-engine-away',
      scope: 'agent',
      subject: 'engine',
    });
    await postgres.start();
    await member.until('up');
    expect(member.condition()).toBeUndefined();
    expect(['engine away', 'engine back'].map((msg) => member.log.records(msg).length)).toEqual([1, 1]);
    await member.engine.ask({ name: 'call', text: `SELECT pg_notify('platen_test', 'here')` }, [], {
      within,
    });
    await eventually(() => expect(heard).toEqual(['here']));
  });

  it('that is stopped in order cuts a statement off, and nobody knows whether it was done', async () => {
    await using member = runEngine(await postgres.newDatabase());
    await member.until('up');
    const asked = member.engine.ask(longSleep, [], { within: seconds(30) });
    const lost = asked.catch((error: unknown) => error);
    await postgres.stop();
    expect(await lost).toMatchObject({ code: 'fleet-engine-away', delivery: 'perhaps' });
    await postgres.start();
    await member.until('up');
  });

  it('that stands still costs the statement its time, and the line is given up at our deadline (F2)', async () => {
    const url = await postgres.newDatabase();
    await using member = runEngine(url);
    await member.until('up');
    postgres.pause();
    const [sent, waiting] = await Promise.all(
      [milliseconds(500), milliseconds(700)].map((span) =>
        member.engine.ask(one, [], { within: span }).catch((error: unknown) => error),
      ),
    );
    expect(sent).toMatchObject({ code: 'fleet-engine-away', delivery: 'perhaps' });
    expect(waiting).toMatchObject({ code: 'fleet-engine-away', delivery: 'not-sent' });
    expect(member.engine.state().is).toBe('away');
    postgres.resume();
    await member.until('up');
    // The old connection is gone from the server too: its socket was destroyed.
    await eventually(async () => {
      const open = await postgres.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'
         AND application_name = 'platen'`,
      );
      expect(open).toHaveLength(1);
    });
  });

  it('that stands still while nobody asks anything is missed all the same (F2)', async () => {
    await using member = runEngine(await postgres.newDatabase());
    await member.until('up');
    postgres.pause();
    await member.until('away');
    postgres.resume();
    await member.until('up');
  });

  it('is asked on by the others when one has lost interest', async () => {
    await using member = runEngine(await postgres.newDatabase());
    await member.until('up');
    const leaving = new AbortController();
    const left = member.engine.ask({ name: 'sleep', text: 'SELECT pg_sleep(0.2)' }, [], {
      within,
      signal: leaving.signal,
    });
    leaving.abort(new Error('no longer wanted'));
    await expect(left).rejects.toThrow('no longer wanted');
    expect(await member.engine.ask(one, [], { within })).toEqual([{ one: 1 }]);
    expect(member.log.records('engine away')).toEqual([]);
  });

  it('keeps nothing of a statement that was answered (I8)', async () => {
    const clock = forwardClock();
    await using member = runEngine(await postgres.newDatabase(), { clock });
    await member.until('up');
    const times = 2000;
    /** Octets in use, when so many more were asked and their deadlines are over, which go no sooner. */
    const afterAsking = async () => {
      for (let asked = 0; asked < times; asked += 1) await member.engine.ask(one, [], { within });
      const isOver = clock.sleep(within);
      clock.forward(within);
      await isOver;
      return heapInUse();
    };
    await afterAsking();
    const growths: number[] = [];
    for (let before = await afterAsking(); growths.length < 3; ) {
      const now = await afterAsking();
      growths.push((now - before) / times);
      before = now;
    }
    // What is kept of each statement is kept in every round; what else this process begins is not.
    expect(Math.min(...growths)).toBeLessThan(250);
  });

  it('refuses a statement that is wrong without being away', async () => {
    await using member = runEngine(await postgres.newDatabase());
    await member.until('up');
    const wrong = member.engine.ask({ name: 'wrong', text: 'SELECT nothing' }, [], { within });
    await expect(wrong).rejects.toMatchObject({ code: 'fleet-engine-refused' });
    expect(await member.engine.ask(one, [], { within })).toEqual([{ one: 1 }]);
    expect(member.engine.state().is).toBe('up');
  });

  describe('to which a member may not come', () => {
    it.each<[string, (url: string) => string, RegExp]>([
      [
        'with a wrong password',
        (url) => url.replace('a%20password', 'canary'),
        /the user name or the password is wrong/,
      ],
      [
        'as a user who is not there',
        (url) => url.replace('platen:', 'nobody:'),
        /the user name or the password is wrong/,
      ],
      [
        'for a database that is not there',
        (url) => url.replace(/\w+$/, 'nowhere'),
        /there is no such database/,
      ],
      ['by TLS, which it does not speak', (url) => `${url}?sslmode=verify-full`, /the server speaks no TLS/],
    ])('%s is refused with a sentence', async (_, wrong, sentence) => {
      await using member = runEngine(wrong(postgres.url));
      expect(await shown(member, 'fleet-engine-refused')).toMatch(sentence);
      expect(member.log.text()).not.toMatch(/canary|a password/);
    });

    it('whose user may make no schema there is told so', async () => {
      const url = await postgres.newDatabase();
      await postgres.query(`CREATE ROLE guest LOGIN PASSWORD 'guest'`);
      await using member = runEngine(url.replace(/\/\/.*@/, '//guest:guest@'));
      expect(await shown(member, 'fleet-engine-refused')).toMatch(
        /the user lacks a permission .*permission denied/,
      );
    });

    it('at an address where nobody is', async () => {
      await using member = runEngine(`postgresql://u@127.0.0.1:${await freePort()}/d`);
      expect(await shown(member, 'fleet-engine-away')).toMatch(/ECONNREFUSED/);
    });
  });

  describe('of a fleet', () => {
    it('refuses a member with another key before it has changed anything, and keeps the first one', async () => {
      const url = await postgres.newDatabase();
      await using first = runEngine(url);
      await first.until('up');
      await using other = runEngine(url, { key: new Secret(Buffer.alloc(32, 8).toString('base64')) });
      expect(await shown(other, 'fleet-key-differs')).toMatch(
        /^fleet.key is not the key of the fleet [\da-f-]{36}/,
      );
      expect(await postgres.query('SELECT id FROM platen.member', url)).toEqual([{ id: first.memberId }]);
      expect(first.engine.state().is).toBe('up');
    });

    it('founded by two members at once with different keys belongs to one of them', async () => {
      const url = await postgres.newDatabase();
      const keys = [7, 8].map((octet) => new Secret(Buffer.alloc(32, octet).toString('base64')));
      await using both = new AsyncDisposableStack();
      const members = keys.map((key) => both.use(runEngine(url, { key })));
      await eventually(() => {
        const states = members.map((member) => member.condition()?.code ?? member.engine.state().is);
        expect(states.toSorted()).toEqual(['fleet-key-differs', 'up']);
      });
    });

    it('refuses a second process with the id of a member that beats, and takes it when that has ended', async () => {
      const url = await postgres.newDatabase();
      const id = systemChance.uuid();
      const first = runEngine(url, { member: { id } });
      await first.until('up');
      await using second = runEngine(url, { member: { id } });
      const beat = `UPDATE platen.member SET beat_at = clock_timestamp(), until = clock_timestamp() + interval '5 s'`;
      await eventually(
        async () => {
          await postgres.query(beat, url);
          expect(second.condition()?.code).toBe('fleet-member-twice');
        },
        { interval: 100 },
      );
      expect(second.condition()?.detail).toBe(
        `another process uses the identity of the member ${id}, and is still running`,
      );
      expect(first.engine.state().is).toBe('up');
      await first[Symbol.asyncDispose]();
      await second.until('up');
    });

    it('takes a member that crashed when its beats have run out, without calling it twice', async () => {
      const url = await postgres.newDatabase();
      const id = systemChance.uuid();
      await using crashed = runEngine(url, { member: { id } });
      await crashed.until('up');
      await using again = runEngine(url, { member: { id } });
      await eventually(() => expect(again.log.text()).toContain('may not have ended yet'));
      await postgres.query('UPDATE platen.member SET until = clock_timestamp()', url);
      await again.until('up');
      expect(again.log.text()).not.toContain('fleet-member-twice');
    });

    it('takes a member back at once that was stopped in order', async () => {
      const url = await postgres.newDatabase();
      const id = systemChance.uuid();
      const before = runEngine(url, { member: { id } });
      await before.until('up');
      await before[Symbol.asyncDispose]();
      await using again = runEngine(url, { member: { id } });
      await again.until('up');
      expect(again.log.records('engine away')).toEqual([]);
    });
  });

  describe('whose schema grows', () => {
    const next = {
      level: ours + 1,
      minimum: 1,
      script: 'ALTER TABLE platen.member ADD COLUMN IF NOT EXISTS colour text; SELECT pg_sleep(0.2);',
    };

    it('by members that come at once has each level once, and they all come in (F4)', async () => {
      const url = await postgres.newDatabase();
      await using crowd = new AsyncDisposableStack();
      const members = [levels, levels, [...levels, next], [...levels, next]].map((spoken) =>
        crowd.use(runEngine(url, { levels: spoken })),
      );
      await Promise.all(members.map((member) => member.until('up')));
      await using latest = runEngine(url, { levels: [...levels, next] });
      expect(await latest.until('up')).toMatchObject({ facts: { fleet: { level: ours + 1, minimum: 1 } } });
      expect(await postgres.query('SELECT colour FROM platen.member', url)).toHaveLength(5);
      expect(await postgres.query('SELECT level FROM platen.fleet', url)).toEqual([{ level: ours + 1 }]);
    });

    it('goes on with a member of the level before, until the minimum is raised (F4)', async () => {
      const url = await postgres.newDatabase();
      await using newer = runEngine(url, { levels: [...levels, next] });
      await newer.until('up');
      await using older = runEngine(url);
      await older.until('up');
      await using newest = runEngine(url, {
        levels: [...levels, next, { level: ours + 2, minimum: ours + 2, script: '' }],
      });
      await newest.until('up');
      // A member that is connected already hears of it.
      await shown(older, 'fleet-member-behind');
      await using behind = runEngine(url);
      expect(await shown(behind, 'fleet-member-behind')).toMatch(
        new RegExp(`needs schema level ${ours + 2}, and this version of Platen speaks ${ours}$`),
      );
      await expect(behind.engine.ask(one, [], { within: milliseconds(100) })).rejects.toSatisfy((error) =>
        isProblem(error, 'fleet-engine-away'),
      );
    });

    it('may be prepared by an administrator for a user who may make none', async () => {
      const url = await postgres.newDatabase();
      await postgres.query(`CREATE ROLE plain LOGIN PASSWORD 'plain'`);
      await postgres.query('CREATE SCHEMA platen AUTHORIZATION plain', url);
      await using member = runEngine(url.replace(/\/\/.*@/, '//plain:plain@'));
      await member.until('up');
    });
  });

  it('of which the first host hangs or is dead is found at the second (F2)', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const url = await postgres.newDatabase();
    const hosts = `@127.0.0.1:${await freePort()},127.0.0.1:${port},127.0.0.1`;
    await using member = runEngine(url.replace('@127.0.0.1', hosts));
    expect(await member.until('up')).toMatchObject({
      facts: { place: `127.0.0.1:${postgres.port}` },
    });
    silent.close();
  });
});
