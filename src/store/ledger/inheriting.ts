/**
 * Takes over the work of a fleet member that is gone, as a release of this ledger (F6): all the steps that its claim
 * tells of.
 */
import { isoInstant } from '../../core/clock.ts';
import type { Inheritance } from '../../domain/ports/ledger.ts';
import type { Attempt } from './attempts.ts';
import { attemptOf, nothingKnown } from './attempts.ts';
import { isEndState } from '../columns.ts';
import type { Head } from '../event-chain.ts';
import type { AttemptSteps, LedgerDeps } from './attempt-steps.ts';
import { sealed } from '../sealed/personal-columns.ts';

export class Inheriting {
  readonly #deps: LedgerDeps;
  readonly #steps: AttemptSteps;
  readonly #sql: ReturnType<typeof statementsOf>;

  constructor(deps: LedgerDeps, steps: AttemptSteps) {
    this.#deps = deps;
    this.#steps = steps;
    this.#sql = statementsOf(deps.database);
  }

  /** `undefined` if the release is here already. The returned step needs its own key, and its head must be anchored. */
  step(left: Inheritance): ((slot: number) => Head) | undefined {
    const known = this.#sql.ofRelease.get(left.claim.releaseId);
    if (known === undefined) return (slot) => this.#takeOver(left, slot);
    const attempt = attemptOf(known);
    return this.#isOwedAgain(attempt, left) ? (slot) => this.#takeBack(attempt, left, slot) : undefined;
  }

  /** Writes all the steps that the claim tells of, in their legal order. */
  #takeOver(left: Inheritance, slot: number): Head {
    const { claim, state, job, will, deletionOwed, holdFor, mayHaveArrived } = left;
    const { releaseId } = claim;
    const planned = this.#planTakenOver(left, slot);
    if (state === 'PLANNED') return planned;
    const { printerUri, inOneStep, history } = will;
    const intended =
      printerUri === undefined
        ? this.#steps.advanceToIntent(this.#steps.attempt(releaseId), 'SERVICE-INTENT', {
            serialNumber: history.serialNumber,
            claim,
          })
        : this.#steps.advanceToIntent(this.#steps.attempt(releaseId), 'INTENT', {
            printerUri,
            inOneStep,
            claim,
          });
    if (state === 'INTENT') return intended;
    const current = this.#steps.attempt(releaseId);
    if (state === 'JOB') {
      if (!job) throw new Error(`release ${releaseId} was left without a job`);
      return this.#steps.advanceToJob(current, job);
    }
    const how = { state, deletionOwed, holdFor };
    const ended = this.#steps.advanceToEnd(current, how);
    this.#steps.owe(current, { ...how, mayHaveArrived });
    return ended;
  }

  #planTakenOver({ claim, terminal, from, will }: Inheritance, slot: number): Head {
    const { rowKeys, clock } = this.#deps;
    const { releaseId, documentUuid, number, version } = claim;
    const attempt = this.#steps.attempts.insert({
      ...nothingKnown,
      release_id: releaseId,
      terminal,
      document_uuid: documentUuid,
      state: 'PLANNED',
      started_at: isoInstant(clock.now()),
      claim_number: number,
      document_pages: will.documentPages ?? null,
      job_name: sealed(rowKeys, slot, { kind: 'job-name', releaseId }, will.jobName),
      history: sealed(rowKeys, slot, { kind: 'history', releaseId }, JSON.stringify(will.history)),
    });
    const { cuts } = will;
    const { providerId } = will.history;
    const facts = { releaseId, documentUuid, providerId, from, claim: { number, version }, cuts };
    return this.#deps.chain.append({ attempt, state: 'PLANNED', facts });
  }

  /** The release was ours before the other member took it. That member owed its record, and now we owe it again. */
  #isOwedAgain({ id, release_id: releaseId, state }: Attempt, left: Inheritance): boolean {
    const mayBeOut = isEndState(state) && state !== 'NOOUTPUT' && left.state !== 'PLANNED';
    return mayBeOut && this.#sql.recorded.get(id, releaseId) === undefined;
  }

  #takeBack(current: Attempt, { claim, from, will, ...left }: Inheritance, slot: number): Head {
    const { number, version } = claim;
    const what = { kind: 'history', releaseId: claim.releaseId } as const;
    const history = sealed(this.#deps.rowKeys, slot, what, JSON.stringify(will.history));
    const state = left.state === 'HANDED-OVER' ? left.state : 'UNKNOWN';
    this.#steps.owe({ ...current, history }, { ...left, state });
    const facts = { from, claim: { number, version } };
    return this.#deps.chain.append({ attempt: current.id, state: 'HISTORY-TAKEN-OVER', facts });
  }
}

const statementsOf = (database: LedgerDeps['database']) => ({
  recorded: database.prepare(`
    SELECT 1 FROM event WHERE attempt = ? AND state = 'HISTORY-ACCEPTED' UNION ALL
    SELECT 1 FROM outbox WHERE release_id = ?`),
  ofRelease: database.prepare('SELECT * FROM attempt WHERE release_id = ?'),
});
