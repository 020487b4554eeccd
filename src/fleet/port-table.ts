/**
 * The output ports of one account in the engine (F14): the turn to read them, and the last whole reading. The reader
 * changes by compare-and-set, when the one before has ended, is gone, or took too long.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { createSealing } from '../core/sealing.ts';
import type { Duration } from '../core/duration.ts';
import { hours, milliseconds, seconds } from '../core/duration.ts';
import type { Secret } from '../core/secret.ts';
import type { OutputPort, SoughtPort } from '../domain/output-port.ts';
import type { Engine } from './engine/engine.ts';
import type { FleetKeys } from './engine/fleet-keys.ts';
import { allKeys, keyObject } from './engine/fleet-keys.ts';
import type { Statement } from './engine/line.ts';
import type { Member } from './engine/membership.ts';
import { elapsed } from './engine/shown.ts';

export interface PortTable {
  /** `age` of the last whole reading; `undefined`: there was none, or it cannot be trusted. */
  look(only: readonly SoughtPort[], signal: AbortSignal): Promise<PortsSeen>;
  /** The number of the reading, if it is this member's turn. */
  begin(signal: AbortSignal): Promise<number | undefined>;
  /** False: it is another member's turn by now. */
  add(reading: number, from: number, ports: readonly OutputPort[], signal: AbortSignal): Promise<boolean>;
  /** The reading is whole, and members use it from now on. */
  finish(reading: number, signal: AbortSignal): Promise<void>;
  giveUp(reading: number, signal: AbortSignal): Promise<void>;
}

export interface PortsSeen {
  readonly age: Duration | undefined;
  /** In the order of the list: the first of several alike ports. */
  readonly ports: readonly OutputPort[];
}

const within = seconds(3);
const now = 'clock_timestamp()';

/** The first of several alike ports of the list, as in `findOutputPort`. */
const firstBy = (column: string, values: string): string => `
  SELECT p.number, p.body FROM head, unnest(${values}) AS sought (key), LATERAL (
    SELECT number, body FROM platen.port
    WHERE account = $1 AND reading = head.done AND ${column} = sought.key ORDER BY number LIMIT 1) p`;

const look: Statement = {
  name: 'ports looked for',
  text: `WITH head AS (
    SELECT done, CASE WHEN isfinite(done_at) THEN ${elapsed('done_at')} END AS age
    FROM platen.port_reading WHERE account = $1 AND done > 0
  ), found AS (${firstBy('id', '$2::bigint[]')} UNION ${firstBy('serial', '$3::bytea[]')}
    UNION ${firstBy('address', '$4::bytea[]')})
  SELECT head.age, found.number, found.body FROM head LEFT JOIN found ON true ORDER BY found.number`,
};
const begin: Statement = {
  name: 'port reading begun',
  text: `INSERT INTO platen.port_reading AS r (account, reading, reader, incarnation, begun_at)
    VALUES ($1, 1, $2::uuid, $3::uuid, ${now})
    ON CONFLICT (account) DO UPDATE SET reading = r.reading + 1, reader = excluded.reader,
      incarnation = excluded.incarnation, begun_at = excluded.begun_at
    WHERE r.reader IS NULL OR r.begun_at < ${now} - interval '10 minutes' OR NOT EXISTS (
      SELECT FROM platen.member m WHERE m.id = r.reader AND m.incarnation = r.incarnation AND m.until > ${now})
    RETURNING reading`,
};
const isMine = `account = $1 AND reading = $2 AND reader = $3::uuid AND incarnation = $4::uuid`;
const add: Statement = {
  name: 'ports added',
  text: `WITH mine AS (SELECT FROM platen.port_reading WHERE ${isMine}), added AS (
      INSERT INTO platen.port (account, reading, number, id, serial, address, body)
      SELECT $1, $2, * FROM unnest($5::int[], $6::bigint[], $7::bytea[], $8::bytea[], $9::bytea[])
      WHERE EXISTS (SELECT FROM mine) ON CONFLICT DO NOTHING)
    SELECT EXISTS (SELECT FROM mine) AS "isMine"`,
};
const finish: Statement = {
  name: 'port reading done',
  text: `UPDATE platen.port_reading SET done = reading, done_at = ${now}, reader = NULL WHERE ${isMine}`,
};
const giveUp: Statement = {
  name: 'port reading given up',
  text: `UPDATE platen.port_reading SET reader = NULL WHERE ${isMine}`,
};
/** Old readings that no member uses or reads any more; also those sealed with a former key. */
const sweep: Statement = {
  name: 'ports swept',
  text: `WITH left_over AS (
      DELETE FROM platen.port_reading
      WHERE account <> $1 AND greatest(begun_at, done_at) < ${now} - interval '2 days' RETURNING account),
    swept AS (DELETE FROM platen.port AS p USING left_over l WHERE p.account = l.account)
    DELETE FROM platen.port AS p USING platen.port_reading r
    WHERE p.account = $1 AND r.account = $1 AND p.reading < r.done`,
};

