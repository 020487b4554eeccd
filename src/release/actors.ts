/**
 * What the release machine's calls are in the world: printer, spool, cloud and ledger, each with its stage measured.
 * Order and decisions are in `release.ts`; nothing here repeats a call.
 */
import { fromPromise } from 'xstate';
import type { Clock } from '../core/clock.ts';
import { isoWithOffset } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds } from '../core/duration.ts';
import { isBeyondLimits } from '../domain/document.ts';
import { historyOf } from '../domain/history.ts';
import type { Ledger } from '../domain/ports/ledger.ts';
import type {
  Converter,
  JobPrinter,
  Printer,
  PrinterWait,
  Spool,
  SpooledDocument,
} from '../domain/ports/printing.ts';
import type { Balance, Documents } from '../domain/ports/service.ts';
import { Problem } from '../domain/problem/problem.ts';
import type { Confirmation, DeliveryMode, EndState, FinishMode } from '../domain/release.ts';
import { jobName, judgeDelivery, outcomeOf } from '../domain/release.ts';
import type { ServiceTime } from '../domain/service-time.ts';
import { knownTimeNow } from '../domain/service-time.ts';
import { documentSource } from './document-source.ts';
import type { ReleaseContext } from './setup.ts';
import type { ReleaseTrace } from './trace.ts';
import type { releaseMachine } from './machine.ts';

/** The stages of `platen_release_stage_seconds` that belong to a release. */
export type ReleaseStage = 'balance' | 'download' | 'convert' | 'first_byte' | 'printed';

export interface ReleaseWorld {
  /** Asked for at each step: it may have moved since the last release. */
  printer(): Printer;
  readonly spool: Spool;
  readonly converter: Converter;
  readonly documents: Documents;
  readonly balance: Balance;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly serviceTime: ServiceTime;
  readonly serialNumber: string;
  readonly delivery: DeliveryMode;
  readonly finish: FinishMode;
  /** What was taken on without being confirmed counts as unknown. */
  readonly requireConfirmation: boolean;
  /** How long the history of an unknown outcome waits for evidence before it is posted. */
  readonly unknownHold: Duration;
  /** Whether a large document flows to a printer that takes jobs before all of it is here. */
  readonly cutThrough: 'auto' | 'off';
  /** A download broke off while its document was on its way to the printer, and goes on. */
  onResume(releaseId: string, problem: Problem): void;
  onStage(stage: ReleaseStage, span: Duration): void;
}

/** What is heard on the way of one release. */
export interface ReleaseEar {
  /** Octets came or went, or a page was counted. */
  onProgress(): void;
  /** See `PrintingOptions`. */
  onPages(impressions: number): void;
  /** The printer holds the job until somebody mends it. */
  onStanding(): void;
  /** What the printer keeps the document waiting by, before it takes it. */
  onWait(wait: PrinterWait): void;
}

