/**
 * One document on its way into its spool file: handed on as soon as enough of it is here, whole later, or given up.
 * After that its owner reads and disposes of it.
 */
import { createHash } from 'node:crypto';
import { aborted } from '../../core/service.ts';
import type { CallOptions, LongCallOptions } from '../../domain/ports/call.ts';
import type { DocumentSource, SpooledDocument } from '../../domain/ports/printing.ts';
import { asProblem, Problem } from '../../domain/problem/problem.ts';
import type { Download } from '../../domain/ports/service.ts';
import type { ByteTurns } from './byte-turns.ts';
import type { SpoolFile } from './spool-file.ts';
import { SpoolIntake } from './spool-intake.ts';

export interface SpoolArrivalDeps extends Pick<Inflow, 'source' | 'turns' | 'checkRoom'> {
  readonly file: SpoolFile;
  /** A longer document is handed on after this many octets. */
  readonly after: number;
  readonly onProgress: LongCallOptions['onProgress'];
  readonly onForgotten: () => void;
}

export class SpoolArrival {
  readonly #deps: SpoolArrivalDeps;
  readonly #life = new AbortController();
  readonly #ahead = Promise.withResolvers<SpooledDocument>();
  readonly #received = Promise.withResolvers<SpoolIntake>();
  #isUnderWay = false;
  #digest: string | undefined;

  constructor(deps: SpoolArrivalDeps) {
    this.#deps = deps;
  }

  /** Called once. Resolves when the document can be handed on; the signal counts until then. */
  async arrive(signal: AbortSignal): Promise<SpooledDocument> {
    const giveUp = () => this.#life.abort(signal.reason);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    const { promise, resolve, reject } = this.#received;
    this.#receive().then(resolve, reject);
    try {
      const whole = promise.then((intake) => this.#documentOf(intake));
      const document = await Promise.race([this.#ahead.promise, whole]);
      signal.throwIfAborted();
      return document;
    } catch (error) {
      this.forget();
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  forget(): void {
    this.#deps.onForgotten();
    this.#life.abort(new Problem('spool-failed', 'the document was put away'));
    this.#deps.file[Symbol.dispose]();
  }

  async #receive(): Promise<SpoolIntake> {
    const { file, turns, checkRoom } = this.#deps;
    const { signal } = this.#life;
    const onGrowth = (intake: SpoolIntake) => this.#grow(intake);
    try {
      const source = this.#steadySource();
      const intake = await receiveDocument({ source, file, turns, checkRoom, onGrowth }, { signal });
      this.#digest = intake.digest();
      return intake;
    } catch (error) {
      const problem = asProblem(error, 'document-cut', 'the download was given up');
      file.breakOff(problem);
      throw signal.aborted ? signal.reason : problem;
    }
  }

  /** While little of it is here, the caller may as well begin again. */
  #steadySource(): DocumentSource {
    const { source } = this.#deps;
    return {
      begin: (call) => source.begin(call),
      resume: (broken, call) =>
        this.#isUnderWay ? source.resume(broken, call) : Promise.reject(broken.problem),
    };
  }

  #grow(intake: SpoolIntake): void {
    const { file, onProgress, after } = this.#deps;
    onProgress?.();
    if (this.#isUnderWay || intake.length < after || intake.missing === 0) return;
    this.#isUnderWay = true;
    if (!intake.goAhead()) return;
    file.pass();
    this.#ahead.resolve(this.#documentOf(intake));
  }

  #documentOf(intake: SpoolIntake): SpooledDocument {
    return {
      length: intake.length + intake.missing,
      format: intake.format(),
      holds: (what) => intake.holds(what),
      digest: () => this.#digest,
      whole: (call) => this.#whole(call),
      read: () => this.#deps.file.blocks(),
      [Symbol.dispose]: () => this.forget(),
    };
  }

  async #whole({ signal }: CallOptions): Promise<void> {
    await Promise.race([this.#received.promise, aborted(signal)]);
    signal.throwIfAborted();
  }
}

const mebibyte = 1024 * 1024;
/** The room is checked again after this many octets. */
const roomCheck = 16 * mebibyte;

interface Inflow {
  readonly source: DocumentSource;
  readonly file: Pick<SpoolFile, 'append' | 'seal'>;
  readonly turns: ByteTurns;
  /** Rejects with `spool-full` if this many octets would not fit on the disk. */
  checkRoom(missing: number): Promise<void>;
  onGrowth(intake: SpoolIntake): void;
}

/**
 * Receives a document from the first octet to the last, over as many downloads as needed. A broken download goes on
 * where it stopped, or is read again from its start and compared with the octets that are here. If the document has
 * changed, it is refused. The source decides whether it may go on. Resolves when the document is whole.
 */
async function receiveDocument(inflow: Inflow, { signal }: CallOptions): Promise<SpoolIntake> {
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

/**
 * Resolves with the problem that broke the download off; rejects if the download was not at fault. It always closes the
 * download.
 */
async function takeDownload(
  { turns, checkRoom, onGrowth }: Inflow,
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
      await turns.turn(chunk.value.length);
      signal.throwIfAborted();
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

/**
 * Passes octets that are not here yet. If the service sends the document from its start again, the octets that are here
 * are compared by a digest, without a second copy.
 */
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
