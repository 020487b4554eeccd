/**
 * The port Balance: `POST /balance/check` with the user's token before a document is released (spec, Balance
 * structures; api-supplement.md 11, and 12 row 35). Where the service does not answer, the account decides: one that
 * was seen to charge for prints is refused, any other is let through (I9).
 */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Balance } from '../../domain/ports/service.ts';
import { isProblem, Problem } from '../../domain/problem.ts';
import type { Ticket } from '../../domain/release.ts';
import type { Api } from '../api.ts';
import { deadlines } from '../api.ts';
import { jsonBody } from '../form.ts';
import { valueOf } from '../json.ts';

const balanceCheckInfo = z.object({
  balanceEnabled: z.boolean(),
  // These count only where the balance is enabled; there, what is missing or no number is not a yes.
  sufficientBalance: z.boolean().optional().catch(undefined),
  currentBalance: z.number().optional().catch(undefined),
  calculatedCost: z.number().optional().catch(undefined),
});
type BalanceCheckInfo = z.infer<typeof balanceCheckInfo>;

export function createBalance({ api, clock }: { api: Api; clock: Clock }): Balance {
  let isCharging = false;

  const ask = async (ticket: Ticket, { signal }: CallOptions): Promise<BalanceCheckInfo> => {
    const answer = await api.request(
      {
        method: 'POST',
        path: '/api/v1/balance/check',
        bearer: { authority: 'user', token: ticket.token.value },
        body: jsonBody(checkDataOf(ticket)),
      },
      { signal: clock.deadline(deadlines.interactive, signal) },
    );
    return valueOf(answer, balanceCheckInfo);
  };

  const whenUnanswered = (error: unknown): void => {
    // 403: the server decides by itself at the release.
    if (isProblem(error, 'cloud-feature-off', 'cloud-not-found', 'cloud-denied')) return;
    if (!isProblem(error) || error.code === 'user-token-refused') throw error;
    if (isCharging) {
      throw new Problem('balance-unknown', 'the balance could not be checked', { cause: error });
    }
  };

  return {
    async check(ticket, options) {
      let info: BalanceCheckInfo;
      try {
        info = await ask(ticket, options);
      } catch (error) {
        whenUnanswered(error);
        return;
      }
      isCharging = info.balanceEnabled;
      if (isCharging) refuseUncovered(info);
    },
  };
}

function checkDataOf({ document, user }: Ticket): object {
  return {
    uuid: document.uuid,
    userName: user.userName,
    providerId: user.providerId,
    totalPages: document.totalPages,
    colorPages: document.colorPages,
    paperSize: document.paperSize,
    copies: document.copies,
  };
}

function refuseUncovered({ sufficientBalance, currentBalance, calculatedCost }: BalanceCheckInfo): void {
  if (sufficientBalance === undefined || currentBalance === undefined || calculatedCost === undefined) {
    throw new Problem('balance-unknown', 'the answer to the balance check is incomplete');
  }
  if (!sufficientBalance || calculatedCost > currentBalance) {
    throw new Problem('balance-insufficient', 'the balance does not cover the cost');
  }
}
