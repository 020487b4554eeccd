/**
 * The first question to a service, without an API key or a token (spec, Account: HEAD). If it is answered, a later
 * refusal can be the fault of the key. If it is not answered, the address is wrong, whatever the key is.
 */
import type { Cloud } from '../cloud/client.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import { isProblem, Problem } from '../domain/problem/problem.ts';

/**
 * These answers say nothing about the address: the service, or a server before it, wants more even for this question.
 */
const undecided = [400, 401, 403, 405, 501];

/** Whether the address is proven. Rejects `cloud-not-found` if there is no print service with such an account. */
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
