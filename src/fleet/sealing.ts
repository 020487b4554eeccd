/**
 * What a member leaves in the engine, sealed under the fleet's key: any member opens it, and nobody who has the database
 * alone. No name, title or job of a person is in clear there.
 */
import { createSecretKey } from 'node:crypto';
import { z } from 'zod';
import type { Chance } from '../core/chance.ts';
import { createSealing } from '../core/sealing.ts';
import type { Secret } from '../core/secret.ts';
import type { HistoryRecord } from '../domain/history.ts';
import type { Will } from '../domain/ports/claims.ts';
import type { PrinterJob } from '../domain/ports/printing.ts';

export interface FleetSealing {
  sealWill(releaseId: string, will: Will): Buffer;
  sealJob(releaseId: string, job: PrinterJob): Buffer;
  /** `undefined`: damaged, of another release, or under another key. */
  openWill(releaseId: string, sealed: Uint8Array): Will | undefined;
  openJob(releaseId: string, sealed: Uint8Array): PrinterJob | undefined;
}

const text = z.string();
const history: z.ZodType<HistoryRecord> = z.object({
  ...{ jobType: z.literal('PRINT'), userName: text, providerId: z.int(), title: text },
  ...{ totalPages: z.exactOptional(z.int()), colorPages: z.exactOptional(z.int()) },
  ...{ paperSize: z.exactOptional(text), duplex: z.exactOptional(z.boolean()) },
  ...{ serialNumber: text, dateTime: text },
});
const willShape = z.object({
  ...{
    documentUuid: text,
    serialNumber: text,
    jobName: text,
    printerUri: text.nullable(),
    inOneStep: z.boolean(),
  },
  ...{ documentPages: z.int().nullable(), history },
});
const jobShape = z.object({ jobId: z.int(), jobUri: text, jobName: text, marks: z.unknown().optional() });

/** `key`: 32 bytes, as base64. */
export function createFleetSealing({ key, chance }: { key: Secret; chance: Chance }): FleetSealing {
  const sealing = createSealing({ key: createSecretKey(Buffer.from(key.reveal(), 'base64')), chance });
  const willOf = (releaseId: string): string => `will of ${releaseId}`;
  const jobOf = (releaseId: string): string => `job of ${releaseId}`;

  function opened(purpose: string, sealed: Uint8Array): unknown {
    const found = sealing.unseal(purpose, Buffer.from(sealed));
    return found.kind === 'text' ? (JSON.parse(found.text) as unknown) : undefined;
  }

  return {
    sealWill: (releaseId, { printerUri = null, documentPages = null, ...will }) =>
      sealing.seal(willOf(releaseId), JSON.stringify({ ...will, printerUri, documentPages })),
    sealJob: (releaseId, job) => sealing.seal(jobOf(releaseId), JSON.stringify(job)),
    openWill(releaseId, sealed) {
      const { data: found } = willShape.safeParse(opened(willOf(releaseId), sealed));
      if (!found) return undefined;
      const { printerUri, documentPages, ...will } = found;
      return { ...will, printerUri: printerUri ?? undefined, documentPages: documentPages ?? undefined };
    },
    openJob(releaseId, sealed) {
      const { data: found } = jobShape.safeParse(opened(jobOf(releaseId), sealed));
      return found as PrinterJob | undefined;
    },
  };
}
