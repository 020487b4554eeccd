/** B.1: the engine of a fleet hears of no end that a power cut may still take back. */
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { seconds } from '../../src/core/duration.ts';
import type { Claims } from '../../src/domain/ports/claims.ts';
import * as sql from '../../src/fleet/claim-statements.ts';
import { FleetClaims } from '../../src/fleet/claims.ts';
import type { Engine, EngineFacts } from '../../src/fleet/engine/engine.ts';
import { createFleetSealing } from '../../src/fleet/sealing.ts';
import { fleetKey } from '../support/fleet/fleet-engine.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const documentUuid = systemChance.uuid();
const nobody = () => Promise.reject(new Error('nobody is asked'));

const facts: EngineFacts = {
  ...{ place: 'db:5432', roundTrip: seconds(0), clockAhead: seconds(0) },
  fleet: { id: systemChance.uuid(), level: 1, minimum: 1 },
  settings: {
    ...{ versionNumber: 150_018, version: '15.18', isReplica: false, readOnly: 'off', fsync: 'on', now: 0 },
    ...{ fullPageWrites: 'on', synchronousCommit: 'on', synchronousStandbys: '' },
  },
};

/** It has one open claim of ours, whose release has ended in our books. */
function stage() {
  const asked: string[] = [];
  const disk = Promise.withResolvers<void>();
  const open = { document: documentUuid, releaseId: 'r1', version: 1, isTakenOver: false };
  const nothing = { [Symbol.dispose]() {} };
  const engine: Engine = {
    async ask({ name }) {
      asked.push(name);
      return name === sql.openClaims.name ? [open] : [];
    },
    state: () => ({ is: 'up', since: 0, facts }),
    refusal: () => undefined,
    onState: () => nothing,
    onNotice: () => nothing,
    beaten() {},
    service: { name: 'engine', run: nobody },
    async [Symbol.asyncDispose]() {},
  };
  const alone: Claims = {
    take: nobody,
    sending: nobody,
    isOurs: nobody,
    elsewhere: nobody,
    ended() {},
    found() {},
  };
  const ended = { state: 'NOOUTPUT', owesHistory: false, deletionOwed: false, leftHistory: false } as const;
  const claims = new FleetClaims({
    ...{ engine, alone, member: systemChance.uuid(), onLeft() {} },
    books: { highest: () => 1, all: () => [], every: () => [], of: () => ended, durable: () => disk.promise },
    recollection: { saw() {}, highest: () => 1, isAwaiting: () => false, tell: async () => {} },
    solitude: { isAlone: () => false, end() {}, wentAlone() {}, settle: async () => {} },
    sealing: createFleetSealing({ key: fleetKey, chance: systemChance }),
    ...{ clock: createSteeredClock(), log: recordLog().log },
  });
  return { claims, asked, disk };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

it('I1: a claim that nobody has told the engine of is told when its end is on the disk', async () => {
  const { claims, asked, disk } = stage();
  const stop = new AbortController();
  const running = claims.service.run(stop.signal);
  await settled();
  expect(asked).toEqual([sql.openClaims.name]);
  disk.resolve();
  await settled();
  expect(asked).toEqual([sql.openClaims.name, sql.endClaim.name]);
  stop.abort();
  await running;
});
