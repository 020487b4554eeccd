/**
 * Seals a member's data in the engine under the fleet's key: any member can open it, but not a person who has only the
 * database. No name, title or job of a person is in clear there.
 */
import { z } from 'zod';
import type { Chance } from '../core/chance.ts';
import { createSealing, createUnsealing } from '../core/sealing.ts';
import type { HistoryRecord } from '../domain/history.ts';
import type { Will } from '../domain/ports/claims.ts';
import type { PrinterJob } from '../domain/ports/printing.ts';
import type { FleetKeys } from './engine/keys.ts';
import { allKeys, keyObject } from './engine/keys.ts';
import type { ClaimProofs } from './proofs.ts';
import { createClaimProofs } from './proofs.ts';

/** The row that it is sealed for; it opens only with that row. `document` is its key. */
export interface SealedFor {
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
