/**
 * Steps 1 to 4 of a release, from the plan to the claim, as one function: everything that can be settled before the
 * intent. The release may be given up or may fail at any moment here. Nothing has come out then, and the document still
 * waits in the cloud. This file does not touch the intent and the steps after it (INVARIANTS.md D1, I1). `download.ts`
 * has step 3.
 */
import { isoWithOffset } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import { required } from '../core/required.ts';
import { isBeyondLimits } from '../domain/document.ts';
import { historyOf } from '../domain/history.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';
import { jobName } from '../domain/release.ts';
import { knownTimeNow } from '../domain/service-time.ts';
import { claim } from './claiming.ts';
import type { Learned, Known } from './context.ts';
import { isPrintedHere } from './context.ts';
import { besideItsDownload, fetchDocument } from './download.ts';
import { faultDuring } from './faults.ts';
import type { Step } from './step.ts';
import { Course, documentOf, hearing, measured, now, ticketOf } from './step.ts';

/** A document that the service refused to deliver already has its plan and its balance. It begins at its download. */
export const getReady: Step = async (begun, signal) => {
  const it = new Course(begun, signal);
  const { telling } = begun;
  const recorded = (learned: Learned) => {
    it.learn(learned);
    begun.say({ type: 'RECORDED', learned });
  };
  // A stop may come during a call that never ends.
  signal.addEventListener('abort', () => it.known.document?.[Symbol.dispose]());
  try {
    if (begun.history === undefined) recorded(recordPlan(begun));
    if (begun.deliveredBy === 'service') recorded(recordRefusal(begun));
    // Behind another document it would be too early.
    if (isPrintedHere(it.known) && begun.isAlone()) begun.world.printer().lookAhead?.({ signal });
    if (begun.cleared === undefined) it.learn(await checkBalance(it.known, signal));
    if (isPrintedHere(it.known)) {
      telling.stage('downloading');
      it.learn(await fetchDocument(it.known, signal));
    }
    telling.stage('waiting');
    it.learn(await besideItsDownload(it.known, signal, takeTurn));
    if (isBalanceStale(it.known)) it.learn(await checkBalance(it.known, signal));
    if (isPrintedHere(it.known)) {
      it.learn(await besideItsDownload(it.known, signal, prepare));
      if (it.known.plan?.conversion !== undefined) {
        telling.stage('converting');
        const original = documentOf(it.known);
        it.learn(await convert(it.known, signal));
        original[Symbol.dispose]();
      }
      if (isBalanceOld(it.known)) it.learn(await checkBalance(it.known, signal));
    }
    it.learn(await besideItsDownload(it.known, signal, lookAgain));
    it.learn(await claim(it.known, signal));
    return it.learned;
  } catch (error) {
    return { ...it.learned, ...faultDuring('gettingReady', it.known, error) };
  }
};

/* 1 · The ledger learns of it. If it cannot write, nothing is printed (D8). */

function recordPlan(known: Known): Learned {
  const ticket = ticketOf(known);
  const { document, user, monochrome, releaseId } = ticket;
  const { ledger, clock, portKey, serviceTime, delivery } = known.world;
  if (isBeyondLimits(document)) {
    throw new Problem('document-beyond-limits', 'more copies or pages than one release may have');
  }
  if ((ticket.picked ?? ticket.changed?.pages) && delivery !== 'local') {
    throw new Problem('document-not-printable', 'the service prints whole documents only');
  }
  const dateTime = isoWithOffset(knownTimeNow(clock, serviceTime));
  const history = historyOf({ document, user, monochrome, port: portKey(), dateTime });
  ledger.plan({
    ticket,
    jobName: jobName(document.name, releaseId),
    ...(ticket.again === undefined ? {} : { again: ticket.again }),
    history,
  });
  return { history };
}

/** The service definitely refused. Nothing came out, and the release goes on here. */
function recordRefusal({ world, releaseId }: Known): Learned {
  world.ledger.refusedByService(releaseId);
  return { deliveredBy: 'printer', isRefusedByService: true, problem: undefined };
}

/* 2 · The service is asked whether the user may print it (I9). */

const checkBalance: Step = (known, signal) =>
  measured('balance', known, async () => {
    const clearance = await known.world.balance.check(ticketOf(known), { signal });
    return { cleared: { at: now(known), isCharged: clearance !== 'not-charged' } };
  });

/** A balance answer is good for 60 s (INVARIANTS.md B.4, 4). It may be up to 10 s old when it arrives. */
const balanceHolds = seconds(50);

/** The service's answer is too old for an intent (B.4, 4 Balance). */
const isBalanceOld = (known: Known): boolean =>
  known.cleared === undefined || now(known) - known.cleared.at > balanceHolds;

/** The answer is too old, or a document was charged since. */
function isBalanceStale(known: Known): boolean {
  const { cleared, lastOutputAt } = known;
  return isBalanceOld(known) || (cleared?.isCharged === true && lastOutputAt() >= cleared.at);
}

/**
 * Resolves when no other release is at the printer. The turn then belongs to this release until its outcome is settled.
 */
const takeTurn: Step = ({ trace, turn, world, refusal }, signal) =>
  trace.measured('turn', async () => {
    await turn.come({ printerUri: world.printer().uri, signal });
    const problem = refusal();
    if (problem) throw problem;
    return {};
  });

/*
 * 4 · The printer is ready. It takes the format of the document, or the document is converted to a format that it
 * takes.
 */

const prepare: Step = async (known, signal) => {
  const { onWait, onLeftOut } = hearing(known);
  const { trace, world } = known;
  const [ticket, document] = [ticketOf(known), documentOf(known)];
  return {
    plan: await trace.measured('prepare', () =>
      world.printer().prepare(ticket, document, { signal, onWait, onLeftOut }),
    ),
  };
};

/** A new document in the spool, in the format of the plan. It is made in a sandbox (D10). */
const convert: Step = (known, signal) =>
  measured('convert', known, async () => {
    const conversion = required(known.plan?.conversion, 'conversion');
    const document = await known.world.converter.convert(documentOf(known), conversion, { signal });
    return { document };
  });

/**
 * Right before the intent the document must still be READY, by a look no older than 2 s (I1). If the service cannot be
 * asked now, the list from which the person chose still counts.
 */
const lookAgain: Step = async (known, signal) => {
  const { document, token } = ticketOf(known);
  try {
    await known.world.documents.requireReady(document.uuid, token, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (isProblem(error, 'document-not-waiting')) throw error;
    const { log, terminal, releaseId } = known;
    log.info('list not looked at again', { terminal, releaseId, error: error as Error });
  }
  return {};
};
