/**
 * Sends a document as the second step of a job (Send-Document) or as the only step (Print-Job). If the printer refuses
 * before it touches the document, the document may be sent again, uncompressed or without its name. After the printer
 * took the first octet, it is never sent again (INVARIANTS.md I1).
 */
import type { Clock } from '../../../core/clock.ts';
import { inSeconds } from '../../../core/duration.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { RefusableName } from '../../../domain/ports/printer-memory.ts';
import type { LeftJob, PrinterJob, SendOptions, SpooledDocument } from '../../../domain/ports/printing.ts';
import { isProblem, Problem } from '../../../domain/problem/problem.ts';
import type { JobReport } from '../../../domain/release.ts';
import type { Message } from '../../../ipp/message.ts';
import { attribute } from '../../../ipp/message.ts';
import { boolean, keyword } from '../../../ipp/values.ts';
import { packed } from './compressed-document.ts';
import { transferDocument } from './document-transfer.ts';
import type { IppClient, IppRequest } from '../wire/ipp-client.ts';
import { cannotTell } from './job-follower.ts';
import type { JobLooks } from './job-looks.ts';
import type { JobMaker } from './job-maker.ts';
import { documentNaming, jobNaming } from './job-maker.ts';
import type { IppJobPlan } from './job-plan.ts';
import { lessNamed } from './job-plan.ts';
import type { JobWatch } from './job-watch.ts';
import type { ByteStall, JobStall } from '../../job-patience.ts';
import { bytePatience, patienceFor } from '../../job-patience.ts';

export interface DocumentSender {
  send(job: PrinterJob, plan: IppJobPlan, document: SpooledDocument, options: SendOptions): Promise<void>;
  print(plan: IppJobPlan, document: SpooledDocument, options: SendOptions): Promise<PrinterJob>;
}

export interface DocumentSenderDeps {
  readonly client: IppClient;
  readonly clock: Clock;
  readonly stall: ByteStall;
  readonly jobStall: JobStall;
  readonly watch: JobWatch;
  readonly looks: JobLooks;
  readonly maker: Pick<JobMaker, 'jobIn' | 'leaveOut' | 'whileBusy'>;
  readonly find: (left: LeftJob, options: CallOptions) => Promise<PrinterJob | undefined>;
  /** A printer that lists gzip may still refuse it. */
  readonly onGzipRefused: () => void;
  /** Resolves when the document that a spooler kept of a job that had ended before it came is purged (I4). */
  readonly whenEndedBefore: (job: PrinterJob) => Promise<void> | undefined;
}

export const documentSender = (deps: DocumentSenderDeps): DocumentSender => new PrinterDocumentSender(deps);

class PrinterDocumentSender implements DocumentSender {
  readonly #deps: DocumentSenderDeps;
  /** Refusals after which the same document is not sent again, although the refusal is temporary. */
  readonly #final = new WeakSet<Problem>();

  constructor(deps: DocumentSenderDeps) {
    this.#deps = deps;
  }

  send(job: PrinterJob, plan: IppJobPlan, document: SpooledDocument, options: SendOptions): Promise<void> {
    return this.#whileRefused(plan, options, (tried) => this.#sendOnce(job, tried, document, options));
  }

  print(plan: IppJobPlan, document: SpooledDocument, options: SendOptions): Promise<PrinterJob> {
    return this.#whileRefused(plan, options, (tried) => this.#printOnce(tried, document, options));
  }