const seenShape = z.object({ age: z.number().nullable(), body: z.instanceof(Uint8Array).nullable() });
/** `at`: wall milliseconds of the reader. */
const sealedShape = z.object({ at: z.number(), port: z.looseObject({ id: z.int(), name: z.string() }) });
/**
 * A person who has the database could repeat an old reading for ever, although a printer has moved since. Clocks of
 * gateways may be hours apart.
 */
const believedFor = hours(24);

interface PortDeps {
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly chance: Chance;
}

/**
 * A reading is sealed with the fleet's key. During a change of the key, readings sealed with the former one are used as
 * well.
 *
 * @param world.account Tells the accounts of one fleet apart: the address of the service, and the key for it.
 */
export function createPortTable(
  world: PortDeps &
    FleetKeys & { readonly engine: Pick<Engine, 'ask'>; readonly member: Pick<Member, 'id' | 'incarnation'> },
): PortTable {
  const { engine, member } = world;
  const { account, keyed, seal } = sealingFor(world.key, world);
  const sealings = allKeys(world).map((key) => sealingFor(key, world));
  const askIn = (where: Uint8Array, statement: Statement, values: readonly unknown[], signal: AbortSignal) =>
    engine.ask(statement, [where, ...values], { signal, within });
  const ask = (statement: Statement, values: readonly unknown[], signal: AbortSignal) =>
    askIn(account, statement, values, signal);
  async function lookBy(
    { account: where, digest, keyed: digested, opened }: PortSealing,
    only: readonly SoughtPort[],
    signal: AbortSignal,
  ): Promise<PortsSeen> {
    const sought = [
      only.flatMap(({ id }) => id ?? []),
      only.map(({ serialNumber }) => digest('serial', serialNumber)),
      only.flatMap(({ address }) => digested('address', address) ?? []),
    ];
    const rows = await askIn(where, look, sought, signal);
    return believedIn(
      rows.map((row) => seenShape.parse(row)),
      opened,
    );
  }
  const mine = (reading: number) => [reading, member.id, member.incarnation];

  return {
    async look(only, signal) {
      const seen: PortsSeen[] = [];
      for (const sealing of sealings) seen.push(await lookBy(sealing, only, signal));
      return seen.toSorted((one, other) => ageOf(one) - ageOf(other))[0] ?? { age: undefined, ports: [] };
    },
    async begin(signal) {
      const [row] = await ask(begin, [member.id, member.incarnation], signal);
      return row && z.object({ reading: z.number() }).parse(row).reading;
    },
    async add(reading, from, ports, signal) {
      const [row] = await ask(
        add,
        [
          ...mine(reading),
          ports.map((_, index) => from + index),
          ports.map(({ id }) => id),
          ports.map(({ deviceSerial }) => keyed('serial', deviceSerial)),
          ports.map(({ address }) => keyed('address', address)),
          ports.map(seal),
        ],
        signal,
      );
      return row?.['isMine'] === true;
    },
    async finish(reading, signal) {
      await ask(finish, mine(reading), signal);
      await ask(sweep, [], signal);
    },
    async giveUp(reading, signal) {
      await ask(giveUp, mine(reading), signal);
    },
  };
}

const ageOf = (seen: PortsSeen): number => seen.age ?? Number.POSITIVE_INFINITY;

function believedIn(
  seen: readonly z.output<typeof seenShape>[],
  opened: (body: Uint8Array) => readonly OutputPort[],
): PortsSeen {
  const [first] = seen;
  const bodies = seen.flatMap(({ body }) => body ?? []);
  const ports = bodies.flatMap(opened);
  const age = first?.age ?? -1;
  const isBelieved = age >= 0 && ports.length === bodies.length;
  return { age: isBelieved ? milliseconds(age) : undefined, ports };
}

type PortSealing = ReturnType<typeof sealingFor>;

/** The engine has digests of a port to find it by, and the port itself under the fleet's key. */
function sealingFor(secret: Secret, deps: PortDeps) {
  const { clock } = deps;
  const key = keyObject(secret);
  const sealing = createSealing({ key, chance: deps.chance });
  const digest = (what: string, text: string): Buffer =>
    createHmac('sha256', key).update(`${what} ${text}`).digest().subarray(0, 16);
  const account = digest('account', deps.account);
  const purpose = `output port of ${account.toString('hex')}`;
  return {
    account,
    digest,
    keyed: (what: string, text: string | undefined) => (text === undefined ? null : digest(what, text)),
    seal: (port: OutputPort) => sealing.seal(purpose, JSON.stringify({ at: clock.now(), port })),
    /** Empty: of another key or form, or too old. */
    opened(body: Uint8Array): readonly OutputPort[] {
      const found = sealing.unseal(purpose, Buffer.from(body));
      const { data } = sealedShape.safeParse(found.kind === 'text' ? JSON.parse(found.text) : undefined);
      return data && Math.abs(clock.now() - data.at) < believedFor ? [data.port] : [];
    },
  };
}
