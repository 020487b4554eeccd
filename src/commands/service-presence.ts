/**
 * The first question to a service, asked without API key and token (spec, Account: HEAD): only where it is answered can a
 * refusal that follows be the key's fault, and where it is not the address is wrong, whatever the key.
 */
import type { Cloud } from '../cloud/client.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';

/** What says nothing of the address: this service, or something before it, wants more even for this question. */
const undecided = [400, 401, 403, 405, 501];

/** Whether the address is proven. Rejects `cloud-not-found` where there is no print service with an account for it. */
export async function askPresence(cloud: Cloud, baseUrl: string, call: CallOptions): Promise<boolean> {
  try {
    if (await cloud.directory().accounts.exists(call)) return true;
  } catch (error) {
    if (isProblem(error) && undecided.includes(error.status ?? 0)) return false;
    throw error;
  }
  throw new Problem(
    'cloud-not-found',
    `${baseUrl} answers, but has no account for this address (HEAD /api/v1/account: status 404)`,
    { status: 404 },
  );
}
