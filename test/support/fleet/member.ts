/**
 * Members of a fleet as far as holds go: each with its own engine connection and its own terminals, on one PostgreSQL.
 */
import { randomUUID } from 'node:crypto';
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { aborted, runServices } from '../../../src/core/service.ts';
import type { Holds, HoldUser, Servable } from '../../../src/domain/ports/holds.ts';
import { createEngine } from '../../../src/fleet/engine/engine.ts';
import { createHoldTable } from '../../../src/fleet/hold-table.ts';
import { createFleetHolds } from '../../../src/fleet/holds.ts';
import type { ConditionList } from '../../../src/status/conditions.ts';
import { createConditions } from '../../../src/status/conditions.ts';
import { addressOf, allegianceOf, fleetKey, forgetfulBeat } from './fleet-engine.ts';
import type { RecordedLog } from '../recorded-log.ts';
import { recordLog } from '../recorded-log.ts';

export interface MemberOptions {
  readonly url: string;
  readonly name: string;
  readonly site?: string;
  readonly id?: string;
  readonly user?: HoldUser;
  /** From its first beat on; nothing unless said. */
  readonly terminals?: readonly Servable[];
}

export interface FleetMember extends AsyncDisposable {
  readonly holds: Holds;
  readonly id: string;
  readonly log: RecordedLog;
  readonly conditions: ConditionList;
  /** Its beats end, and nobody is told: as if it were killed. */
  kill(): Promise<void>;
}

export async function openMember(options: MemberOptions): Promise<FleetMember> {
  const { url, name, site = 'main', id = randomUUID() } = options;
  const { user = { isIdle: () => true, changed: async () => {} } } = options;
  const log = recordLog();
  const world = { clock: systemClock, chance: systemChance, log: log.log };
  const conditions = createConditions(world);
  const member = { id, incarnation: randomUUID(), name, site, version: '0.0.0' };
  const address = addressOf(url);
  const engine = createEngine({
    ...world,
    address,
    key: fleetKey,
    member,
    conditions,
    keptBeat: forgetfulBeat,
    allegiance: allegianceOf(undefined),
  });
  const holds = createFleetHolds({
    table: createHoldTable(engine, member),
    isAlone: () => false,
    site,
    user,
    conditions,
    ...world,
  });
  holds.serve(options.terminals ?? []);
  const stop = new AbortController();
  const running = Promise.race([
    runServices([engine.service, ...holds.services], stop.signal),
    aborted(stop.signal),
  ]);
  const kill = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  return {
    holds,
    id,
    log,
    conditions,
    kill,
    async [Symbol.asyncDispose]() {
      await kill();
      await engine[Symbol.asyncDispose]();
    },
  };
}
