/**
 * Steps 8 and 9: the end is recorded until it is, and the document leaves the cloud, or counts there as released, for as
 * long as its user's token lives. How many of its pages are missing is told with the end.
 */
import { longest, seconds } from '../core/duration.ts';
import { missingPages } from '../domain/missing-pages.ts';
import type { PageRange } from '../domain/page-range.ts';
import type { Documents } from '../domain/ports/service.ts';
import type { EndState } from '../domain/release.ts';
import { outcomeOf } from '../domain/release.ts';
import type { Known, ReleaseDeps } from './context.ts';
import { confirmationOf, documentUuidOf, endStateOf, recordedElsewhere, reporterOf } from './context.ts';
import { asReleaseProblem, problemFacts } from './problems.ts';
import type { Step } from './step.ts';
import { now, tellStage, ticketOf } from './step.ts';

/** Between two tries to write an end state that a full disk refused. */
const recordAgain = seconds(5);
/** Between two tries to finish with a printed document in the cloud; longer where the service asks for it. */
const finishAgain = seconds(10);

/** Outcome and history row, in ONE transaction (I2, I11). While the store is full the outcome is kept here. */
export const recordEnd: Step = async (known, signal) => {
  const { trace, outAt, world } = known;
  const state = endStateOf(known);
  if (outAt !== undefined) trace.ended(state === 'CONFIRMED' ? 'printed' : 'followed', outAt);
  for (;;) {
    try {
      await endInLedger(known, state);
      break;
    } catch {
      await world.clock.sleep(recordAgain, { signal });
    }
  }
  world.claims.ended(
    known.claim ?? { documentUuid: documentUuidOf(known), releaseId: known.releaseId },
    state,
  );
  if (state === 'CONFIRMED') tellStage('printed', known, known.begunAt);
  return { outcome: outcomeOf[state] };
};

async function endInLedger(known: Known, state: EndState): Promise<void> {
  const { releaseId, deliveredBy, problem, report, trace, world } = known;
  const confirmation = confirmationOf(known);
  const whole = trace.whole();
  world.ledger.end(releaseId, {
    state,
    ...(confirmation ? { confirmation } : {}),
    ...(problem && confirmation === undefined ? problemFacts(problem) : {}),
    ...missingOf(known, state),
    ...(report ? { report, reportedBy: reporterOf(known) } : {}),
    ...recordedElsewhere(known),
    deletionOwed: outcomeOf[state] === 'completed' && deliveredBy === 'printer' && world.finish !== 'keep',
    holdFor: world.unknownHold,
    ...(whole ? { trace: whole } : {}),
  });
  await world.ledger.durable();
}

/** Pages that did not come out, by the count of the printer itself, which may be printed by themselves. */
function missingOf(known: Known, state: EndState): { readonly missing?: PageRange } {
  const { ticket, plan, report, sent, telling, world } = known;
  if (state !== 'PARTIAL' || sent !== 'all' || !ticket || !plan || !report) return {};
  // A count that has fallen contradicts itself.
  if (report.impressionsCompleted !== undefined && telling.page > report.impressionsCompleted) return {};
  if (world.delivery !== 'local' || world.printer().kind !== 'jobs' || reporterOf(known) !== 'device')
    return {};
  const { format, conversion: { order = 'as-is', copies = 1 } = {} } = plan;
  const arePickable = plan.conversion !== undefined || format === 'application/pdf';
  const isInOrder = arePickable && order === 'as-is' && copies === 1;
  const missing = missingPages({ document: ticket.document, picked: ticket.picked, report, isInOrder });
  return missing ? { missing } : {};
}

/** Only what was confirmed leaves the cloud (D6). What the service does not take is tried again. */
export const finish: Step = async (known, signal) => {
  const { releaseId, terminal, world, log } = known;
  const { changed, document, token } = ticketOf(known);
  for (let isAgain = false; mayFinish(known); isAgain = true) {
    try {
      await finishDocument(world, document.uuid, token, { signal, changed });
      world.ledger.deleted(releaseId);
      return {};
    } catch (error) {
      signal.throwIfAborted();
      const facts = { terminal, releaseId, error: error as Error };
      if (isAgain) log.debug('deletion refused again', facts);
      else log.warn('deletion refused', facts);
      const { retry, retryAfter = seconds(0) } = asReleaseProblem(error);
      if (retry !== 'later') return {};
      await world.clock.sleep(longest(finishAgain, retryAfter), { signal });
    }
  }
  return {};
};

/** The document is not to be kept, and the user's token is still worth sending. */
const mayFinish = (known: Known): boolean =>
  known.world.finish !== 'keep' && now(known) < ticketOf(known).token.expiresAt;

/**
 * Also when it is made up for later. What is still owed where documents are to be kept by now is deleted, as it was when
 * it came to be owed.
 */
export const finishDocument = (
  { documents, finish: mode }: Pick<ReleaseDeps, 'documents' | 'finish'>,
  ...call: Parameters<Documents['consume']>
): Promise<void> => (mode === 'consume' ? documents.consume(...call) : documents.remove(...call));
