/**
 * Whether a printer answers questions about jobs, found out without a job: it is asked about a job that cannot exist
 * (RFC 8011 sections 4.2.6 and 4.3.4). Ricoh and HP were seen to refuse every Get-Job-Attributes
 * (gmuth/ipp-client-kotlin#40), RISO every Get-Jobs (HPInc/jipp#191).
 */
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { JobQuestions } from '../../../domain/ports/printer-description.ts';
import { isProblem } from '../../../domain/problem/problem.ts';
import { attribute } from '../../../ipp/message.ts';
import { isSuccessful, statusCodes, statusName } from '../../../ipp/registry.ts';
import { integer, keyword } from '../../../ipp/values.ts';
import type { IppClient, IppRequest } from '../wire/ipp-client.ts';
import { isDefinite, refusalOf } from '../wire/refusal.ts';

/** The highest possible id: job-id is `integer(1:MAX)` (RFC 8011 section 5.3.2). */
const unusedJobId = 2_147_483_647;

const aboutJob: IppRequest = {
  operation: 'Get-Job-Attributes',
  jobId: unusedJobId,
  attributes: [attribute('requested-attributes', keyword('job-state'))],
};

/** The same question as for a job that the printer no longer tells of. */
const aboutEnded: IppRequest = {
  operation: 'Get-Jobs',
  attributes: [
    attribute('limit', integer(1)),
    attribute('requested-attributes', keyword('job-id')),
    attribute('which-jobs', keyword('completed')),
  ],
};

export async function jobQuestions(client: IppClient, options: CallOptions): Promise<JobQuestions> {
  const job = await answerTo(client, aboutJob, options);
  return { job, list: await answerTo(client, aboutEnded, options) };
}

/** Rejects only by the signal. */
async function answerTo(client: IppClient, request: IppRequest, options: CallOptions): Promise<string> {
  try {
    const answer = await client.ask(request, options);
    const { code } = answer;
    // "Not found" is the right answer about a missing job; for a list it is a refusal.
    const isUnknownJob =
      request.jobId !== undefined &&
      (code === statusCodes['client-error-not-found'] || code === statusCodes['client-error-gone']);
    if (isSuccessful(code) || isUnknownJob) return 'answers';
    const refusal = refusalOf(answer);
    return refusal && isDefinite(refusal) ? statusName(code) : 'unknown';
  } catch (error) {
    options.signal.throwIfAborted();
    return isProblem(error, 'printer-denied') ? 'client-error-not-authenticated' : 'unknown';
  }
}
