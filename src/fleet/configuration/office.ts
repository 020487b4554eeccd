/** Lets an administrator's command reach the configuration of a fleet: on its own line, and without being a member. */
import { z } from 'zod';
import type { EngineAddress } from '../../config/engine-address.ts';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { connectAny } from '../engine/connection.ts';
import { statementProblem } from '../engine/faults.ts';
import type { FleetKeys } from '../engine/fleet-keys.ts';
import { levels } from '../engine/levels.ts';
import type { Line, Statement } from '../engine/line.ts';
import { lookAtFleet } from '../engine/engine-schema.ts';
import { shown } from '../engine/shown.ts';
import { notYetThere } from '../engine/visit.ts';
import type { Orders, RolloutTable } from './rollout-table.ts';
import { countIn, createOrders, createRolloutTable } from './rollout-table.ts';
import type { Ask, VersionTable } from './version-table.ts';
import { createVersionTable } from './version-table.ts';

export interface Office {
  /** The id of the fleet, which its key proves. */
  readonly fleet: string;
  readonly versions: VersionTable;
  readonly orders: Orders;
  readonly rollouts: Pick<RolloutTable, 'gateways'>;
  members(signal: AbortSignal): Promise<readonly RollMember[]>;
}

const memberShape = z.object({
  name: z.string(),
  site: z.string(),
  isBeating: z.boolean(),
  /** From its last digest; `null`: it uses its own file only, or has sent no digest yet. */
  version: z.number().nullable(),
});

export type RollMember = Readonly<z.output<typeof memberShape>>;

const members: Statement = {
  name: 'members and their configuration',
  text: `SELECT ${shown('m.name')}, ${shown('m.site')}, m.until > clock_timestamp() AS "isBeating",
      ${countIn('d.body', 'config,version')} AS version
    FROM platen.member m LEFT JOIN platen.digest d ON d.member = m.id ORDER BY m.name, m.id`,
};

/** The level that has the tables. */
const level = 2;
const within = seconds(20);

/** Rejects with a `Problem` of the fleet's, with the rejection of the work, or with the signal's reason. */
export async function withOffice<T>(
  { address, clock, ...keys }: FleetKeys & { readonly address: EngineAddress; readonly clock: Clock },
  signal: AbortSignal,
  work: (office: Office) => Promise<T>,
): Promise<T> {
  const { line, fleet } = await connectAny({ address, clock, signal }, async (server) => {
    const found = await lookAtFleet(server.line, { ...keys, levels }, clock.deadline(within, signal));
    if (found && found.level >= level) return { line: server.line, fleet: found.id };
    throw notYetThere(server.facts.place, found);
  });
  using _ = line;
  return await work(officeOn(line, { fleet, clock }));
}

function officeOn(line: Line, { fleet, clock }: { readonly fleet: string; readonly clock: Clock }): Office {
  const ask: Ask = async (statement, values, signal) => {
    try {
      return await line.ask(statement, values, clock.deadline(within, signal));
    } catch (error) {
      throw statementProblem(error, statement.name);
    }
  };
  const noLock = () => ({ [Symbol.dispose]() {} });
  return {
    fleet,
    versions: createVersionTable(ask),
    orders: createOrders(ask),
    rollouts: createRolloutTable(ask, noLock),
    members: async (signal) => (await ask(members, [], signal)).map((row) => memberShape.parse(row)),
  };
}