  async #sendOnce(
    job: PrinterJob,
    plan: IppJobPlan,
    document: SpooledDocument,
    options: SendOptions,
  ): Promise<void> {
    const { looks } = this.#deps;
    const request = {
      operation: 'Send-Document',
      jobId: job.jobId,
      userName: plan.naming.userName,
      attributes: [...documentNaming(plan), attribute('last-document', boolean(true))],
    } as const;
    try {
      const what = { request, plan, document };
      const answer = await this.#transfer(what, options, (call) => this.#untilEnded(job, options, call));
      const look = answer && looks.note(job, answer);
      if (look && isGivenUp(look)) await this.#lookAtEnded(job, options);
    } catch (error) {
      // The connection may have ended because the printer restarted: the next answer may be about another job with the
      // same id.
      if (isGzipRefusal(error) && plan.compression) return this.#checkUnpacked(job, error, options);
      if (!isProblem(error) || error.delivery === 'perhaps') looks.recordOf(job).marked.lost();
      await this.#checkUntouched(job, error, options);
    }
  }

  /** cupsd accepts the document of a cancelled job, prints nothing, and keeps the document (F7). */
  async #lookAtEnded(job: PrinterJob, call: CallOptions): Promise<void> {
    const { looks, whenEndedBefore } = this.#deps;
    // The follower of the job asks again.
    await looks.look(job, call).catch(() => undefined);
    await whenEndedBefore(job);
  }

  async #printOnce(plan: IppJobPlan, document: SpooledDocument, options: SendOptions): Promise<PrinterJob> {
    const request = {
      operation: 'Print-Job',
      userName: plan.naming.userName,
      attributes: [...jobNaming(plan), ...documentNaming(plan)],
      job: plan.job,
    } as const;
    let isTaken = false;
    try {
      const answer = await this.#transfer({ request, plan, document }, options, (call) => {
        isTaken = true;
        return this.#waitForAnswer(options, call);
      });
      if (!answer) throw new Error('a Print-Job ends with its answer');
      return this.#deps.maker.jobIn(answer, plan);
    } catch (error) {
      if (isProblem(error) && error.delivery === 'answered') return this.#checkUnmade(plan, error, options);
      if (!isTaken || !isProblem(error) || error.delivery !== 'perhaps') throw error;
      throw new Problem('outcome-unknown', 'the printer accepted the document, but did not answer', {
        cause: error,
        delivery: 'perhaps',
      });
    }
  }

  /** Runs `attempt`; if a refusal says what was wrong with the plan, once more with another plan. */
  async #whileRefused<Result>(
    plan: IppJobPlan,
    options: SendOptions,
    attempt: (plan: IppJobPlan) => Promise<Result>,
  ): Promise<Result> {
    const { maker, onGzipRefused } = this.#deps;
    try {
      let repeats = 0;
      const mayRepeat = (refusal: Problem) => !this.#final.has(refusal) && (repeats += 1) <= mostRepeats;
      return await maker.whileBusy(() => attempt(plan), options, mayRepeat);
    } catch (error) {
      const other =
        isProblem(error) &&
        error.delivery === 'answered' &&
        !this.#final.has(error) &&
        otherwise(plan, error);
      if (!other) throw error;
      if (plan.compression && !other.plan.compression) onGzipRefused();
      maker.leaveOut(other.left);
      return this.#whileRefused(other.plan, options, attempt);
    }
  }

  async #transfer(
    { request, plan, document }: { request: IppRequest; plan: IppJobPlan; document: SpooledDocument },
    options: SendOptions,
    meanwhile: (call: CallOptions) => Promise<void>,
  ): Promise<Message | undefined> {
    const { signal, onFirstByte, onProgress } = options;
    const small = plan.compression && (await packed(document, { signal }));
    const compression = small ? [attribute('compression', keyword('gzip'))] : [];
    const attributes = [...(request.attributes ?? []), ...compression];
    return transferDocument(
      this.#deps,
      {
        request: { ...request, attributes },
        document: small ?? document,
        onFirstByte,
        onProgress,
        meanwhile,
      },
      { signal },
    );
  }

  /** While the answer is awaited, the job itself shows whether the printer moves. */
  async #untilEnded(job: PrinterJob, options: SendOptions, call: CallOptions): Promise<void> {
    const { looks, watch, stall } = this.#deps;
    looks.recordOf(job).marked.heard();
    try {
      const { letGo } = await watch.follow(job, {
        ...options,
        ...call,
        incomingStall: bytePatience(stall, { hasTaken: true }),
      });
      if (letGo !== 'not-told') return;
    } catch (error) {
      // The printer's view of the job is no reason to break off a transfer.
      if (!cannotTell(error)) throw error;
    }
    await this.#waitForAnswer(options, call);
  }

  /** Waits until the answer must have come. */
  async #waitForAnswer({ expected, onProgress }: SendOptions, call: CallOptions): Promise<never> {
    const patience = patienceFor(this.#deps.jobStall, expected);
    onProgress?.();
    await this.#deps.clock.sleep(patience, call);
    throw new Problem('printer-stalled', `the printer did not answer for ${inSeconds(patience)} s`);
  }

  /**
   * The printer may have taken the document in spite of the refusal: some that answered busy printed it each time it
   * was sent (https://github.com/apple/cups/issues/4073). So it is sent again only if the job shows that it has no
   * document.
   */
  async #checkUntouched(job: PrinterJob, refusal: unknown, call: CallOptions): Promise<never> {
    if (!isProblem(refusal) || refusal.delivery !== 'answered') throw refusal;
    const look = await this.#deps.looks.look(job, call).catch(() => undefined);
    call.signal.throwIfAborted();
    const awaits = look?.kind === 'seen' ? look.sight.awaitsDocument : undefined;
    const hasEndedSo = look?.kind === 'seen' && isGivenUp(look.sight.report);
    if (awaits === false && !hasEndedSo) throw doubtful(refusal);
    // A clear refusal is decided before the document is read. "Busy" may be about the next document.
    if (awaits === undefined && refusal.code === 'printer-busy') throw doubtful(refusal);
    throw refusal;
  }

  /**
   * The fault was found while the document was read, so pages may have come out. It is sent again, uncompressed, only
   * if the job shows that it has no document. If the job ended before it began, or a counting printer counted nothing,
   * nothing came out. Then another job is needed, which is another release.
   */
  async #checkUnpacked(job: PrinterJob, refusal: Problem, call: CallOptions): Promise<never> {
    this.#deps.onGzipRefused();
    const look = await this.#deps.looks.look(job, call).catch(() => undefined);
    call.signal.throwIfAborted();
    if (look?.kind !== 'seen') throw refusal;
    const { awaitsDocument, report, isUnbegun } = look.sight;
    const isUntouched = isGivenUp(report) && (isUnbegun === true || hasCountedNothing(report));
    if (awaitsDocument !== true && !isUntouched) throw refusal;
    const { code, message, reasons } = refusal;
    const proven = new Problem(code, message, { cause: refusal, delivery: 'answered', reasons });
    if (isUntouched) this.#final.add(proven);
    throw proven;
  }

  /** A refused Print-Job should have made no job. If the printer lists the job's name, it did. */
  async #checkUnmade(plan: IppJobPlan, refusal: Problem, call: CallOptions): Promise<never> {
    const { jobName, naming } = plan;
    const left = { jobName, userName: naming.userName };
    const isUnmade = await this.#deps.find(left, call).then(
      (made) => made === undefined,
      () => false,
    );
    call.signal.throwIfAborted();
    if (!isUnmade) throw doubtful(refusal);
    // No job can show that it has no document, so a document that was sent whole is not sent again.
    if (refusal.code === 'printer-busy') this.#final.add(refusal);
    throw refusal;
  }
}

