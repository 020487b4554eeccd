/**
 * Steps 8 and 9. The end is recorded, and tried again until it is. Then the document leaves the cloud, or counts there
 * as released, as long as the token of its user is valid. The number of missing pages is recorded with the end.
 */
import { longest, seconds } from '../core/duration.ts';
import { missingPages } from '../domain/missing-pages.ts';
import type { PageRange } from '../domain/page-range.ts';
import type { Documents } from '../domain/ports/service.ts';
import type { Confirmation, EndState } from '../domain/release.ts';
import { outcomeOf } from '../domain/release.ts';
import type { Known, ReleaseDeps } from './context.ts';
import { documentUuidOf, endStateOf } from './context.ts';
import { asReleaseProblem, problemFacts } from './problems.ts';
import type { Step } from './step.ts';
import { now, tellStage, ticketOf } from './step.ts';

/** The pause between two tries to write an end state when the disk is full. */
const recordAgain = seconds(5);
/** The pause between two tries to finish a printed document in the cloud. It is longer if the service asks for it. */
const finishAgain = seconds(10);

/** Outcome and history row go into ONE transaction (I2, I11). While the store is full, the outcome is kept here. */
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

/**
 * The side that delivers also records. If the service delivers, there is no history row of ours, not even a held one,
 * also if the end is never learned. The same is true if another member settles our release.
 */
const recordedElsewhere = ({ deliveredBy, isLeftToSuccessor }: Known) => {
  if (isLeftToSuccessor) return { history: 'successor' } as const;
  return deliveredBy === 'service' ? ({ history: 'service' } as const) : {};
};

function reporterOf({ world }: Known): 'device' | 'spooler' {
  const printer = world.printer();
  return printer.kind === 'jobs' ? printer.confirms : 'device';
}

/** The source that confirmed the document; `undefined` if it is not confirmed. */
function confirmationOf(known: Known): Confirmation | undefined {
  const state = endStateOf(known);
  if (state === 'HANDED-OVER') return 'handed-over';
  if (state !== 'CONFIRMED') return undefined;
  return known.deliveredBy === 'service' ? 'spooler' : reporterOf(known);
}

/** Pages that did not come out, by the printer's own count. The person may print just these pages. */
function missingOf(known: Known, state: EndState): { readonly missing?: PageRange } {
  const { ticket, plan, report, sent, telling, world } = known;
  if (state !== 'PARTIAL' || sent !== 'all' || !ticket || !plan || !report) return {};
  // They would be the last of the chosen pages, and the person chooses anew.
  if (ticket.changed?.pages) return {};
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

/** Only a confirmed document leaves the cloud (D6). If the service refuses, the step tries again. */
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

/** The document need not be kept, and the user's token is still valid. */
const mayFinish = (known: Known): boolean =>
  known.world.finish !== 'keep' && now(known) < ticketOf(known).token.expiresAt;

/**
 * Also used when an owed deletion is made later. If the setting is `keep` by then, the document is deleted, because
 * that was the rule when the deletion came to be owed.
 */
export const finishDocument = (
  { documents, finish: mode }: Pick<ReleaseDeps, 'documents' | 'finish'>,
  ...call: Parameters<Documents['consume']>
): Promise<void> => (mode === 'consume' ? documents.consume(...call) : documents.remove(...call));
