/**
 * Writes the steps of attempts: each step is an event and a new state of the attempt, in the legal order only (I11). It
 * runs inside the caller's transaction.
 */
import type { Clock } from '../../core/clock.ts';
import { isoInstant } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Wake } from '../../core/periodic.ts';
import type { Ledger, OpenAttempt } from '../../domain/ports/ledger.ts';
import type { PrinterJob } from '../../domain/ports/printing.ts';
import type { EndState, OpenState } from '../../domain/release.ts';
import { outcomeOf, pagesOf } from '../../domain/release.ts';
import type { Attempt, Attempts } from './attempts.ts';
import { attemptOf, createAttempts } from './attempts.ts';
import { endState, factsText, isEndState } from '../columns.ts';
import type { Database } from '../database.ts';
import type { EventChain, Head } from '../event-chain.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { RowKeys } from '../sealed/row-keys.ts';
import { sealedMarks, traceFacts } from './event-facts.ts';
import { slotOf } from '../sealed/personal-columns.ts';
import type { Repeats } from './past.ts';
import { createRepeats } from './past.ts';

const anyEnd = endState.options;
/**
 * The legal next states; no state follows an end state (I11). Before an intent no page can have come out. After an
 * intent the only way back is a refusal by the service itself. A document that is sent while it is received is never
 * FETCHED.
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

export interface LedgerDeps {
  readonly database: Database;
  readonly chain: EventChain;
  readonly commits: GroupCommit;
  readonly rowKeys: RowKeys;
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** Rung when there may be a record to post. */
  readonly wake: Wake;
  /**
   * Set if there is a quarantine (B.4 table 11). The state of attempts up to this number may be out of date, and a
   * document without a later attempt may have been printed.
   */
  readonly doubtedUpTo: number | undefined;
}

export type ReleaseEnd = Parameters<Ledger['end']>[1];

export class AttemptSteps {
  readonly attempts: Attempts;
  readonly #deps: LedgerDeps;
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #repeats: Repeats;

  constructor(deps: LedgerDeps) {
    this.attempts = createAttempts(deps.database);
    this.#deps = deps;
    this.#sql = statementsOf(deps.database);
    this.#repeats = createRepeats(deps.database);
  }

  attempt(releaseId: string): Attempt {
    const row = this.#sql.ofRelease.get(releaseId);
    if (!row) throw new Error(`the ledger has no release ${releaseId}`);
    return attemptOf(row);
  }

  /** Writes the event and the new state of the attempt; `changes` holds the other columns of the step. */
  advance(current: Attempt, to: OpenState | EndState, facts: object, changes: Partial<Attempt> = {}): Head {
    requireNext(current, to);
    this.attempts.update(current, { ...changes, state: to });
    return this.#deps.chain.append({ attempt: current.id, state: to, facts });
  }

  /** The intent event alone must tell the whole attempt (B.1), so it repeats the facts of the events before it. */
  advanceToIntent(
    current: Attempt,
    to: 'INTENT' | 'SERVICE-INTENT',
    given: ({ printerUri: string } | { serialNumber: string }) & Pick<OpenAttempt, 'inOneStep' | 'claim'>,
  ): Head {
    const { claim, ...facts } = given;
    const claimed = claim ? { claim: { number: claim.number, version: claim.version } } : {};
    const before = this.#sql.factsOf.all(current.id).map((row) => factsText.parse(row['facts']));
    const printer_uri = 'printerUri' in facts ? facts.printerUri : null;
    return this.advance(current, to, Object.assign({}, ...before, facts, claimed), {
      printer_uri,
      claim_number: claim?.number ?? null,
    });
  }

  advanceToJob(current: Attempt, job: PrinterJob): Head {
    const { jobId, jobUri } = job;
    const facts = { jobId, jobUri, ...this.marksOf(current, job) };
    return this.advance(current, 'JOB', facts, { job_id: jobId, job_uri: jobUri });
  }

  advanceToEnd(current: Attempt, how: ReleaseEnd): Head {
    const { state, confirmation, problem, reasons, missing, report, reportedBy = 'device', trace } = how;
    const documentPages = current.document_pages ?? undefined;
    const pages = pagesOf({ state, report, reportedBy, documentPages });
    const facts = {
      confirmation,
      problem,
      reasons,
      pages,
      missing,
      report,
      ...(report ? { reportedBy } : {}),
      ...(trace ? { trace: traceFacts(trace) } : {}),
    };
    return this.advance(current, state, facts, {
      ended_at: isoInstant(this.#deps.clock.now()),
      confirmation: confirmation ?? null,
      problem: problem ?? null,
      pages: pages ? JSON.stringify(pages) : null,
      deletion_owed: Number(how.deletionOwed),
      job_name: null,
      history: null,
    });
  }

  /** Puts the release's history record into the outbox for the service. */
  owe(
    { release_id: releaseId, terminal, history }: Attempt,
    { state, holdFor, mayHaveArrived }: Pick<ReleaseEnd, 'state' | 'holdFor'> & { mayHaveArrived?: boolean },
  ): void {
    if (history === null) throw new Error(`release ${releaseId} has no history record`);
    const hold = outcomeOf[state] === 'unknown' ? holdFor : seconds(0);
    this.#deps.outbox.add({ releaseId, terminal, record: history, holdFor: hold, mayHaveArrived });
  }

  /**
   * The missing pages came out, or may have. Each earlier release now counts only the pages that it printed itself,
   * unless its record was already sent.
   */
  settleRepeated({ release_id: releaseId }: Attempt): void {
    for (const cut of this.#repeats(releaseId)) this.#deps.outbox.cutTo(cut.releaseId, cut.pages);
  }

  marksOf(current: Attempt, { marks }: PrinterJob): { marks?: string } {
    const { rowKeys } = this.#deps;
    return marks ? { marks: sealedMarks(rowKeys, keySlot(current), current.release_id, marks) } : {};
  }
}

/** Throws if the step is not in the legal order (I11). */
export function requireNext({ release_id, state }: Attempt, to: OpenState | EndState): void {
  if (!isEndState(state) && successors[state].includes(to)) return;
  throw new Error(`release ${release_id} cannot go from ${state} to ${to}`);
}

const statementsOf = (database: LedgerDeps['database']) => ({
  factsOf: database.prepare('SELECT facts FROM event WHERE attempt = ? ORDER BY seq'),
  ofRelease: database.prepare('SELECT * FROM attempt WHERE release_id = ?'),
});

/** The attempt must not have ended. */
export function keySlot({ release_id, history }: Attempt): number {
  const slot = history === null ? undefined : slotOf(history);
  if (slot === undefined) throw new Error(`release ${release_id} has no key any more`);
  return slot;
}
