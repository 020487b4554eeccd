/**
 * A command's visit to the engine: it has the fleet's key, but is no member. It does not change the level of the
 * schema.
 */
import type { EngineAddress } from '../../config/engine-address.ts';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { ServerFacts } from './connection.ts';
import { connectAny } from './connection.ts';
import { statementProblem } from './faults.ts';
import type { FleetKeys } from './fleet-keys.ts';
import { levels } from './levels.ts';
import type { Row, Statement } from './line.ts';
import type { Fleet } from './engine-schema.ts';
import { lookAtFleet } from './engine-schema.ts';

export interface Visit extends Disposable {
  readonly facts: ServerFacts;
  readonly fleet: Fleet;
  /** Rejects with a `Problem`; `fleet-engine-away` when the line was lost. */
  ask(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>;
}

const limit = seconds(5);

/**
 * Rejects with a `Problem` of the fleet's, or the signal's reason; with `fleet-engine-refused` if no member of this
 * version has been there yet.
 */
export async function visitEngine({
  address,
  clock,
  signal,
  ...keys
}: FleetKeys & {
  readonly address: EngineAddress;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<Visit> {
  const { line, facts, fleet } = await connectAny({ address, clock, signal }, async (server) => ({
    ...server,
    fleet: await lookAtFleet(server.line, { ...keys, levels }, clock.deadline(limit, signal)),
  }));
  if (!fleet || fleet.level < Math.max(...levels.map(({ level }) => level))) {
    line[Symbol.dispose]();
    throw notYetThere(facts.place, fleet);
  }
  return {
    facts,
    fleet,
    async ask(statement, values) {
      try {
        return await line.ask(statement, values, clock.deadline(limit, signal));
      } catch (error) {
        signal.throwIfAborted();
        throw statementProblem(error, statement.name);
      }
    },
    [Symbol.dispose]: () => line[Symbol.dispose](),
  };
}

/** No gateway of this version has made its tables. */
export function notYetThere(place: string, fleet: Fleet | undefined): Problem {
  const why = fleet ? 'knows earlier versions of Platen alone' : 'has no fleet in it yet';
  const advice = fleet
    ? 'Update a gateway to this version and start it: it brings the tables up to its level.'
    : 'Start a gateway first: it makes the tables. If your gateways run already, correct fleet.engine.url here.';
  return new Problem('fleet-engine-refused', `${place} ${why}`, { advice });
}
