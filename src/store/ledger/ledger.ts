/**
 * The write-ahead attempt ledger (reliability.md D1, B.1): every step of a release is an event on disk before the
 * next step touches the world, and an end state and its history row are one transaction. It records what it is told
 * in the legal order; what an attempt is worth is judged elsewhere.
 */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { isoInstant } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Ledger, OpenAttempt } from '../../domain/ports/ledger.ts';
import type { PrinterJob } from '../../domain/ports/printing.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { EndState, LastRelease, OpenState } from '../../domain/release.ts';
import { forgottenRelease, outcomeOf, pagesOf } from '../../domain/release.ts';
import type { Attempt } from './attempts.ts';
import { attemptOf, createAttempts, nothingKnown } from './attempts.ts';
import { endState, factsText, isEndState, openState } from '../columns.ts';
import type { Database } from '../database.ts';
import type { EventChain, Head } from './event-chain.ts';
import type { HeadAnchor } from './head-anchor.ts';
import { sealedMarks } from './job-marks.ts';
import { createOpenAttempts } from './open-attempts.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { createPast } from './past.ts';
import { sealed, slotOf } from '../sealed/personal-columns.ts';
import type { RowKeys } from '../sealed/row-keys.ts';
import type { Unsealing } from '../sealed/sealing.ts';
import { traceFacts } from './trace-facts.ts';

const anyEnd = endState.options;
/**
 * What may follow a state; nothing follows an end state (I11). Before an intent nothing can have come out, and after
 * one the only way back is the service's own refusal. A document that is sent while it comes in is never FETCHED.
 */
const successors: Record<OpenState, readonly (OpenState | EndState)[]> = {
  PLANNED: ['SERVICE-INTENT', 'FETCHED', 'INTENT', 'NOOUTPUT'],
  'SERVICE-INTENT': ['SERVICE-REFUSED', ...anyEnd],
  'SERVICE-REFUSED': ['FETCHED', 'INTENT', 'NOOUTPUT'],
  FETCHED: ['INTENT', 'NOOUTPUT'],
  INTENT: ['JOB', 'SENT', ...anyEnd],
  JOB: ['SENT', ...anyEnd],
  SENT: anyEnd,
};

const lastShape = z.object({
  id: z.int(),
  release_id: z.string(),
  state: z.union([openState, endState]),
  deletion_owed: z.int(),
});

export interface LedgerOptions {
  readonly database: Database;
  readonly chain: EventChain;
  readonly anchor: HeadAnchor;
  readonly rowKeys: RowKeys;
  readonly outbox: Outbox;
  /** By the device's key. */
  readonly sealing: Unsealing;
  readonly clock: Clock;
  /** A release has ended: there may be a history record to post. */
  readonly onEnd: () => void;
  /**
   * Safe mode (B.4 table 11): what the attempts up to this number tell need not be the last word, and a document that
   * no later one is of may have printed.
   */
  readonly doubtedUpTo: number | undefined;
}