export function releaseActors(world: ReleaseWorld, ear: ReleaseEar, trace: ReleaseTrace) {
  const { spool, documents, balance, ledger, clock } = world;
  const { onProgress, onWait } = ear;
  const begun = clock.monotonic();
  const stage = (name: ReleaseStage, since: number) =>
    world.onStage(name, milliseconds(clock.monotonic() - since));
  /** The last durable intent, and the moment from which the printer is waited for; monotonic milliseconds. */
  let intendedAt = begun;
  let outAt: number | undefined;

  async function measured<Result>(name: 'balance' | 'convert', call: () => Promise<Result>): Promise<Result> {
    const since = clock.monotonic();
    const result = await trace.measured(name, call);
    stage(name, since);
    return result;
  }

  async function sent<Result>(send: (onFirstByte: () => void) => Promise<Result>): Promise<Result> {
    let since = clock.monotonic();
    try {
      return await send(() => {
        stage('first_byte', begun);
        trace.ended('first_byte', intendedAt);
        since = clock.monotonic();
      });
    } finally {
      trace.ended('sent', since);
      outAt = clock.monotonic();
    }
  }

  /** As it came from the service. */
  let incoming: SpooledDocument | undefined;
  let isFetched = false;
  /** Once, if the document is whole; one that flows to the printer while it comes in is told with `sent`. */
  function recordFetched(releaseId: string): void {
    const facts = factsOf(incoming);
    if (isFetched || facts === undefined) return;
    ledger.fetched(releaseId, facts);
    isFetched = true;
  }

  return {
    recordPlan: fromPromise(async ({ input: { ticket } }) => {
      if (isBeyondLimits(ticket.document)) {
        throw new Problem('document-beyond-limits', 'more copies or pages than one release may have');
      }
      ledger.plan({
        ticket,
        jobName: jobName(ticket.document.name, ticket.releaseId),
        ...(ticket.again === undefined ? {} : { again: ticket.again }),
        history: historyOf({
          document: ticket.document,
          user: ticket.user,
          monochrome: ticket.monochrome,
          serialNumber: world.serialNumber,
          dateTime: isoWithOffset(knownTimeNow(clock, world.serviceTime)),
        }),
      });
    }),
    checkBalance: fromPromise(({ input: { ticket }, signal }) =>
      measured('balance', async () => {
        const clearance = await balance.check(ticket, { signal });
        return { at: clock.monotonic(), isCharged: clearance !== 'not-charged' };
      }),
    ),
    lookAgain: fromPromise(({ input: { ticket }, signal }) =>
      documents.requireReady(ticket.document.uuid, ticket.token, { signal }),
    ),
    recordServiceIntent: fromPromise(async ({ input: { releaseId } }) =>
      ledger.intendByService(releaseId, world.serialNumber),
    ),
    deliver: fromPromise(async ({ input: { ticket }, signal }) => {
      await trace.measured('delivery', () =>
        documents.deliver(
          ticket.document.uuid,
          { port: world.serialNumber, retain: world.finish === 'keep', changed: ticket.changed },
          ticket.token,
          { signal },
        ),
      );
      outAt = clock.monotonic();
    }),
    lookAtDelivery: fromPromise(async ({ input: { ticket }, signal }) =>
      judgeDelivery(await documents.statusOf(ticket.document.uuid, ticket.token, { signal })),
    ),
    recordRefusal: fromPromise(async ({ input: { releaseId } }) => ledger.refusedByService(releaseId)),
    download: fromPromise(async ({ input: { ticket }, signal }) => {
      const since = clock.monotonic();
      const { releaseId } = ticket;
      const onResume = (problem: Problem) => world.onResume(releaseId, problem);
      const source = documentSource({ documents, ticket, clock, onResume });
      const flows = world.cutThrough === 'auto' && world.printer().kind === 'jobs';
      const document = flows
        ? await spool.receive(source, { signal, onProgress })
        : await spool.store(await source.begin({ signal }), { signal, onProgress });
      putAwayIf(signal, document);
      incoming = document;
      try {
        recordFetched(releaseId);
      } catch (error) {
        document[Symbol.dispose]();
        throw error;
      }
      // The stage ends with the last byte. A document that never comes whole has none in the metrics.
      trace
        .measured('download', () => document.whole(new AbortController()), since)
        .then(
          () => stage('download', since),
          () => undefined,
        );
      return document;
    }),
    watchDocument: fromPromise(async ({ input: { document }, signal }) => document?.whole({ signal })),
    prepare: fromPromise(({ input: { ticket, document }, signal }) =>
      trace.measured('prepare', () => world.printer().prepare(ticket, document, { signal, onWait })),
    ),
    convert: fromPromise(({ input: { document, conversion }, signal }) =>
      measured('convert', async () => {
        const converted = await world.converter.convert(document, conversion, { signal });
        putAwayIf(signal, converted);
        return converted;
      }),
    ),
    recordIntent: fromPromise(async ({ input: { releaseId, plan } }) => {
      recordFetched(releaseId);
      ledger.intend(releaseId, world.printer().uri, plan.inOneStep ? { inOneStep: true } : {});
      intendedAt = clock.monotonic();
    }),
    createJob: fromPromise(({ input: { plan }, signal }) =>
      jobPrinter(world).createJob(plan, { signal, onWait }),
    ),
    recordJob: fromPromise(async ({ input: { releaseId, job } }) => ledger.jobCreated(releaseId, job)),
    sweep: fromPromise(({ input, signal }) => jobPrinter(world).sweep(input, { signal })),
    send: fromPromise(({ input: { job, plan, document, expected }, signal }) =>
      sent((onFirstByte) =>
        jobPrinter(world).send(job, plan, document, { signal, onFirstByte, expected, ...ear }),
      ),
    ),
    print: fromPromise(({ input: { plan, document, expected }, signal }) =>
      sent((onFirstByte) =>
        jobPrinter(world).print(plan, document, { signal, onFirstByte, expected, ...ear }),
      ),
    ),
    find: fromPromise(({ input, signal }) => jobPrinter(world).find(input, { signal })),
    sendBytes: fromPromise(({ input: { plan, document, expected }, signal }) => {
      const printer = world.printer();
      if (printer.kind !== 'bytes') throw new Error('this printer takes jobs, not mere bytes');
      return sent((onFirstByte) => printer.send(plan, document, { signal, onFirstByte, expected, ...ear }));
    }),
    recordSent: fromPromise(async ({ input: { releaseId, job } }) => {
      const known = job && jobPrinter(world).marked(job);
      ledger.sent(releaseId, isFetched ? undefined : factsOf(incoming), known);
    }),
    follow: fromPromise(({ input: { job, expected }, signal }) =>
      jobPrinter(world).follow(job, { signal, expected, ...ear }),
    ),
    cancel: fromPromise(({ input: { job }, signal }) => jobPrinter(world).cancel(job, { signal })),
    recordEnd: fromPromise(async ({ input: { releaseId, state, deliveredBy, problem, report } }) => {
      const confirmation = confirmationOf(state, deliveredBy, world.printer());
      if (outAt !== undefined) trace.ended(state === 'CONFIRMED' ? 'printed' : 'followed', outAt);
      // An end that a full disk refused is recorded again: the printer is not waited for any more.
      outAt = undefined;
      const whole = trace.whole();
      ledger.end(releaseId, {
        state,
        ...(confirmation ? { confirmation } : {}),
        ...(problem && confirmation === undefined ? { problem: problem.code } : {}),
        ...(report ? { report, reportedBy: reporterOf(world.printer()) } : {}),
        // Who delivers, records: also where we never learn the end there is no row of ours, not even a held one.
        ...(deliveredBy === 'service' ? { history: 'service' as const } : {}),
        deletionOwed:
          outcomeOf[state] === 'completed' && deliveredBy === 'printer' && world.finish !== 'keep',
        holdFor: world.unknownHold,
        ...(whole ? { trace: whole } : {}),
      });
      if (state === 'CONFIRMED') stage('printed', begun);
    }),
    finish: fromPromise(async ({ input: { ticket }, signal }) => {
      const { changed } = ticket;
      await finishDocument(world, ticket.document.uuid, ticket.token, { signal, changed });
      ledger.deleted(ticket.releaseId);
    }),
  } satisfies Parameters<typeof releaseMachine.provide>[0]['actors'];
}

