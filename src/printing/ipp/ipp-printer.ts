/**
 * The port JobPrinter over IPP (RFC 8011, over RFC 8010). Puts the pieces of this folder in the order of a release; it
 * waits for busy printers, and never repeats a request whose effect is in doubt.
 */
import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import type { OutputType } from '../../domain/output-port.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { JobPrinter, PrinterJob, SpooledDocument } from '../../domain/ports/printing.ts';
import { isProblem, Problem } from '../../domain/problem.ts';
import type { Ticket } from '../../domain/release.ts';
import type { Attribute, Message } from '../../ipp/message.ts';
import { attribute, group, integer, string } from '../../ipp/message.ts';
import { boolean, keyword, mimeMediaType, nameWithoutLanguage } from '../../ipp/values.ts';
import type { PageHandling } from '../conversion/conversion-plan.ts';
import { asTheyCome } from '../conversion/conversion-plan.ts';
import { isWorthPacking, packed } from './compressed-document.ts';
import { transferDocument } from './document-transfer.ts';
import { ippAddress } from './ipp-address.ts';
import { agentName } from './ipp-client.ts';
import type { PrinterAccess } from './ipp-session.ts';
import { ippSession } from './ipp-session.ts';
import type { IppJobPlan } from './job-plan.ts';
import { planJob } from './job-plan.ts';
import { sweepJobs } from './job-sweep.ts';
import { printersJob, releaseIn } from './job-sight.ts';
import { jobWatch } from './job-watch.ts';
import type { PrinterAttributes } from './printer-attributes.ts';
import { printerAttributes, requestedAttributes } from './printer-attributes.ts';
import { printerIdentity, requestedOfIdentity } from './printer-identity.ts';
import { queueAttributes, requestedOfQueue } from './queue-attributes.ts';
import { agreed, unsupportedNames } from './refusal.ts';
import { spooledJob } from './spooled-job.ts';
import type { Trust } from './system-trust.ts';
import { busyLimit, busyPause, silentLimit, validationHolds } from '../timings.ts';

export interface IppPrinterOptions {
  /** `ipp://`, `ipps://`, `cups:QUEUE` or `cups://host/QUEUE`. */
  readonly uri: string;
  readonly outputType: OutputType;
  /** What the output port asks of the pages at each moment; absent: nothing. */
  readonly handling?: PageHandling;
  /** `stallSeconds` of the configuration. */
  readonly stall: Duration;
  readonly clock: Clock;
  readonly log: Log;
  readonly trust: Trust;
  /** Absent: only authorities are believed, nobody is recognised, and nobody logged in to. */
  readonly access?: PrinterAccess;
  /** Name lookup; the system's unless said (reliability.md D9). */
  readonly lookup?: LookupFunction;
  /** Where the CUPS of this computer listens, besides port 631. */
  readonly cupsSocket?: string;
}

const usualCupsSocket = '/run/cups/cups.sock';

