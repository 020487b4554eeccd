/**
 * One document on its way into its spool file: handed on as soon as enough of it is here, whole a while later, or given
 * up. From then on whoever has it reads it and puts it away.
 */
import { Readable } from 'node:stream';
import { aborted } from '../../core/service.ts';
import type { CallOptions, LongCallOptions } from '../../domain/ports/call.ts';
import type { DocumentSource, SpooledDocument } from '../../domain/ports/printing.ts';
import { asProblem, Problem } from '../../domain/problem/problem.ts';
import type { Inflow } from './spool-inflow.ts';
import type { SpoolFile } from './spool-file.ts';
import { receiveDocument } from './spool-inflow.ts';
import type { SpoolIntake } from './spool-intake.ts';

export interface SpoolArrivalParts extends Pick<Inflow, 'source' | 'checkRoom'> {
  readonly file: SpoolFile;
  /** So many octets of a longer document are enough to hand it on. */
  readonly after: number;
  readonly onProgress: LongCallOptions['onProgress'];
  readonly onForgotten: () => void;
}

export class SpoolArrival {
  readonly #parts: SpoolArrivalParts;
  readonly #life = new AbortController();
  readonly #ahead = Promise.withResolvers<SpooledDocument>();
  readonly #received = Promise.withResolvers<SpoolIntake>();
  #isUnderWay = false;
  #digest: string | undefined;

  constructor(parts: SpoolArrivalParts) {
    this.#parts = parts;
  }

  /** Once. Resolves when the document can be handed on; the signal counts until then. */
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
    this.#parts.onForgotten();
    this.#life.abort(new Problem('spool-failed', 'the document was put away'));
    this.#parts.file[Symbol.dispose]();
  }

  async #receive(): Promise<SpoolIntake> {
    const { file, checkRoom } = this.#parts;
    const { signal } = this.#life;
    const onGrowth = (intake: SpoolIntake) => this.#grow(intake);
    try {
      const source = this.#steadySource();
      const intake = await receiveDocument({ source, file, checkRoom, onGrowth }, { signal });
      this.#digest = intake.digest();
      return intake;
    } catch (error) {
      const problem = asProblem(error, 'document-cut', 'the download was given up');
      file.breakOff(problem);
      throw signal.aborted ? signal.reason : problem;
    }
  }

  /** While little of it is here, whoever wanted the document may begin again as well. */
  #steadySource(): DocumentSource {
    const { source } = this.#parts;
    return {
      begin: (call) => source.begin(call),
      resume: (broken, call) =>
        this.#isUnderWay ? source.resume(broken, call) : Promise.reject(broken.problem),
    };
  }

  #grow(intake: SpoolIntake): void {
    const { file, onProgress, after } = this.#parts;
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
      read: () => Readable.from(this.#parts.file.blocks(), { objectMode: false }),
      [Symbol.dispose]: () => this.forget(),
    };
  }

  async #whole({ signal }: CallOptions): Promise<void> {
    await Promise.race([this.#received.promise, aborted(signal)]);
    signal.throwIfAborted();
  }
}
