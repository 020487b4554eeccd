/**
 * The port Balance (spec, Balance structures; src/cloud/README.md 11, and 12 row 35): `POST /balance/check` with the
 * user's token. It is asked before a document is released, and to show its cost; one check of a user at a time
 * (INVARIANTS.md B.4, 4).
 */
import { z } from 'zod';
import { seconds } from '../../core/duration.ts';
import type { Secret } from '../../core/secret.ts';
import { Turns } from '../../core/turnstile.ts';
import type { Env } from '../../domain/env.ts';
import { parseAmount, zero } from '../../domain/amount.ts';
import type { ChargingMemory, Clearance, OwnBalance, Quote } from '../../domain/balance.ts';
import { colorPagesOf } from '../../domain/document.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Balance, Chargeable } from '../../domain/ports/service.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { Login } from '../../domain/user.ts';
import type { Api } from '../http/api.ts';
import { deadlines } from '../http/api.ts';
import { unlessStatus } from '../http/caller.ts';
import { jsonBody, query } from '../http/form.ts';
import { valueOf } from '../http/json.ts';

export interface BalanceDeps extends Pick<Env, 'clock' | 'log'> {
  readonly api: Api;
  readonly onError: 'auto' | 'allow' | 'deny';
  readonly charging: ChargingMemory;
}

/** Forgotten with the process. */
export function chargingInMemory(): ChargingMemory {
  let seen = false;
  return {
    wasSeen: () => seen,
    note(isCharging) {
      seen = isCharging;
    },
  };
}

/** Rejects text that is no decimal; see `decimals` of the JSON door. */
export const amount = z.string().transform((text, context) => {
  const parsed = parseAmount(text);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: 'custom', message: 'is no amount' });
  return z.NEVER;
});

const balanceCheckInfo = z.object({
  balanceEnabled: z.boolean(),
  // These count only if the balance is enabled. Then a missing value, or a text in place of a number, allows no print.
  sufficientBalance: z.boolean().optional().catch(undefined),
  currentBalance: amount.optional().catch(undefined),
  calculatedCost: amount
    .refine((cost) => cost >= zero)
    .optional()
    .catch(undefined),
});
type BalanceCheckInfo = z.infer<typeof balanceCheckInfo>;
const checkDecimals = { decimals: ['currentBalance', 'calculatedCost'] } as const;

const userBalanceInfo = z
  .object({ quotaBalance: amount, walletBalance: amount, totalBalance: amount })
  .transform(
    (info): OwnBalance => ({
      quota: info.quotaBalance,
      wallet: info.walletBalance,
      total: info.totalBalance,
    }),
  );
const ownDecimals = { decimals: ['quotaBalance', 'walletBalance', 'totalBalance'] } as const;

/** An answer that nothing is charged, or that there is no balance at all. */
interface Uncharged {
  readonly answer: Promise<BalanceCheckInfo>;
  /** Monotonic milliseconds. */
  readonly askedAt: number;
}

/** Together with the time for which a release may keep its answer, no longer than the 60 s of INVARIANTS.md B.4, 4. */
const unchargedHolds = seconds(10);

const saysUncharged = (answer: Promise<BalanceCheckInfo>): Promise<boolean> =>
  answer.then(
    ({ balanceEnabled }) => !balanceEnabled,
    (error: unknown) => isProblem(error, 'cloud-feature-off'),
  );

export const createBalance = (deps: BalanceDeps): Balance => new BalanceOfService(deps);

/**
 * If there is no answer, `balance.onError` decides: `auto` refuses if the account was seen to charge for prints, and
 * `deny` always refuses. With both, an account that charges prints nothing without a definite yes (I9). If the service
 * refuses the question itself (400), that is no yes, and no policy replaces it. If nothing is charged, one question is
 * enough for the documents of a moment. If prints are charged, each document is asked for.
 */
class BalanceOfService implements Balance {
  readonly #deps: BalanceDeps;
  readonly #turns = new Turns();
  /** By the token of the user: it is forgotten with the session, and does not count for other users. */
  readonly #uncharged = new WeakMap<Secret, Uncharged>();

  constructor(deps: BalanceDeps) {
    this.#deps = deps;
  }

  async check(ticket: Chargeable, options: CallOptions): Promise<Clearance> {
    try {
      const info = await this.#ask(ticket, options);
      return info.balanceEnabled ? coveredBy(info) : 'not-charged';
    } catch (error) {
      if (!isProblem(error) || error.code === 'balance-insufficient') throw error;
      return this.#letThrough(error);
    }
  }

