/**
 * The state in a claim's row is proven under the fleet's key (HMAC-SHA256, RFC 2104). A person who can write in the
 * engine, and has no key, cannot make a member record or delete a print. A proof holds for one document, release, claim
 * and holder.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { FleetKeys } from './engine/keys.ts';
import { allKeys, derivedKey } from './engine/keys.ts';

/** The owner of the claim. `document` is its key. */
export interface ProvenFor {
  readonly document: string;
  readonly releaseId: string;
  readonly member: string;
}

export interface Said {
  /** The claim's number; 0 before its member has heard it. */
  readonly number: number;
  readonly state: string;
  readonly owesHistory: boolean;
  readonly deletionOwed: boolean;
}

/** A row of the engine. A claim that is put back, or told again, has a higher number than the one it was given. */
export interface ClaimRow extends ProvenFor, Pick<Said, 'number' | 'state'> {
  readonly proof: Uint8Array | null;
}

export interface ClaimProofs {
  /** By default it owes nothing. */
  prove(claim: ProvenFor, said: Pick<Said, 'number' | 'state'> & Partial<Said>): Buffer;
  /** `undefined`: nothing of it is proven, and it is unknown. */
  saidBy(row: ClaimRow): Said | undefined;
  proveCut(releaseId: string, pages: number): Buffer;
  isProvenCut(releaseId: string, pages: number, proof: Uint8Array | null): boolean;
}

const macBytes = 32;
const purpose = 'claims';
const saidShape = z.tuple([z.int(), z.string(), z.boolean(), z.boolean()]);

export function createClaimProofs(keys: FleetKeys): ClaimProofs {
  const proving = derivedKey(keys.key, purpose);
  const known = allKeys(keys).map((key) => derivedKey(key, purpose));
  const macOf = (key: Buffer, parts: readonly unknown[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  const isMac = (mac: Uint8Array, parts: readonly unknown[]): boolean =>
    mac.length === macBytes && known.some((key) => timingSafeEqual(mac, macOf(key, parts)));
  const claimParts = ({ document, releaseId, member }: ProvenFor, said: string): readonly unknown[] => [
    'claim',
    document,
    releaseId,
    member,
    said,
  ];
  const cutParts = (releaseId: string, pages: number): readonly unknown[] => ['cut', releaseId, pages];

  return {
    prove(claim, { number, state, owesHistory = false, deletionOwed = false }) {
      const said = JSON.stringify([number, state, owesHistory, deletionOwed]);
      return Buffer.concat([macOf(proving, claimParts(claim, said)), Buffer.from(said)]);
    },
    saidBy({ proof, ...row }) {
      if (proof === null) return undefined;
      const said = Buffer.from(proof.subarray(macBytes)).toString();
      if (!isMac(proof.subarray(0, macBytes), claimParts(row, said))) return undefined;
      const [number, state, owesHistory, deletionOwed] = saidShape.parse(JSON.parse(said));
      if (state !== row.state || number > row.number) return undefined;
      return { number, state, owesHistory, deletionOwed };
    },
    proveCut: (releaseId, pages) => macOf(proving, cutParts(releaseId, pages)),
    isProvenCut: (releaseId, pages, proof) => proof !== null && isMac(proof, cutParts(releaseId, pages)),
  };
}
