/**
 * The only place where a document's bytes go to a raw printer: envelope and document in order, until the printer has
 * told the job's end or has closed. It breaks off if nothing moves for the stall time.
 */
import { awakeTime } from '../../core/awake.ts';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { inSeconds, longest, milliseconds, shortest } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { PrintingOptions, SpooledDocument } from '../../domain/ports/printing.ts';
import { asProblem, Problem } from '../../domain/problem/problem.ts';
import type { ExpectedOutput, JobReport } from '../../domain/release.ts';
import type { PjlMessage } from './pjl-messages.ts';
import { pjlEar } from './pjl-messages.ts';
import type { PjlJob } from './pjl-job.ts';
import type { Envelope } from './pjl.ts';
import { tellingOff } from './pjl.ts';
import type { SocketConnection } from './socket-connection.ts';
import type { ByteStall, JobStall } from '../job-patience.ts';
import { bytePatience, patienceFor } from '../job-patience.ts';
import { beginningLimit, inquiryLimit, longestTransferLook, transferLook } from '../timings.ts';

export interface SocketTransfer {
  readonly connection: SocketConnection;
  readonly envelope: Envelope;
  readonly document: SpooledDocument;
  /** The job that the printer tells of; absent if its messages are not read. */
  readonly job: PjlJob | undefined;
  /** Otherwise the printer only gets a moment for its first message. */
  readonly isKnownToTalk: boolean;
  /** The question of the envelope was sent and answered. */
  readonly isAsked: boolean;
  /** The first octet was sent and acknowledged. */
  readonly isTried: boolean;
  readonly onFirstByte: (() => void) | undefined;
  readonly onProgress: (() => void) | undefined;
  readonly onPages: PrintingOptions['onPages'];
  readonly expected: ExpectedOutput | undefined;
}

/** Small, so that a slow printer is seen to move. */
const sliceOctets = 16 * 1024;

/**
 * Closes the connection at the end. Resolves with the printer's report, or with `undefined` if it took everything and
 * closed in order. Rejects with delivery `not-sent` if the kernel was given no byte. Otherwise it rejects with
 * `printer-stalled`, `transfer-broken`, `ended-by-reset` or the spool's own problem, and delivery `perhaps`
 * (INVARIANTS.md B.1). Time in which this machine stood still does not count as silence.
 */
export async function transferBytes(
  deps: TransferDeps,
  transfer: SocketTransfer,
  { signal }: CallOptions,
): Promise<JobReport | undefined> {
  const { connection } = transfer;
  const stop = new AbortController();
  const givenBefore = connection.given();
  const course = new TransferCourse(deps, transfer, { signal: AbortSignal.any([signal, stop.signal]) });
  const passing = course.pass();
  const watching = course.watch();
  try {
    return await Promise.race([passing, watching]);
  } catch (cause) {
    throw connection.given() > givenBefore ? unknownEnd(cause) : nothingSent(cause);
  } finally {
    stop.abort();
    connection.close();
    await Promise.allSettled([passing, watching]);
  }
}

interface TransferDeps {
  readonly clock: Clock;
  readonly stall: ByteStall;
  readonly jobStall: JobStall;
  /** `resetIsEnd` of the configuration. */
  readonly resetIsEnd: boolean;
}

/** Sends the bytes and watches their progress. */
class TransferCourse {
  readonly #deps: TransferDeps;
  readonly #transfer: SocketTransfer;
  readonly #call: CallOptions;
  readonly #reported = Promise.withResolvers<void>();
  readonly #time: () => number;
  readonly #ear = pjlEar((message) => this.#hear(message));
  #begunAt: number | undefined;
  #movedAt: number;
  #isListening = false;
  #isAllGiven = false;

  constructor(deps: TransferDeps, transfer: SocketTransfer, call: CallOptions) {
    this.#deps = deps;
    this.#transfer = transfer;
    this.#call = call;
    this.#time = awakeTime(deps.clock, longestTransferLook);
    this.#movedAt = this.#time();
  }

