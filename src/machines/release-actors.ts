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
import type { JobPrinter, Printer, Spool } from '../domain/ports/printing.ts';
import type { Balance, Documents } from '../domain/ports/service.ts';
import { Problem } from '../domain/problem.ts';
import type { Confirmation, DeliveryMode, EndState, FinishMode } from '../domain/release.ts';
import { jobName, judgeDelivery, outcomeOf } from '../domain/release.ts';
import type { ReleaseContext } from './release-setup.ts';
import type { releaseMachine } from './release.ts';

/** The stages of `platen_release_stage_seconds` that belong to a release. */
export type ReleaseStage = 'balance' | 'download' | 'first_byte' | 'printed';

export interface ReleaseWorld {
  /** Asked for at each step: it may have moved since the last release. */
  printer(): Printer;
  readonly spool: Spool;
  readonly documents: Documents;
  readonly balance: Balance;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly serialNumber: string;
  readonly delivery: DeliveryMode;
  readonly finish: FinishMode;
  /** What was taken on without being confirmed counts as unknown. */
  readonly requireConfirmation: boolean;
  /** How long the history of an unknown outcome waits for evidence before it is posted. */
  readonly unknownHold: Duration;
  onStage(stage: ReleaseStage, span: Duration): void;
}

export function releaseActors(world: ReleaseWorld) {
  const { spool, documents, balance, ledger, clock } = world;
  const begun = clock.monotonic();
  const stage = (name: ReleaseStage, since: number) =>
    world.onStage(name, milliseconds(clock.monotonic() - since));
  const onFirstByte = () => stage('first_byte', begun);

  async function measured<Result>(name: ReleaseStage, call: () => Promise<Result>): Promise<Result> {
    const since = clock.monotonic();
    const result = await call();
    stage(name, since);
    return result;
  }

  return {
    recordPlan: fromPromise(async ({ input: { ticket } }) => {
      if (isBeyondLimits(ticket.document)) {
        throw new Problem('document-beyond-limits', 'more copies or pages than one release may have');
      }
      ledger.plan({
        ticket,
        jobName: jobName(ticket.document.name, ticket.releaseId),
        history: historyOf({
          document: ticket.document,
          user: ticket.user,
          monochrome: ticket.monochrome,
          serialNumber: world.serialNumber,
          dateTime: isoWithOffset(clock.now()),
        }),
      });
    }),
    checkBalance: fromPromise(({ input: { ticket }, signal }) =>
      measured('balance', async () => void (await balance.check(ticket, { signal }))),
    ),
    recordServiceIntent: fromPromise(async ({ input: { releaseId } }) =>
      ledger.intendByService(releaseId, world.serialNumber),
    ),
    deliver: fromPromise(({ input: { ticket }, signal }) =>
      documents.deliver(
        ticket.document.uuid,
        { port: world.serialNumber, retain: world.finish === 'keep' },
        ticket.token,
        { signal },
      ),
    ),
    lookAtDelivery: fromPromise(async ({ input: { ticket }, signal }) =>
      judgeDelivery(await documents.statusOf(ticket.document.uuid, ticket.token, { signal })),
    ),
    recordRefusal: fromPromise(async ({ input: { releaseId } }) => ledger.refusedByService(releaseId)),
    download: fromPromise(({ input: { ticket }, signal }) =>
      measured('download', async () => {
        const download = await documents.download(ticket.document.uuid, ticket.token, { signal });
        const document = await spool.store(download, { signal });
        ledger.fetched(ticket.releaseId, document);
        return document;
      }),
    ),
    prepare: fromPromise(({ input: { ticket, document }, signal }) =>
      world.printer().prepare(ticket, document, { signal }),
    ),
    recordIntent: fromPromise(async ({ input: { releaseId } }) =>
      ledger.intend(releaseId, world.printer().uri),
    ),
    createJob: fromPromise(({ input: { plan }, signal }) => jobPrinter(world).createJob(plan, { signal })),
    recordJob: fromPromise(async ({ input: { releaseId, job } }) => ledger.jobCreated(releaseId, job)),
    sweep: fromPromise(({ input: { jobName: name }, signal }) => jobPrinter(world).sweep(name, { signal })),
    send: fromPromise(({ input: { job, plan, document }, signal }) =>
      jobPrinter(world).send(job, plan, document, { signal, onFirstByte }),
    ),
    sendBytes: fromPromise(({ input: { plan, document }, signal }) => {
      const printer = world.printer();
      if (printer.kind !== 'bytes') throw new Error('this printer takes jobs, not mere bytes');
      return printer.send(plan, document, { signal, onFirstByte });
    }),
    recordSent: fromPromise(async ({ input: { releaseId } }) => ledger.sent(releaseId)),
    follow: fromPromise(({ input: { job }, signal }) => jobPrinter(world).follow(job, { signal })),
    cancel: fromPromise(({ input: { job }, signal }) => jobPrinter(world).cancel(job, { signal })),
    recordEnd: fromPromise(async ({ input: { releaseId, state, deliveredBy, problem, report } }) => {
      const confirmation = confirmationOf(state, deliveredBy, world.printer());
      ledger.end(releaseId, {
        state,
        ...(confirmation ? { confirmation } : {}),
        ...(problem && confirmation === undefined ? { problem: problem.code } : {}),
        ...(report ? { report } : {}),
        // Who delivers, records: also where we never learn the end there is no row of ours, not even a held one.
        ...(deliveredBy === 'service' ? { history: 'service' as const } : {}),
        deletionOwed:
          outcomeOf[state] === 'completed' && deliveredBy === 'printer' && world.finish !== 'keep',
        holdFor: world.unknownHold,
      });
      if (state === 'CONFIRMED') stage('printed', begun);
    }),
    finish: fromPromise(async ({ input: { ticket }, signal }) => {
      await finishDocument(world, ticket.document.uuid, ticket.token, { signal });
      ledger.deleted(ticket.releaseId);
    }),
  } satisfies Parameters<typeof releaseMachine.provide>[0]['actors'];
}

/** The machine takes the steps of a job at such a printer only. */
function jobPrinter(world: ReleaseWorld): JobPrinter {
  const printer = world.printer();
  if (printer.kind !== 'jobs') throw new Error('this printer knows no jobs');
  return printer;
}

/** By whose word the document came out; `undefined`: by nobody's. */
function confirmationOf(
  state: EndState,
  deliveredBy: ReleaseContext['deliveredBy'],
  printer: Printer,
): Confirmation | undefined {
  if (state === 'HANDED-OVER') return 'handed-over';
  if (state !== 'CONFIRMED') return undefined;
  if (deliveredBy === 'service') return 'spooler';
  return printer.kind === 'jobs' ? printer.confirms : 'device';
}

/**
 * The last step of a completed release, also when it is made up for later. What is still owed where documents are to
 * be kept by now is deleted, as it was when it came to be owed.
 */
export const finishDocument = (
  { documents, finish }: Pick<ReleaseWorld, 'documents' | 'finish'>,
  ...call: Parameters<Documents['remove']>
): Promise<void> => (finish === 'consume' ? documents.consume(...call) : documents.remove(...call));
