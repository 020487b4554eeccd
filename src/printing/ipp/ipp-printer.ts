/**
 * The port JobPrinter over IPP (RFC 8011, over RFC 8010). Puts the pieces of this folder in the order of a release:
 * what goes before the document is `job-maker.ts`, the document `document-sender.ts`, the job's end `job-watch.ts`.
 */
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import type { OutputType } from '../../domain/output-port.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { JobPrinter, PrinterJob, WaitingOptions } from '../../domain/ports/printing.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { JobReport } from '../../domain/release.ts';
import { attribute } from '../../ipp/message.ts';
import { keyword } from '../../ipp/values.ts';
import type { PageHandling } from '../conversion/conversion-plan.ts';
import { asTheyCome } from '../conversion/conversion-plan.ts';
import { documentSender } from './job/document-sender.ts';
import { ippAddress } from './wire/ipp-address.ts';
import type { PrinterAccess } from './ipp-session.ts';
import { ippSession } from './ipp-session.ts';
import { jobLooks } from './job/job-looks.ts';
import { jobMaker } from './job/job-maker.ts';
import type { IppJobPlan } from './job/job-plan.ts';
import { jobQuestions } from './job/job-questions.ts';
import { printersJob } from './job/job-sight.ts';
import { findJob, sweepJobs } from './job/job-sweep.ts';
import { jobWatch } from './job/job-watch.ts';
import type { PrinterAttributes } from './printer/printer-attributes.ts';
import { printerAttributes, requestedAttributes } from './printer/printer-attributes.ts';
import type { Contact } from './job/printer-contact.ts';
import { unfitness } from './printer/printer-fitness.ts';
import { printerIdentity, requestedOfIdentity } from './wire/printer-identity.ts';
import { queueAttributes, requestedOfQueue } from './queue/queue-attributes.ts';
import { agreed } from './wire/refusal.ts';
import { spoolerVigil } from './queue/spooler-vigil.ts';
import type { Trust } from './system-trust.ts';
import type { JobStall } from '../job-patience.ts';

export interface IppPrinterOptions {
  /** `ipp://`, `ipps://`, `cups:QUEUE` or `cups://host/QUEUE`. */
  readonly uri: string;
  readonly outputType: OutputType;
  /** What the output port asks of the pages at each moment; absent: nothing. */
  readonly handling?: PageHandling;
  /** `stallSeconds` of the configuration. */
  readonly stall: Duration;
  /** `jobStallSeconds`; `auto` unless said. */
  readonly jobStall?: JobStall;
  readonly clock: Clock;
  readonly log: Log;
  readonly trust: Trust;
  /** Absent: only authorities are believed, nobody is recognised, and nobody logged in to. */
  readonly access?: PrinterAccess;
  /** Name lookup; the system's unless said (reliability.md D9). */
  readonly lookup?: LookupFunction;
  /** It fell silent while it had a job of ours, or is heard again. */
  readonly onContact?: (contact: Contact) => void;
  /** Where the CUPS of this computer listens, besides port 631. */
  readonly cupsSocket?: string;
}

const usualCupsSocket = '/run/cups/cups.sock';