  /** Sends everything and waits for the printer's report or its end. */
  async pass(): Promise<JobReport | undefined> {
    const { connection, job, envelope } = this.#transfer;
    if (job) connection.listen(this.#ear.hear);
    for await (const slice of slices(this.#transfer)) await this.#give(slice);
    job?.allGiven();
    if (envelope.tail.length > 0) await this.#give(envelope.tail);
    this.#isAllGiven = true;
    try {
      if (job) await this.#listenTo(job);
      if (job?.report()) return await this.#leave(job);
      await connection.finish();
    } catch (cause) {
      this.#hearReset(cause);
    }
    this.#ear.end();
    return job?.lastWord();
  }

  /** For a printer that has acknowledged everything: it may be its normal end, or it threw octets away unread. */
  #hearReset(cause: unknown): void {
    const isReset = cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET';
    if (!isReset || !this.#transfer.connection.isTaken()) throw cause;
    if (this.#deps.resetIsEnd) return;
    throw new Problem('ended-by-reset', 'the printer broke the connection after it had everything', {
      cause,
    });
  }

  /** Rejects when nothing has moved for too long. */
  async watch(): Promise<never> {
    const { job, onProgress } = this.#transfer;
    for (;;) {
      const still = this.#time() - this.#movedAt;
      // A part of a millisecond is too short to sleep.
      const left = milliseconds(Math.ceil(this.#patience() - still));
      if (left > 0) {
        // As far as can be seen, it is at work.
        if (still > this.#bytePatience()) onProgress?.();
        await this.#deps.clock.sleep(shortest(left, transferLook), this.#call);
      } else if (this.#isListening && (job?.isCancelled() || !job?.hasBegun())) {
        // The printer will say no more of this job, but may still close in order.
        this.#movedAt = this.#time();
        this.#reported.resolve();
      } else {
        const reasons = job?.obstacles() ?? [];
        throw new Problem(
          'printer-stalled',
          `the printer did not move for ${inSeconds(this.#patience())} s`,
          { reasons },
        );
      }
    }
  }

  async #give(octets: Buffer): Promise<void> {
    this.#call.signal.throwIfAborted();
    await this.#transfer.connection.write(octets);
    this.#movedAt = this.#time();
    this.#transfer.onProgress?.();
    if (this.#begunAt === undefined) this.#transfer.onFirstByte?.();
    this.#begunAt ??= this.#movedAt;
  }

  #hear(message: PjlMessage): void {
    const { job, onProgress } = this.#transfer;
    if (job?.hear(message) === 'moves') {
      this.#movedAt = this.#time();
      onProgress?.();
      if (message.kind === 'page') this.#hearPages(job);
    }
    if (job?.report()) this.#reported.resolve();
  }

  #hearPages(job: PjlJob): void {
    this.#ear.refill();
    const pages = job.pages();
    if (pages > 0) this.#transfer.onPages?.(pages);
  }

  /** The question in the envelope is answered at once or never. */
  async #listenTo(job: PjlJob): Promise<void> {
    const { connection, isKnownToTalk } = this.#transfer;
    this.#isListening = true;
    const isOver = [this.#reported.promise, connection.taken().then(() => connection.left())];
    if (!isKnownToTalk) {
      await Promise.race([...isOver, this.#deps.clock.sleep(this.#firstWordIn(), this.#call)]);
    }
    if (isKnownToTalk || job.hasSpoken()) await Promise.race(isOver);
    this.#isListening = false;
  }

  #firstWordIn(): Duration {
    return longest(milliseconds((this.#begunAt ?? 0) + inquiryLimit - this.#time()), milliseconds(0));
  }

  /** The printer has reported the end, so the end of the connection changes nothing. */
  async #leave(job: PjlJob): Promise<JobReport | undefined> {
    const { connection } = this.#transfer;
    const ending = connection.write(tellingOff).then(() => connection.finish());
    await Promise.race([ending.catch(() => {}), this.#deps.clock.sleep(inquiryLimit, this.#call)]);
    return job.report();
  }

  /**
   * After everything is sent: most printers count late or never, and some close after the last page. If the printer
   * seems to work and nothing hinders it, a job gets the same time as at any other printer.
   */
  #patience(): Duration {
    const { job } = this.#transfer;
    if (!this.#isAllGiven) return this.#bytePatience();
    if (!job?.hasSpoken()) return this.#isListening ? this.#bytePatience() : this.#jobPatience();
    if (job.isCancelled() || job.obstacles().length > 0) return this.#bytePatience();
    return this.#isListening && !job.hasBegun() ? beginningLimit : this.#jobPatience();
  }

  #bytePatience(): Duration {
    return bytePatience(this.#deps.stall, { hasTaken: this.#begunAt !== undefined });
  }

  #jobPatience(): Duration {
    return longest(this.#bytePatience(), patienceFor(this.#deps.jobStall, this.#transfer.expected));
  }
}

async function* slices({ envelope, document, isAsked, isTried }: SocketTransfer): AsyncGenerator<Buffer> {
  const head = isAsked ? envelope.head : Buffer.concat([envelope.question, envelope.head]);
  let skip = isTried ? 1 : 0;
  if (head.length > 0) yield head.subarray(skip);
  if (head.length > 0) skip = 0;
  for await (const block of document.read()) {
    for (let at = skip; at < block.length; at += sliceOctets) yield block.subarray(at, at + sliceOctets);
    skip = 0;
  }
}

function unknownEnd(cause: unknown): Problem {
  const { code, message, reasons } = asProblem(
    cause,
    'transfer-broken',
    'the connection to the printer broke',
  );
  return new Problem(code, message, { cause, delivery: 'perhaps', reasons });
}

function nothingSent(cause: unknown): Problem {
  const { code } = asProblem(cause, 'printer-unreachable', 'the connection to the printer broke');
  return new Problem(code, 'the document was not sent', { cause, delivery: 'not-sent' });
}
