/**
 * What the fleet's key does for rows of the engine. It seals a member's data: any member can open it, but not a
 * person who has only the database. No name, title or job of a person is in clear there. And it proves the state of a
 * claim.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Chance } from '../core/chance.ts';
import { createSealing, createUnsealing } from '../core/sealing.ts';
import type { HistoryRecord } from '../domain/history.ts';
import type { Will } from '../domain/ports/claims.ts';
import type { PrinterJob } from '../domain/ports/printing.ts';
import type { FleetKeys } from './engine/fleet-keys.ts';
import { allKeys, derivedKey, keyObject } from './engine/fleet-keys.ts';

/** The row that it is sealed for; it opens only with that row. `document` is its key. */
interface SealedFor {
  readonly document: string;
  readonly releaseId: string;
}

export interface FleetSealing extends ClaimProofs {
  sealWill(place: SealedFor, will: Will): Buffer;
  sealJob(place: SealedFor, job: PrinterJob): Buffer;
  /** `undefined`: damaged, of another document or release, or under another key. */
  openWill(place: SealedFor, sealed: Uint8Array): Will | undefined;
  openJob(place: SealedFor, sealed: Uint8Array): PrinterJob | undefined;
}

const text = z.string();
const history: z.ZodType<HistoryRecord> = z.object({
  jobType: z.literal('PRINT'),
  userName: text,
  providerId: z.int(),
  title: text,
  totalPages: z.exactOptional(z.int()),
  colorPages: z.exactOptional(z.int()),
  paperSize: z.exactOptional(text),
  duplex: z.exactOptional(z.boolean()),
  serialNumber: text,
  address: z.exactOptional(text),
  dateTime: text,
});
const willShape = z.object({
  documentUuid: text,
  serialNumber: text,
  jobName: text,
  printerUri: text.nullable(),
  inOneStep: z.boolean(),
  documentPages: z.int().nullable(),
  history,
  cuts: z.exactOptional(z.array(z.object({ releaseId: text, pages: z.int() }))),
});
const jobShape = z.object({ jobId: z.int(), jobUri: text, jobName: text, marks: z.unknown().optional() });

export function createFleetSealing({ chance, ...keys }: FleetKeys & { chance: Chance }): FleetSealing {
  const sealing = createSealing({ key: keyObject(keys.key), chance });
  const openings = allKeys(keys).map((key) => createUnsealing(keyObject(key)));
  const willOf = ({ document, releaseId }: SealedFor): string => `will of ${releaseId} for ${document}`;
  const jobOf = ({ document, releaseId }: SealedFor): string => `job of ${releaseId} for ${document}`;

  function opened(purpose: string, sealed: Uint8Array): unknown {
    const found = openings
      .map((opening) => opening.unseal(purpose, Buffer.from(sealed)))
      .find(({ kind }) => kind === 'text');
    return found?.kind === 'text' ? (JSON.parse(found.text) as unknown) : undefined;
  }

  return {
    ...createClaimProofs(keys),
    sealWill: (place, { printerUri = null, documentPages = null, ...will }) =>
      sealing.seal(willOf(place), JSON.stringify({ ...will, printerUri, documentPages })),
    sealJob: (place, job) => sealing.seal(jobOf(place), JSON.stringify(job)),
    openWill(place, sealed) {
      const { data: found } = willShape.safeParse(opened(willOf(place), sealed));
      if (!found) return undefined;
      const { printerUri, documentPages, ...will } = found;
      return { ...will, printerUri: printerUri ?? undefined, documentPages: documentPages ?? undefined };
    },
    openJob(place, sealed) {
      const { data: found } = jobShape.safeParse(opened(jobOf(place), sealed));
      return found as PrinterJob | undefined;
    },
  };
}

/** The owner of the claim. `document` is its key. */
interface ProvenFor {
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

/**
 * The state in a claim's row is proven under the fleet's key (HMAC-SHA256, RFC 2104). A person who can write in the
 * engine, and has no key, cannot make a member record or delete a print. A proof holds for one document, release,
 * claim and holder.
 */
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