/** What is made at the very moment of a stop is nobody's, and would stay open. */
function putAwayIf(stopped: AbortSignal, document: SpooledDocument): void {
  if (stopped.aborted) document[Symbol.dispose]();
  stopped.throwIfAborted();
}

/** The machine takes the steps of a job at such a printer only. */
function jobPrinter(world: ReleaseWorld): JobPrinter {
  const printer = world.printer();
  if (printer.kind !== 'jobs') throw new Error('this printer knows no jobs');
  return printer;
}

/** `undefined` while it is not whole. */
function factsOf(document: SpooledDocument | undefined): { length: number; digest: string } | undefined {
  const digest = document?.digest();
  return document && digest ? { length: document.length, digest } : undefined;
}

const reporterOf = (printer: Printer): 'device' | 'spooler' =>
  printer.kind === 'jobs' ? printer.confirms : 'device';

/** By whose word the document came out; `undefined`: by nobody's. */
function confirmationOf(
  state: EndState,
  deliveredBy: ReleaseContext['deliveredBy'],
  printer: Printer,
): Confirmation | undefined {
  if (state === 'HANDED-OVER') return 'handed-over';
  if (state !== 'CONFIRMED') return undefined;
  if (deliveredBy === 'service') return 'spooler';
  return reporterOf(printer);
}

/**
 * The last step of a completed release, also when it is made up for later. What is still owed where documents are to
 * be kept by now is deleted, as it was when it came to be owed.
 */
export const finishDocument = (
  { documents, finish }: Pick<ReleaseWorld, 'documents' | 'finish'>,
  ...call: Parameters<Documents['consume']>
): Promise<void> => (finish === 'consume' ? documents.consume(...call) : documents.remove(...call));