  async quote(wanted: Chargeable, options: CallOptions): Promise<Quote | undefined> {
    try {
      return quoteOf(await this.#ask(wanted, options));
    } catch (error) {
      if (isProblem(error)) return undefined;
      throw error;
    }
  }

  own({ user, token }: Login, { signal }: CallOptions): Promise<OwnBalance | undefined> {
    const { api, clock } = this.#deps;
    const parameters = query([
      ['username', user.userName],
      ['providerid', user.providerId],
    ]);
    const call = {
      method: 'GET',
      path: `/api/v1/balance${parameters}`,
      urgency: 'person',
      bearer: { authority: 'user', token: token.value },
    } as const;
    const asking = api
      .request(call, { signal: clock.deadline(deadlines.interactive, signal) })
      .then((answer) => valueOf(answer, userBalanceInfo, ownDecimals));
    return unlessStatus([403, 404, 405, 501], asking);
  }

  async #ask(wanted: Chargeable, options: CallOptions): Promise<BalanceCheckInfo> {
    const { charging, clock } = this.#deps;
    using _ = await this.#turns.enter(`${wanted.user.providerId}/${wanted.user.id}`, options);
    const token = wanted.token.value;
    const askedAt = clock.monotonic();
    const known = this.#uncharged.get(token);
    if (known && askedAt - known.askedAt < unchargedHolds) return await known.answer;
    const answer = this.#request(wanted, options);
    // A service that has charged before, and now says that nothing is charged, is asked again for the next document.
    if ((await saysUncharged(answer)) && !charging.wasSeen()) this.#uncharged.set(token, { answer, askedAt });
    return await answer;
  }

  async #request(wanted: Chargeable, { signal }: CallOptions): Promise<BalanceCheckInfo> {
    const { api, charging, clock } = this.#deps;
    const answer = await api.request(
      {
        method: 'POST',
        path: '/api/v1/balance/check',
        bearer: { authority: 'user', token: wanted.token.value },
        body: jsonBody(checkDataOf(wanted)),
        urgency: 'person',
        isRepeatable: true,
      },
      { signal: clock.deadline(deadlines.interactive, signal) },
    );
    const info = valueOf(answer, balanceCheckInfo, checkDecimals);
    charging.note(info.balanceEnabled);
    return info;
  }

  #letThrough(error: Problem): 'unknown-allowed' {
    const { onError, charging, log } = this.#deps;
    if (error.code === 'user-token-refused') throw error;
    const isFault = !isProblem(error, ...noAnswerHere);
    if (isFault) log.warn('balance not checked', { error });
    const isDenied = onError === 'deny' || (onError === 'auto' && isFault && charging.wasSeen());
    if (isDenied || error.code === 'cloud-rejected') {
      throw new Problem('balance-unknown', 'the balance could not be checked', { cause: error });
    }
    return 'unknown-allowed';
  }
}

/** The feature is off; 403: the server decides by itself at the release. */
const noAnswerHere = ['cloud-feature-off', 'cloud-not-found', 'cloud-denied'] as const;

function checkDataOf({ document, user, monochrome }: Chargeable): object {
  const { grayscale } = document;
  const { totalPages, colorPages, paperSize } = document.listed ?? document;
  return {
    uuid: document.uuid,
    userName: user.userName,
    providerId: user.providerId,
    totalPages,
    // Pages that come out grey are charged as grey.
    colorPages: colorPagesOf({ grayscale, colorPages }, { monochrome }),
    paperSize,
    copies: document.copies,
  };
}

function quoteOf(info: BalanceCheckInfo): Quote | undefined {
  const { balanceEnabled, sufficientBalance, currentBalance: balance, calculatedCost: cost } = info;
  if (!balanceEnabled || sufficientBalance === undefined || balance === undefined || cost === undefined) {
    return undefined;
  }
  return { cost, balance, isSufficient: sufficientBalance && cost <= balance };
}

/** A definite no counts even if the rest of the answer is missing. */
function coveredBy(info: BalanceCheckInfo): Quote {
  const quote = quoteOf(info);
  if (info.sufficientBalance === false || quote?.isSufficient === false) {
    throw new Problem('balance-insufficient', 'the balance does not cover the cost');
  }
  if (quote === undefined) {
    throw new Problem('balance-unknown', 'the answer to the balance check is incomplete');
  }
  return quote;
}