export function createLedger(options: LedgerOptions): Ledger {
  const { database, chain, anchor, rowKeys, outbox, sealing, clock, doubtedUpTo } = options;
  const attempts = createAttempts(database);
  const factsOf = database.prepare('SELECT facts FROM event WHERE attempt = ? ORDER BY seq');
  const personsWord = database.prepare(
    "SELECT 1 FROM event WHERE attempt = ? AND state = 'CONFIRMED-BY-USER'",
  );
  const ofRelease = database.prepare('SELECT * FROM attempt WHERE release_id = ?');
  const countOpen = database.prepare('SELECT count(*) AS rows FROM attempt WHERE ended_at IS NULL');
  // An attempt without output leaves standing what an earlier one may have printed (I1, I11).
  const lastOf = database.prepare(`
    SELECT id, release_id, state, deletion_owed FROM attempt WHERE document_uuid = ?
    ORDER BY state = 'NOOUTPUT', id DESC LIMIT 1`);
  const past = createPast(database);
  const openAttempts = createOpenAttempts({ database, rowKeys, sealing });

  function attempt(releaseId: string): Attempt {
    const row = ofRelease.get(releaseId);
    if (!row) throw new Error(`the ledger has no release ${releaseId}`);
    return attemptOf(row);
  }

  /** The event, and the attempt in its new state; what else belongs to the step is in `changes`. */
  function advance(
    current: Attempt,
    to: OpenState | EndState,
    facts: object,
    changes: Partial<Attempt> = {},
  ): Head {
    if (isEndState(current.state) || !successors[current.state].includes(to)) {
      throw new Error(`release ${current.release_id} cannot go from ${current.state} to ${to}`);
    }
    attempts.update(current, { ...changes, state: to });
    return chain.append({ attempt: current.id, state: to, facts });
  }

  /** An intent alone tells the whole attempt (B.1): it repeats what the events before it said. */
  function advanceToIntent(
    current: Attempt,
    to: 'INTENT' | 'SERVICE-INTENT',
    facts: ({ printerUri: string } & Pick<OpenAttempt, 'inOneStep'>) | { serialNumber: string },
  ): Head {
    const before = factsOf.all(current.id).map((row) => factsText.parse(row['facts']));
    const printer_uri = 'printerUri' in facts ? facts.printerUri : null;
    return advance(current, to, Object.assign({}, ...before, facts), { printer_uri });
  }

  const marksOf = (current: Attempt, { marks }: PrinterJob): { marks?: string } =>
    marks ? { marks: sealedMarks(rowKeys, keySlot(current), current.release_id, marks) } : {};

  const withOwnKey = (work: (slot: number) => unknown): void =>
    database.guarded(() => rowKeys.spend((slot) => void database.transaction(() => work(slot))));

  function destroyKey(slot: number | undefined): void {
    if (slot !== undefined) database.guarded(() => rowKeys.destroy(slot));
  }

  const recorded = (releaseId: string, step: (current: Attempt) => unknown): void =>
    void database.transaction(() => step(attempt(releaseId)));

  /** A step that the world must not be ahead of: its place in the chain is noted besides, before the call returns. */
  function anchored(releaseId: string, step: (current: Attempt) => Head | undefined): void {
    const head = database.transaction(() => step(attempt(releaseId)));
    if (head) database.guarded(() => anchor.hold(head));
  }

  return {
    plan: ({ ticket, jobName, history, again }) =>
      withOwnKey((slot) => {
        // What is under way will need a row each.
        if (outbox.fullness(Number(countOpen.get()?.['rows'])) >= 1) {
          throw new Problem('store-refused', `${outbox.size()} history records wait; no more are taken`);
        }
        const { document, user, releaseId, terminal } = ticket;
        const { copies, totalPages } = document;
        const id = attempts.insert({
          ...nothingKnown,
          release_id: releaseId,
          terminal,
          document_uuid: document.uuid,
          state: 'PLANNED',
          started_at: isoInstant(clock.now()),
          document_pages: totalPages === undefined ? null : totalPages * copies,
          job_name: sealed(rowKeys, slot, { kind: 'job-name', releaseId }, jobName),
          history: sealed(rowKeys, slot, { kind: 'history', releaseId }, JSON.stringify(history)),
        });
        const { id: userId, providerId } = user;
        const facts = { releaseId, documentUuid: document.uuid, userId, providerId };
        chain.append({
          attempt: id,
          state: 'PLANNED',
          facts: { ...facts, copies, pages: totalPages, again },
        });
      }),

    fetched: (releaseId, document) => recorded(releaseId, (current) => advance(current, 'FETCHED', document)),

    intendByService: (releaseId, serialNumber) =>
      anchored(releaseId, (current) => advanceToIntent(current, 'SERVICE-INTENT', { serialNumber })),

    refusedByService: (releaseId) =>
      recorded(releaseId, (current) => advance(current, 'SERVICE-REFUSED', {})),

    intend: (releaseId, printerUri, way = {}) =>
      anchored(releaseId, (current) => advanceToIntent(current, 'INTENT', { printerUri, ...way })),

    // The job-name holds the title and stays out of the event, which is for ever.
    jobCreated: (releaseId, job) =>
      anchored(releaseId, (current) => {
        const { jobId, jobUri } = job;
        const facts = { jobId, jobUri, ...marksOf(current, job) };
        return advance(current, 'JOB', facts, { job_id: jobId, job_uri: jobUri });
      }),

    sent: (releaseId, facts, job) =>
      recorded(releaseId, (current) =>
        advance(current, 'SENT', { ...facts, ...(job ? marksOf(current, job) : {}) }),
      ),

    end(releaseId, how) {
      const {
        state,
        confirmation,
        problem,
        report,
        reportedBy = 'device',
        deletionOwed,
        holdFor,
        trace,
      } = how;
      let unneeded: number | undefined;
      anchored(releaseId, (current) => {
        const { terminal, history } = current;
        const documentPages = current.document_pages ?? undefined;
        const pages = pagesOf({ state, report, reportedBy, documentPages });
        const facts = {
          ...{ confirmation, problem, pages, report },
          ...(report ? { reportedBy } : {}),
          ...(trace ? { trace: traceFacts(trace) } : {}),
        };
        const head = advance(current, state, facts, {
          ended_at: isoInstant(clock.now()),
          confirmation: confirmation ?? null,
          problem: problem ?? null,
          pages: pages ? JSON.stringify(pages) : null,
          deletion_owed: Number(deletionOwed),
          job_name: null,
          history: null,
        });
        if (state === 'NOOUTPUT' || how.history === 'service') {
          unneeded = keySlot(current);
          return head;
        }
        if (history === null) throw new Error(`release ${releaseId} has no history record`);
        const hold = outcomeOf[state] === 'unknown' ? holdFor : seconds(0);
        outbox.add({ releaseId, terminal, record: history, holdFor: hold });
        return head;
      });
      destroyKey(unneeded);
      options.onEnd();
    },

    confirmedByPerson(releaseId) {
      if (releaseId === forgottenRelease) return;
      anchored(releaseId, ({ id, state }) => {
        if (!isEndState(state) || outcomeOf[state] !== 'unknown')
          throw new Error(`release ${releaseId} is ${state}; nobody has to confirm it`);
        if (personsWord.get(id)) return undefined;
        outbox.release(releaseId);
        return chain.append({ attempt: id, state: 'CONFIRMED-BY-USER', facts: {} });
      });
      options.onEnd();
    },

    deleted: (releaseId) =>
      recorded(releaseId, (current) => {
        if (!isEndState(current.state))
          throw new Error(`release ${releaseId} is ${current.state}; its document is still needed`);
        if (current.deletion_owed === 0) return;
        chain.append({ attempt: current.id, state: 'DELETED', facts: {} });
        attempts.update(current, { deletion_owed: 0 });
      }),

    lastRelease: (documentUuid) =>
      database.read(() => {
        const found = lastOf.get(documentUuid);
        const last = found && lastShape.parse(found);
        const counts =
          last && last.state !== 'NOOUTPUT' && (last.id > (doubtedUpTo ?? 0) || isInDoubt(last.state));
        if (counts) return lastRelease(last);
        if (doubtedUpTo !== undefined) return forgotten('UNKNOWN');
        const state = past.stateOf(documentUuid);
        return state ? forgotten(state) : last && lastRelease(last);
      }),

    open: () => database.read(openAttempts),
  };
}

/** Of an attempt that has not ended. */
function keySlot({ release_id, history }: Attempt): number {
  const slot = history === null ? undefined : slotOf(history);
  if (slot === undefined) throw new Error(`release ${release_id} has no key any more`);
  return slot;
}

const isInDoubt = (state: OpenState | EndState): boolean =>
  isEndState(state) && outcomeOf[state] === 'unknown';

const lastRelease = (row: z.infer<typeof lastShape>): LastRelease => ({
  releaseId: row.release_id,
  state: row.state,
  deletionOwed: row.deletion_owed === 1,
});

const forgotten = (state: EndState): LastRelease => ({
  releaseId: forgottenRelease,
  state,
  deletionOwed: false,
});
