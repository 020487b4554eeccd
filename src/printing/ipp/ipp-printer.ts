/**
 * The port JobPrinter over IPP (RFC 8011, over RFC 8010). It puts the parts of this folder in the order of a release:
 * `job-maker.ts` before the document, `document-sender.ts` for the document, and `job-watch.ts` for the job's end.
 */
import type { LookupFunction } from 'node:net';
import type { Env } from '../../domain/env.ts';
import type { OutputType } from '../../domain/output-port.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { PrinterDescription } from '../../domain/ports/printer-description.ts';
import type {
  FollowOptions,
  JobPrinter,
  LeftJob,
  LookOptions,
  PrinterJob,
  SendOptions,
  SpooledDocument,
  WaitingOptions,
} from '../../domain/ports/printing.ts';
import { isOfPacking } from '../../domain/printer/job-verdict.ts';
import type { SpoolerQueue } from '../../domain/printer/spooler-queue.ts';
import { asQueue } from '../../domain/printer/spooler-queue.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { JobReport, Ticket } from '../../domain/release.ts';
import { attribute } from '../../ipp/message.ts';
import { keyword } from '../../ipp/values.ts';
import type { PageHandling } from '../conversion/conversion-plan.ts';
import { asTheyCome } from '../conversion/conversion-plan.ts';
import type { DocumentSender } from './job/document-sender.ts';
import { documentSender } from './job/document-sender.ts';
import { ippAddress } from './wire/ipp-address.ts';
import type { IppSession, PrinterAccess } from './ipp-session.ts';
import { ippSession } from './ipp-session.ts';
import type { JobLooks } from './job/job-looks.ts';
import { jobLooks } from './job/job-looks.ts';
import type { JobMaker } from './job/job-maker.ts';
import { jobMaker } from './job/job-maker.ts';
import type { IppJobPlan } from './job/job-plan.ts';
import { jobQuestions } from './job/job-questions.ts';
import { printersJob } from './job/job-sight.ts';
import { findJob, sweepJobs } from './job/job-sweep.ts';
import type { JobWatch } from './job/job-watch.ts';
import { jobWatch } from './job/job-watch.ts';
import type { PrinterAttributes } from './printer/printer-attributes.ts';
import { printerAttributes, requestedAttributes, whereAJobStands } from './printer/printer-attributes.ts';
import type { Contact } from './job/printer-contact.ts';
import { unfitness } from './printer/printer-fitness.ts';
import { RecentLook } from './printer/recent-look.ts';
import { printerIdentity, requestedOfIdentity } from './wire/printer-identity.ts';
import { queueAtPrinter, queueAttributes, requestedOfQueue } from './queue/queue-attributes.ts';
import { ofThePrinter } from './wire/refusal.ts';
import type { SpoolerVigil } from './queue/spooler-vigil.ts';
import { spoolerVigil } from './queue/spooler-vigil.ts';
import type { Trust } from './system-trust.ts';
import type { ByteStall, JobStall } from '../job-patience.ts';

export interface IppPrinterDeps extends Pick<Env, 'clock' | 'log'> {
  /** `ipp://`, `ipps://`, `cups:QUEUE`, `cups://host/QUEUE` or `cupss://host/QUEUE`. */
  readonly uri: string;
  readonly outputType: OutputType;
  /** Page handling that the output port asks for at each moment; absent: none. */
  readonly handling?: PageHandling;
  /** `stallSeconds` of the configuration. */
  readonly stall: ByteStall;
  /** `jobStallSeconds`; `auto` unless said. */
  readonly jobStall?: JobStall;
  readonly trust: Trust;
  /** If absent, only certificate authorities are trusted, no printer is recognised, and there is no login. */
  readonly access?: PrinterAccess;
  /** Name look-up; the system's unless set (INVARIANTS.md D9). */
  readonly lookup?: LookupFunction;
  /** Called when the printer falls silent while it has a job of ours, and when it answers again. */
  readonly onContact?: (contact: Contact) => void;
  /** Where the CUPS of this computer listens, besides port 631. */
  readonly cupsSocket?: string;
}

const usualCupsSocket = '/run/cups/cups.sock';

/** Throws `config-invalid` for an invalid address. Disposing closes the connections and ends requests under way. */
export const createIppPrinter = (deps: IppPrinterDeps): JobPrinter & AsyncDisposable => new IppPrinter(deps);