/** Throws `config-invalid` for an address that is none. Disposing closes the connections and ends what is under way. */
export function createIppPrinter(options: IppPrinterOptions): JobPrinter & AsyncDisposable {
  const { uri, outputType, stall, clock, log, trust, access, lookup, cupsSocket = usualCupsSocket } = options;
  const address = ippAddress(uri);
  const { queue } = address;
  const handling = options.handling ?? asTheyCome;
  const session = ippSession({
    ...{ address, trust, access, lookup, clock, log },
    socketPath: queue && queue.server === undefined ? cupsSocket : undefined,
  });
  const { client, acquaintance } = session;
  // A job belongs to the name it was created under; the ledger does not keep that name, this object does.
  const userNames = new WeakMap<PrinterJob, string>();
  let refusedGzip = false;
  let validated: { readonly likeness: string; readonly at: number } | undefined;
  const userOf = (job: PrinterJob) => userNames.get(job) ?? agentName;
  const obstacles = async (call: CallOptions) => (await describe(call)).obstacles;
  const reading = queue ? spooledJob : printersJob;
  const watch = jobWatch({ client, clock, log, stall, userOf, obstacles, reading });

  async function describe(call: CallOptions): Promise<PrinterAttributes> {
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

  async function prepareNow(
    ticket: Ticket,
    document: SpooledDocument,
    call: CallOptions,
  ): Promise<IppJobPlan> {
    const printer = await describe(call);
    checkReady(printer);
    const plan = planJob(ticket, document, printer, { outputType, handling });
    const compression = mayPack(plan, printer) ? ({ compression: 'gzip' } as const) : {};
    if (!printer.can('Validate-Job') || isValidated(plan)) return { ...plan, ...compression };
    // Nothing is said of compression here: printers made like ippeveprinter would wait for packed octets.
    const request = {
      operation: 'Validate-Job',
      userName: plan.userName,
      attributes: [...jobNaming(plan), ...documentNaming(plan)],
      job: plan.job,
    } as const;
    if (ignoresCopies(agreed(await client.ask(request, call)), plan)) throw tooFewCopies();
    validated = { likeness: likenessOf(plan), at: clock.monotonic() };
    return { ...plan, ...compression };
  }

  /** The documents of a batch are much alike; Create-Job may still refuse what Validate-Job took a moment ago. */
  const isValidated = (plan: IppJobPlan): boolean =>
    validated !== undefined &&
    clock.monotonic() - validated.at < validationHolds &&
    validated.likeness === likenessOf(plan);

  const mayPack = ({ format }: IppJobPlan, { capabilities }: PrinterAttributes): boolean =>
    !queue && !refusedGzip && isWorthPacking(format) && capabilities?.compression.includes('gzip') === true;

  async function createNow(plan: IppJobPlan, call: CallOptions): Promise<PrinterJob> {
    const { userName, jobName, job: attributes } = plan;
    const request = {
      operation: 'Create-Job',
      userName,
      attributes: jobNaming(plan),
      job: attributes,
    } as const;
    const answer = agreed(await client.ask(request, call));
    const created = group(answer, 'job-attributes');
    const jobId = integer(created, 'job-id');
    if (jobId === undefined) {
      throw new Problem('printer-protocol', 'the printer created a job without a job-id', {
        delivery: 'perhaps',
      });
    }
    const job: PrinterJob = { jobId, jobUri: string(created, 'job-uri') ?? uri, jobName };
    userNames.set(job, userName);
    if (ignoresCopies(answer, plan)) {
      await watch.cancel(job, call);
      throw tooFewCopies();
    }
    return job;
  }

  /** A clear "busy" is waited out; everything else is the caller's. */
  async function whileBusy<Result>(attempt: () => Promise<Result>, { signal }: CallOptions): Promise<Result> {
    const end = clock.monotonic() + busyLimit;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const isOver = clock.monotonic() + busyPause > end;
        if (isOver || !isProblem(error, 'printer-busy') || error.delivery === 'perhaps') throw error;
      }
      await clock.sleep(busyPause, { signal });
    }
  }

  /** Tells the operator what the printer will not do as asked. */
  function ignoresCopies(answer: Message, { jobName }: IppJobPlan): boolean {
    const ignored = unsupportedNames(answer);
    const facts = { printer: uri, release: releaseIn(jobName), attributes: ignored };
    if (ignored.length > 0) log.warn('printer ignores job attributes', facts);
    return ignored.includes('copies');
  }

  return {
    kind: 'jobs',
    uri,
    confirms: queue ? 'spooler' : 'device',
    describe,
    prepare: (ticket, document, call) => whileBusy(() => prepareNow(ticket, document, call), call),
    createJob: (plan: IppJobPlan, call) => whileBusy(() => createNow(plan, call), call),
    sweep: (jobName, call) => sweepJobs({ client, clock }, jobName, call),
    async send(job, plan: IppJobPlan, document, { signal, onFirstByte, onProgress, onPages }) {
      const small = plan.compression && (await packed(document, { signal }));
      const compression = small && plan.compression;
      const tells = { onFirstByte, onProgress, onPages };
      const transfer = { job, plan, document: small ?? document, compression, ...tells };
      try {
        await transferDocument({ client, watch, clock, stall }, transfer, { signal });
      } catch (error) {
        // What is listed is not always taken.
        if (compression && isProblem(error) && refusesCompression(error)) refusedGzip = true;
        throw error;
      }
    },
    follow: (job, call) => watch.follow(job, silentLimit, call),
    cancel: (job, call) => watch.cancel(job, call),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** The same for plans that a printer judges alike; holds nobody's name. */
const likenessOf = ({ userName, format, job }: IppJobPlan): string =>
  createHash('sha256')
    .update(JSON.stringify([userName, format, job]))
    .digest('base64');

function checkReady(printer: PrinterAttributes): void {
  const { obstacles, state } = printer;
  if (obstacles.length > 0) {
    // A spooler is just calling the printer behind it: in a moment it will be known whether that answers.
    const isCalling = obstacles.every((reason) => reason.startsWith('connecting-to-device'));
    throw new Problem(
      isCalling ? 'printer-busy' : 'printer-not-ready',
      `the printer is ${state} and needs attention`,
      { reasons: obstacles },
    );
  }
  if (!printer.acceptingJobs) throw new Problem('printer-busy', 'the printer accepts no jobs at the moment');
  if (!printer.can('Create-Job') || !printer.can('Send-Document')) {
    throw new Problem('printer-refused-job', 'the printer has no Create-Job and Send-Document');
  }
}

const tooFewCopies = () =>
  new Problem('printer-refused-job', 'the printer would not make the copies asked for', {
    reasons: ['copies'],
  });

const jobNaming = (plan: IppJobPlan): readonly Attribute[] => [
  attribute('job-name', nameWithoutLanguage(plan.jobName)),
  attribute('ipp-attribute-fidelity', boolean(false)),
];

const documentNaming = (plan: IppJobPlan): readonly Attribute[] => [
  attribute('document-name', nameWithoutLanguage(plan.documentName)),
  attribute('document-format', mimeMediaType(plan.format)),
];

const refusesCompression = ({ reasons }: Problem): boolean =>
  reasons.includes('compression') || reasons.includes('client-error-compression-not-supported');