/** Throws `config-invalid` for an address that is none. Disposing closes the connections and ends what is under way. */
export function createIppPrinter(options: IppPrinterOptions): JobPrinter & AsyncDisposable {
  const { uri, outputType, stall, jobStall = 'auto', clock, log, trust, access, lookup } = options;
  const { cupsSocket = usualCupsSocket, handling = asTheyCome } = options;
  const address = ippAddress(uri);
  const { queue } = address;
  const socketPath = queue && queue.server === undefined ? cupsSocket : undefined;
  const session = ippSession({ address, trust, access, lookup, socketPath, clock, log });
  const { client, acquaintance } = session;
  let refusedGzip = false;
  const vigil = queue && spoolerVigil({ place: { address, socketPath, lookup }, client, clock, log });
  const looks = jobLooks({
    ...{ client, clock, reading: vigil?.reading ?? printersJob },
    ...(vigil ? { hasStayed: vigil.hasStayed } : { habits: acquaintance }),
  });
  const watch = jobWatch({
    ...{ client, looks, clock, log, stall: jobStall, lookAtPrinter: describe },
    onContact: options.onContact,
  });
  const maker = jobMaker({
    ...{ uri, client, acquaintance, watch, looks, clock, log, outputType, handling, describe },
    mayPack: () => !queue && !refusedGzip,
    onJob: (job) => vigil?.begin(job),
  });
  const sender = documentSender({
    ...{ client, clock, stall, jobStall, watch, looks, maker },
    find: (left, call) => findJob({ client, clock }, left, call),
    onGzipRefused: () => {
      refusedGzip = true;
    },
  });

  async function describe(call: WaitingOptions): Promise<PrinterAttributes> {
    const names = [...new Set([...requestedAttributes, ...(queue ? requestedOfQueue : requestedOfIdentity)])];
    const wanted = attribute('requested-attributes', ...names.map(keyword));
    const request = { operation: 'Get-Printer-Attributes', attributes: [wanted] } as const;
    const answer = await client.ask(request, call);
    const printer = queue ? queueAttributes(answer, queue) : printerAttributes(agreed(answer));
    // A queue stays the same whatever printer is behind it: that is the spooler's to know.
    if (!queue) acquaintance.recognise(printerIdentity(answer));
    client.speak(printer.versions);
    const certificate = acquaintance.certificate();
    return certificate ? { ...printer, certificate } : printer;
  }

  /** While a job is with a spooler, the spooler itself is watched. */
  const guarded = <Result, Call extends CallOptions>(
    job: PrinterJob,
    call: Call,
    action: (call: Call) => Promise<Result>,
  ): Promise<Result> => (vigil ? vigil.during(job, call, action) : action(call));

  async function cancel(job: PrinterJob, call: CallOptions): Promise<JobReport | undefined> {
    try {
      return vigil?.doubts(job) ? undefined : await guarded(job, call, (inTime) => watch.cancel(job, inTime));
    } catch (error) {
      call.signal.throwIfAborted();
      if (isProblem(error, 'outcome-unknown')) return undefined;
      throw error;
    } finally {
      vigil?.dismiss(job);
    }
  }

  function marked(job: PrinterJob): PrinterJob {
    return { ...job, marks: looks.recordOf(job).marked.marks() };
  }

  return {
    kind: 'jobs',
    uri,
    confirms: queue ? 'spooler' : 'device',
    async describe({ alsoAboutJobs = false, signal, onWait }) {
      const printer = await describe({ signal, onWait });
      const unfit = unfitness(printer, outputType);
      const fit = unfit ? { ...printer, unfit, ready: false } : printer;
      return alsoAboutJobs ? { ...fit, jobQuestions: await jobQuestions(client, { signal }) } : fit;
    },
    async prepare(ticket, document, call) {
      await vigil?.settled(call);
      return maker.prepare(ticket, document, call);
    },
    async createJob(plan: IppJobPlan, call) {
      await vigil?.settled(call);
      return maker.createJob(plan, call);
    },
    sweep: (left, call) => sweepJobs({ client, clock }, left, call),
    send: (job, plan: IppJobPlan, document, call) =>
      guarded(job, call, (inTime) => sender.send(job, plan, document, inTime)),
    print: (plan: IppJobPlan, document, call) => sender.print(plan, document, call),
    find: (left, call) => findJob({ client, clock }, left, call),
    marked,
    follow: (job, call) => guarded(job, call, (inTime) => watch.follow(job, inTime)),
    cancel,
    async [Symbol.asyncDispose]() {
      vigil?.[Symbol.dispose]();
      await session[Symbol.asyncDispose]();
    },
  };
}