class IppPrinter implements JobPrinter, AsyncDisposable {
  readonly kind = 'jobs';
  readonly uri: string;
  readonly confirms: JobPrinter['confirms'];
  readonly #deps: IppPrinterDeps;
  readonly #queue: SpoolerQueue | undefined;
  readonly #session: IppSession;
  readonly #vigil: SpoolerVigil | undefined;
  readonly #looks: JobLooks;
  readonly #watch: JobWatch;
  readonly #maker: JobMaker;
  readonly #sender: DocumentSender;
  readonly #recent: RecentLook;
  #hasStandingJob = false;
  /** printer-state-reasons when the printer was last idle. */
  #namedAtRest: readonly string[] = [];
  #remarks = '';

  constructor(deps: IppPrinterDeps) {
    const { uri, outputType, stall, jobStall = 'auto', clock, log, trust, access, lookup } = deps;
    const { cupsSocket = usualCupsSocket, handling = asTheyCome } = deps;
    const address = ippAddress(uri);
    const { queue } = address;
    const socketPath = queue && queue.server === undefined ? cupsSocket : undefined;
    const describe = (call: WaitingOptions) => this.#attributes(call);
    this.#recent = new RecentLook(clock);
    this.uri = uri;
    this.confirms = queue ? 'spooler' : 'device';
    this.#deps = deps;
    this.#queue = queue;
    this.#session = ippSession({ address, trust, access, lookup, socketPath, clock, log });
    const { client, acquaintance } = this.#session;
    const vigil = queue && spoolerVigil({ place: { address, socketPath, lookup }, client, clock, log });
    const looks = jobLooks({
      client,
      clock,
      reading: vigil?.reading ?? printersJob,
      ...(vigil ? { hasStayed: (job) => vigil.hasStayed(job) } : { habits: acquaintance }),
    });
    const watch = jobWatch({
      client,
      looks,
      clock,
      log,
      stall: jobStall,
      lookAtPrinter: (call) => this.#look(call),
      namedAtRest: () => this.#namedAtRest,
      onContact: (contact) => this.#heard(contact),
    });
    const maker = jobMaker({
      uri,
      client,
      acquaintance,
      watch,
      looks,
      clock,
      log,
      outputType,
      handling,
      describe,
      recent: this.#recent,
      mayPack: () => !queue && acquaintance.habits().refusesGzip !== true,
      onJob: (job) => vigil?.begin(job),
    });
    this.#sender = documentSender({
      client,
      clock,
      stall,
      jobStall,
      watch,
      looks,
      maker,
      find: (left, call) => this.find(left, call),
      onGzipRefused: () => this.#noteGzipRefused(),
      whenEndedBefore: (job) => vigil?.cleared(job),
    });
    this.#vigil = vigil;
    this.#looks = looks;
    this.#watch = watch;
    this.#maker = maker;
  }

  async describe({ alsoAboutJobs = false, signal, onWait }: LookOptions): Promise<PrinterDescription> {
    const printer = await this.#attributes({ signal, onWait });
    const unfit = unfitness(printer, this.#deps.outputType);
    const fit = unfit ? { ...printer, unfit, ready: false } : printer;
    return alsoAboutJobs
      ? { ...fit, jobQuestions: await jobQuestions(this.#session.client, { signal }) }
      : fit;
  }

  lookAhead(call: CallOptions): void {
    if (!this.#vigil) this.#maker.lookAhead(call);
  }

  async prepare(ticket: Ticket, document: SpooledDocument, call: WaitingOptions): Promise<IppJobPlan> {
    await this.#vigil?.settled(call);
    return this.#maker.prepare(ticket, document, call);
  }

  async createJob(plan: IppJobPlan, call: WaitingOptions): Promise<PrinterJob> {
    await this.#vigil?.settled(call);
    return this.#recent.unlessItFails(this.#maker.createJob(plan, call));
  }

  send(job: PrinterJob, plan: IppJobPlan, document: SpooledDocument, call: SendOptions): Promise<void> {
    const sent = this.#guarded(job, call, (inTime) => this.#sender.send(job, plan, document, inTime));
    return this.#recent.unlessItFails(sent);
  }

  print(plan: IppJobPlan, document: SpooledDocument, call: SendOptions): Promise<PrinterJob> {
    return this.#recent.unlessItFails(this.#sender.print(plan, document, call));
  }

  async follow(job: PrinterJob, call: FollowOptions): Promise<JobReport> {
    const followed = this.#guarded(job, call, (inTime) => this.#watch.follow(job, inTime));
    const report = await this.#recent.unlessItFails(followed);
    this.#recent.judge(report);
    if (isOfPacking(report.reasons)) this.#noteGzipRefused();
    return report;
  }

  async cancel(job: PrinterJob, call: CallOptions): Promise<JobReport | undefined> {
    this.#recent.forget();
    try {
      if (this.#vigil?.doubts(job)) return undefined;
      return await this.#guarded(job, call, (inTime) => this.#watch.cancel(job, inTime));
    } catch (error) {
      call.signal.throwIfAborted();
      if (isProblem(error, 'outcome-unknown')) return undefined;
      throw error;
    } finally {
      this.#vigil?.dismiss(job);
    }
  }

  sweep(left: LeftJob, call: CallOptions): Promise<void> {
    return sweepJobs({ client: this.#session.client, clock: this.#deps.clock }, left, call);
  }

  find(left: LeftJob, call: CallOptions): Promise<PrinterJob | undefined> {
    return findJob({ client: this.#session.client, clock: this.#deps.clock }, left, call);
  }

  marked(job: PrinterJob): PrinterJob {
    return { ...job, marks: this.#looks.recordOf(job).marked.marks() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#vigil?.[Symbol.dispose]();
    await this.#session[Symbol.asyncDispose]();
  }

  #heard(contact: Contact): void {
    if (contact === 'stands' || contact === 'goes-on') this.#hasStandingJob = contact === 'stands';
    this.#deps.onContact?.(contact);
  }

  /** The printer's attributes as they count for a new document. */
  async #attributes(call: WaitingOptions): Promise<PrinterAttributes> {
    const printer = await this.#look(call);
    if (!this.#hasStandingJob) return printer;
    const readiness = whereAJobStands(printer);
    return { ...printer, ...readiness, ready: printer.ready && readiness.obstacles.length === 0 };
  }

  async #look(call: WaitingOptions): Promise<PrinterAttributes> {
    const queue = this.#queue;
    const { client, acquaintance } = this.#session;
    const mayBeQueue = queue !== undefined || asQueue(this.uri) !== undefined;
    const names = new Set([
      ...requestedAttributes,
      ...(queue ? [] : requestedOfIdentity),
      ...(mayBeQueue ? requestedOfQueue : []),
    ]);
    const wanted = attribute('requested-attributes', ...[...names].map(keyword));
    const request = { operation: 'Get-Printer-Attributes', attributes: [wanted] } as const;
    const answer = await client.ask(request, call);
    const printer = queue
      ? queueAttributes(answer, queue)
      : printerAttributes(ofThePrinter(answer, this.uri));
    // A queue stays the same with any printer behind it; only the spooler knows the printer.
    const identity = queue ? undefined : printerIdentity(answer);
    if (identity) acquaintance.recognise(identity);
    client.speak(printer.versions);
    if (printer.state === 'idle') this.#namedAtRest = printer.said;
    this.#tellRemarks(printer);
    const certificate = acquaintance.certificate();
    const { serialNumber } = identity ?? {};
    const misnamed = queue ? undefined : queueAtPrinter(answer, this.uri);
    return {
      ...printer,
      ...(certificate ? { certificate } : {}),
      ...(serialNumber ? { serialNumber } : {}),
      ...(misnamed ? { queue: misnamed } : {}),
    };
  }

  #tellRemarks({ ready, remarks: reasons }: PrinterAttributes): void {
    const remarks = ready ? reasons.join() : '';
    if (remarks !== '' && remarks !== this.#remarks) {
      this.#deps.log.info('printer prints in spite of its reasons', { printer: this.uri, reasons });
    }
    this.#remarks = remarks;
  }

  #noteGzipRefused(): void {
    const { acquaintance } = this.#session;
    if (this.#queue || acquaintance.habits().refusesGzip) return;
    this.#deps.log.info('printer refuses gzip', { printer: this.uri });
    try {
      acquaintance.learn({ refusesGzip: true });
    } catch {
      // It stays known until the next start. Another place reports a memory that cannot be written.
    }
  }

  /** While a spooler has a job, the spooler itself is watched. */
  #guarded<Result, Call extends CallOptions>(
    job: PrinterJob,
    call: Call,
    action: (call: Call) => Promise<Result>,
  ): Promise<Result> {
    return this.#vigil ? this.#vigil.during(job, call, action) : action(call);
  }
}
