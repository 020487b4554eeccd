/** What is said of a claim is proven for the one row that it was said in, by who has the fleet's key (F6, I2). */
import { expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { createClaimProofs } from '../../src/fleet/fleet-sealing.ts';
import { fleetKey } from '../support/fleet/fleet-engine.ts';

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
