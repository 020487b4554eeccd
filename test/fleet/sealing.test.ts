/** A will opens in the row that it was sealed for, and in no other (F6): whoever has the database cannot swap two. */
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Will } from '../../src/domain/ports/claims.ts';
import { createFleetSealing } from '../../src/fleet/fleet-sealing.ts';
import { fleetKey } from '../support/fleet/fleet-engine.ts';

const will: Will = {
  documentUuid: 'd1',
  serialNumber: 'SN-0001',
  jobName: 'Plan.pdf [00000001]',
  inOneStep: false,
  printerUri: 'ipp://printer/ipp/print',
  documentPages: 2,
  history: {
    jobType: 'PRINT',
    userName: 'alice',
    providerId: 1,
    title: 'Plan.pdf',
    serialNumber: 'SN-0001',
    dateTime: '2026-11-21T12:00:00+00:00',
  },
};
const job = { jobId: 17, jobUri: 'ipp://printer/jobs/17', jobName: will.jobName };

const place = { document: 'd1', releaseId: 'r1' };

it.each([
  ['of another document', { ...place, document: 'd2' }],
  ['of another release', { ...place, releaseId: 'r2' }],
])('what a gone member left does not open in the row %s, and opens in its own (I1)', (_, other) => {
  const sealing = createFleetSealing({ key: fleetKey, chance: systemChance });
  const [sealedWill, sealedJob] = [sealing.sealWill(place, will), sealing.sealJob(place, job)];
  expect([sealing.openWill(other, sealedWill), sealing.openJob(other, sealedJob)]).toEqual([
    undefined,
    undefined,
  ]);
  expect([sealing.openWill(place, sealedWill), sealing.openJob(place, sealedJob)]).toEqual([will, job]);
});

it('while the key is changed, what a member left opens by either, and is sealed with the new one alone', () => {
  const nextKey = new Secret(Buffer.alloc(32, 8).toString('base64'));
  const [before, after] = [fleetKey, nextKey].map((key) => createFleetSealing({ key, chance: systemChance }));
  const both = createFleetSealing({ key: nextKey, previousKey: fleetKey, chance: systemChance });
  const left = before?.sealWill(place, will) ?? Buffer.of();
  expect(both.openWill(place, left)).toEqual(will);
  expect(after?.openWill(place, left)).toBeUndefined();
  const sealed = both.sealWill(place, will);
  expect([after, before].map((one) => one?.openWill(place, sealed))).toEqual([will, undefined]);
});
