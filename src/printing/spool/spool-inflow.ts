/**
 * A document flowing into its spool file from the first octet to the last, over as many downloads as it takes. A
 * download that broke off goes on where it stopped, or is read once more from its start and compared with what is here
 * already; a document that became another one meanwhile is refused. Whether it may go on is for the source to say.
 */
import { createHash } from 'node:crypto';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { DocumentSource } from '../../domain/ports/printing.ts';
import type { Download } from '../../domain/ports/service.ts';
import { asProblem, Problem } from '../../domain/problem/problem.ts';
import type { SpoolFile } from './spool-file.ts';
import { SpoolIntake } from './spool-intake.ts';

const mebibyte = 1024 * 1024;
/** The room is looked at again after each so many octets. */
const roomCheck = 16 * mebibyte;

export interface Inflow {
  readonly source: DocumentSource;
  readonly file: Pick<SpoolFile, 'append' | 'seal'>;
  /** Rejects `spool-full` when so many octets would not fit on the disk. */
  checkRoom(missing: number): Promise<void>;
  onGrowth(intake: SpoolIntake): void;
}

/** Resolves when the document is whole. */
export async function receiveDocument(inflow: Inflow, { signal }: CallOptions): Promise<SpoolIntake> {
  const { source, file } = inflow;
  let download = await source.begin({ signal });
  const intake = new SpoolIntake(file, download.length);
  for (;;) {
    const broken = await takeDownload(inflow, intake, download, { signal });
    if (broken === undefined) break;
    download = await source.resume({ received: intake.length, problem: broken }, { signal });
  }
  intake.checkWhole();
  await file.seal();
  return intake;
}

/** Resolves with what broke it off; rejects with what was no fault of the download, and always closes it. */
async function takeDownload(
  { checkRoom, onGrowth }: Inflow,
  intake: SpoolIntake,
  download: Download,
  { signal }: CallOptions,
): Promise<Problem | undefined> {
  const { bytes } = download;
  const giveUp = () => bytes.destroy();
  signal.addEventListener('abort', giveUp);
  try {
    intake.checkAnnounced();
    const unknownPart = knownPartPassed(intake, download);
    await checkRoom(intake.missing);
    let checkedAt = intake.length;
    const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (;;) {
      const chunk = await chunks.next().catch(brokenOff);
      signal.throwIfAborted();
      if (chunk instanceof Problem) return chunk;
      if (chunk.done === true) return intake.shortfall();
      await intake.take(unknownPart(chunk.value));
      onGrowth(intake);
      if (intake.length - checkedAt < roomCheck) continue;
      checkedAt = intake.length;
      await checkRoom(intake.missing);
    }
  } finally {
    signal.removeEventListener('abort', giveUp);
    bytes.destroy();
  }
}

const brokenOff = (error: unknown): Problem => asProblem(error, 'document-cut', 'the download broke off');

/** Passes what is not here yet. What is, is compared, without a second copy: the service has no part to give. */
function knownPartPassed(intake: SpoolIntake, { from = 0, length }: Download): (chunk: Buffer) => Buffer {
  if (length !== intake.announced || (from !== 0 && from !== intake.length)) throw anotherDocument();
  const prefix = createHash('sha256');
  const digest = intake.digest();
  let known = intake.length - from;
  return (chunk) => {
    if (known === 0) return chunk;
    const part = chunk.subarray(0, known);
    prefix.update(part);
    known -= part.length;
    if (known === 0 && prefix.digest('hex') !== digest) throw anotherDocument();
    return chunk.subarray(part.length);
  };
}

const anotherDocument = () =>
  new Problem('document-gone', 'the document became another one while it was downloaded');
