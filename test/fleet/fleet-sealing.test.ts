/**
 * A will opens in the row that it was sealed for, and in no other (F6): a person who has the database cannot swap two. The
 * state of a claim is proven in the same way.
 */
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Will } from '../../src/domain/ports/claims.ts';
import { createClaimProofs, createFleetSealing } from '../../src/fleet/fleet-sealing.ts';
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

/** What is said of a claim is proven for the one row that it was said in, by who has the fleet's key (F6, I2). */
const otherKey = new Secret(Buffer.alloc(32, 8).toString('base64'));
const proofs = createClaimProofs({ key: fleetKey });
const claim = { document: 'd1', releaseId: 'r1', member: 'm1' };
const said = { number: 7, state: 'printed', owesHistory: true, deletionOwed: true };
const row = { ...claim, number: 7, state: 'printed', proof: proofs.prove(claim, said) };
const changed = (at: number): Buffer => {
  const proof = Buffer.from(row.proof);
  proof.writeUInt8(proof.readUInt8(at) ^ 1, at);
  return proof;
};

it('a proof says what was said of its own claim', () => {
  expect(proofs.saidBy(row)).toEqual(said);
  const bare = proofs.prove(claim, { number: 0, state: 'claimed' });
  expect(proofs.saidBy({ ...row, state: 'claimed', proof: bare })).toEqual({
    number: 0,
    state: 'claimed',
    owesHistory: false,
    deletionOwed: false,
  });
});

it('a claim that is put back, or told again, has a higher number and the same proof', () => {
  expect(proofs.saidBy({ ...row, number: 9 })).toEqual(said);
});

it.each([
  ['of another document', { document: 'd2' }],
  ['of another release', { releaseId: 'r2' }],
  ['of another holder', { member: 'm2' }],
  ['of an earlier claim', { number: 6 }],
  ['in another state', { state: 'unknown' }],
  ['of an older version, without a proof', { proof: null }],
  ['with an empty proof', { proof: Buffer.alloc(0) }],
  ['with a proof that is cut', { proof: row.proof.subarray(0, -1) }],
  ['with a proof of another key', { proof: createClaimProofs({ key: otherKey }).prove(claim, said) }],
  ['with a proof of nothing', { proof: row.proof.subarray(0, 32) }],
  ['with the proof of a cut', { proof: proofs.proveCut('r1', 6) }],
])('a row %s proves nothing', (_, other) => {
  expect(proofs.saidBy({ ...row, ...other })).toBeUndefined();
});

it('a proof that is changed in any octet proves nothing', () => {
  const still = [...row.proof.keys()].filter((at) => proofs.saidBy({ ...row, proof: changed(at) }));
  expect(still).toEqual([]);
});

it('what a former key has proven is proven, and the first key alone proves', () => {
  const both = createClaimProofs({ key: otherKey, previousKey: fleetKey });
  expect(both.saidBy(row)).toEqual(said);
  expect(proofs.saidBy({ ...row, proof: both.prove(claim, said) })).toBeUndefined();
});

it('a cut is of one release and one number of pages', () => {
  const cut = proofs.proveCut('r1', 6);
  expect(proofs.isProvenCut('r1', 6, cut)).toBe(true);
  expect([
    proofs.isProvenCut('r2', 6, cut),
    proofs.isProvenCut('r1', 5, cut),
    proofs.isProvenCut('r1', 6, null),
  ]).toEqual([false, false, false]);
});
