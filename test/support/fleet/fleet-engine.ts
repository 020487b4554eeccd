/** A member's engine for a test, with its service running: all but the address as an agent would make it. */
import { systemChance } from '../../../src/core/chance.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { Condition } from '../../../src/domain/condition.ts';
import { engineAddress } from '../../../src/config/engine-address.ts';
import type { Allegiance, KeptFleet } from '../../../src/fleet/engine/allegiance.ts';
import type { Engine, EngineDeps, EngineState } from '../../../src/fleet/engine/engine.ts';
import type { KeptBeat } from '../../../src/fleet/engine/membership.ts';
import { createEngine } from '../../../src/fleet/engine/engine.ts';
import type { RecordedLog } from '../recorded-log.ts';
import { recordLog } from '../recorded-log.ts';
import { patience } from '../patience.ts';

export const fleetKey = new Secret(Buffer.alloc(32, 7).toString('base64'));

export interface RunningEngine extends AsyncDisposable {
  readonly engine: Engine;
  readonly log: RecordedLog;
  readonly memberId: string;
  readonly member: EngineDeps['member'];
  condition(subject?: 'engine' | 'engine steadiness'): Condition | undefined;
  /** Resolves as soon as the state is of that kind. */
  until(is: EngineState['is']): Promise<EngineState>;
}

export type EngineChoices = Partial<Omit<EngineDeps, 'address' | 'member'>> & {
  readonly member?: Partial<EngineDeps['member']>;
};

/** Of a member that is started once. */
export const forgetfulBeat: KeptBeat = { read: () => undefined, write: () => {} };

/** As a state directory keeps it. */
export function allegianceOf(kept: KeptFleet | undefined): Allegiance {
  let now = kept;
  return { read: () => now, keep: (fleet) => void (now = fleet) };
}

const noFiles = (file: string): string => {
  throw new Error(`${file} is not read in this test`);
};

export const addressOf = (url: string, certificates = noFiles) =>
  engineAddress(new Secret(url), certificates);

export function runEngine(
  address: string | EngineDeps['address'],
  choices: EngineChoices = {},
): RunningEngine {
  const { member: chosen, ...others } = choices;
  const id = systemChance.uuid();
  const member = {
    id,
    incarnation: systemChance.uuid(),
    name: 'gateway',
    site: 'main',
    version: '1.0.0',
    ...chosen,
  };
  const log = recordLog();
  const standing = new Map<string, Condition>();
  const engine = createEngine({
    address: typeof address === 'string' ? addressOf(address) : address,
    key: fleetKey,
    member,
    clock: systemClock,
    chance: systemChance,
    log: log.log,
    keptBeat: forgetfulBeat,
    allegiance: allegianceOf(undefined),
    conditions: {
      raise: (raised) => void standing.set(raised.subject, raised),
      clear: (_scope, subject) => void standing.delete(subject),
    },
    ...others,
  });
  const stop = new AbortController();
  const running = engine.service.run(stop.signal);
  return {
    engine,
    log,
    member,
    memberId: member.id,
    condition: (subject = 'engine') => standing.get(subject),
    async until(is) {
      const now = engine.state();
      if (now.is === is) return now;
      const reached = Promise.withResolvers<EngineState>();
      using _ = engine.onState((state) => state.is === is && reached.resolve(state));
      const limit = setTimeout(
        () => reached.reject(new Error(`the engine is not ${is}: ${log.text()}`)),
        patience(),
      );
      try {
        return await reached.promise;
      } finally {
        clearTimeout(limit);
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await engine[Symbol.asyncDispose]();
    },
  };
}
