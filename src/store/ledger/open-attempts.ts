/** The releases that were under way when the agent ended; the next start settles them (INVARIANTS.md B.1 "Restart"). */
import { z } from 'zod';
import type { Claim } from '../../domain/ports/claims.ts';
import type { OpenAttempt } from '../../domain/ports/ledger.ts';
import type { Attempt } from './attempts.ts';
import { attemptOf } from './attempts.ts';
import { factsText, isEndState } from '../columns.ts';
import type { Database } from '../database.ts';
import { openedMarks } from './event-facts.ts';
import { textIn } from '../sealed/personal-columns.ts';
import type { RowKeys } from '../sealed/row-keys.ts';

/** The oldest first. */
export function createOpenAttempts(options: {
  readonly database: Database;
  readonly rowKeys: RowKeys;
}): () => OpenAttempt[] {
  const { database, rowKeys } = options;
  const allOpen = database.prepare('SELECT * FROM attempt WHERE ended_at IS NULL ORDER BY id');
  const factsOf = database.prepare('SELECT facts FROM event WHERE attempt = ? ORDER BY seq');

  function openAttempt(row: Attempt): OpenAttempt {
    const { release_id: releaseId, job_id: jobId, job_uri: jobUri, job_name } = row;
    if (isEndState(row.state) || job_name === null) throw new Error(`release ${releaseId} is not open`);
    const jobName = textIn(rowKeys, { kind: 'job-name', releaseId }, job_name);
    const events = factsOf.all(row.id).map((event) => factsText.parse(event['facts']));
    const facts: Readonly<Record<string, unknown>> = Object.assign({}, ...events);
    const marks = openedMarks(rowKeys, releaseId, facts['marks']);
    return {
      releaseId,
      terminal: row.terminal,
      state: row.state,
      documentUuid: row.document_uuid,
      jobName,
      printerUri: row.printer_uri ?? undefined,
      inOneStep: facts['inOneStep'] === true,
      job: jobId === null || jobUri === null ? undefined : { jobId, jobUri, jobName, marks },
      claim: claimIn(facts, { documentUuid: row.document_uuid, releaseId }),
      documentPages: row.document_pages ?? undefined,
      ...(typeof facts['from'] === 'string' ? { from: facts['from'] } : {}),
    };
  }

  return () => allOpen.all().map((row) => openAttempt(attemptOf(row)));
}

const claimFacts = z.object({ claim: z.object({ number: z.int(), version: z.int() }) });

/** Only an intent in a fleet has a claim. */
export function claimIn(
  facts: unknown,
  release: Pick<Claim, 'documentUuid' | 'releaseId'>,
): Claim | undefined {
  const { data: found } = claimFacts.safeParse(facts);
  return found && { ...release, ...found.claim };
}