/** Repeats of a whole document that was refused: some printers refuse a document that they print. */
const mostRepeats = 3;

const doubtful = (refusal: Problem): Problem =>
  new Problem(refusal.code, refusal.message, {
    cause: refusal,
    delivery: 'perhaps',
    reasons: refusal.reasons,
  });

/** Many printers end the job when they refuse. */
const isGivenUp = ({ state }: JobReport): boolean => state === 'aborted' || state === 'canceled';

/** The status for a document with faulty compression (RFC 8011 appendix B.1.4.17). */
const isGzipRefusal = (error: unknown): error is Problem =>
  isProblem(error) && error.reasons[0] === 'client-error-compression-error';

const hasCountedNothing = ({ isProvenCounter, impressionsCompleted, sheetsCompleted }: JobReport): boolean =>
  isProvenCounter === true && (impressionsCompleted ?? 0) === 0 && (sheetsCompleted ?? 0) === 0;

/** Another plan for the same document that the printer may accept; `undefined`: it would refuse again. */
function otherwise(
  plan: IppJobPlan,
  { reasons }: Problem,
): { readonly plan: IppJobPlan; readonly left: readonly RefusableName[] } | undefined {
  if (
    plan.compression &&
    reasons.some((reason) => /^(?:client-error-)?compression(?:-not-supported|-error)?$/.test(reason))
  ) {
    const { compression: _, ...unpacked } = plan;
    return { plan: unpacked, left: [] };
  }
  const less = lessNamed(plan.naming, reasons);
  return less && { plan: { ...plan, naming: less.naming }, left: less.left };
}
