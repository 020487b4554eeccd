/** Stores the documents that a virtual printer receives and prints. Tests compare releases with this ground truth. */
import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attribute, Value } from '../../ipp/message.ts';
import { pdfPages } from '../sample/pdf-file.ts';
import type { Job, ReceivedDocument } from './jobs.ts';

export interface PrinterOutput {
  readonly jobId: number;
  readonly jobName: string;
  readonly userName: string;
  /** The current path of the document. */
  readonly file: string;
  /** The bytes that arrived. */
  readonly bytes: number;
  readonly sha256: string;
  /** Printed pages, copies counted. */
  readonly impressions: number;
  /** Every byte arrived and every page was printed. */
  readonly complete: boolean;
  /** The Job Template attributes, as plain values. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Wall time. */
  readonly at: number;
}

export type Transfer = 'whole' | 'broken' | 'canceled';

interface Intake {
  readonly source: AsyncIterator<Buffer>;
  readonly file: string;
  /** Used if the pages of the document cannot be counted. */
  readonly pages: number;
  /** After this many bytes reading stops, and `atLimit` decides. */
  readonly limit?: number;
  /** Resolves with the end of the transfer, or with `undefined` if the rest is to be read. */
  atLimit(): Promise<Transfer | undefined>;
  readonly stop: AbortSignal;
}

/** Writes the document to its file as it arrives. Never rejects because of the sender. */
export async function takeIn(intake: Intake): Promise<{ transfer: Transfer; document: ReceivedDocument }> {
  const { file } = intake;
  let { limit = Number.POSITIVE_INFINITY } = intake;
  const hash = createHash('sha256');
  const counted = pdfPages();
  let bytes = 0;
  let transfer: Transfer | undefined;
  await using handle = await open(file, 'w');
  const take = async (part: Buffer) => {
    hash.update(part);
    counted.take(part);
    await handle.appendFile(part);
    bytes += part.length;
  };
  while (transfer === undefined) {
    const chunk = await nextChunk(intake.source);
    if (intake.stop.aborted) transfer = 'canceled';
    else if (chunk === 'end') transfer = 'whole';
    else if (chunk === 'broken') transfer = 'broken';
    else {
      const room = limit - bytes;
      await take(chunk.subarray(0, room));
      if (bytes < limit) continue;
      transfer = await intake.atLimit();
      if (transfer !== undefined) continue;
      limit = Number.POSITIVE_INFINITY;
      await take(chunk.subarray(room));
    }
  }
  const pages = counted.count() ?? intake.pages;
  const document = { file, bytes, sha256: hash.digest('hex'), pages, whole: transfer === 'whole' };
  return { transfer, document };
}

async function nextChunk(source: AsyncIterator<Buffer>): Promise<Buffer | 'end' | 'broken'> {
  try {
    const { done, value } = await source.next();
    return done ? 'end' : value;
  } catch {
    // The sender is gone. Only the number of received bytes is known.
    return 'broken';
  }
}

export interface Outputs {
  readonly list: readonly PrinterOutput[];
  /** Gives the path for a coming document. */
  reserve(): string;
  /** The pages are in the tray: the document gets its final name, and the record is made. */
  eject(job: Job, document: ReceivedDocument, complete: boolean): Promise<PrinterOutput>;
  /** Nothing was printed. */
  discard(document: ReceivedDocument): Promise<void>;
}

export function createOutputs({ folder, now }: { folder: string; now: () => number }): Outputs {
  const list: PrinterOutput[] = [];
  const names = new Set<string>();
  let reserved = 0;
  return {
    list,
    reserve() {
      reserved += 1;
      return join(folder, `.incoming-${reserved}`);
    },
    async eject(job, document, complete) {
      const name = freeName(`${job.id}-${sanitised(job.name)}`, names);
      const file = join(folder, name);
      await rename(document.file, file);
      const output: PrinterOutput = {
        jobId: job.id,
        jobName: job.name,
        userName: job.userName,
        file,
        bytes: document.bytes,
        sha256: document.sha256,
        impressions: job.impressionsCompleted,
        complete: complete && document.whole,
        attributes: plain(job.template),
        at: now(),
      };
      list.push(output);
      return output;
    },
    discard: (document) => rm(document.file, { force: true }),
  };
}

/** After a reboot, ids begin at 1 again. An earlier file keeps its name. */
function freeName(stem: string, taken: Set<string>): string {
  let name = `${stem}.pdf`;
  for (let number = 2; taken.has(name); number += 1) name = `${stem}-${number}.pdf`;
  taken.add(name);
  return name;
}

const sanitised = (jobName: string): string =>
  jobName
    .replace(/\.pdf$/i, '')
    .replace(/[^\p{L}\p{N}._[\] -]/gu, '_')
    .slice(0, 80)
    .trim();

const plain = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ name, values }) => {
      const [first, ...more] = values.map(plainValue);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );

function plainValue(value: Value): unknown {
  if ('text' in value) return value.text;
  if ('integer' in value) return value.integer;
  if ('boolean' in value) return value.boolean;
  if ('members' in value) return plain(value.members);
  const { tag: _, ...rest } = value;
  return rest;
}
