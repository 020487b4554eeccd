/** The port OwnAccount (spec, Users and Balance), with the user's token; the service checks the permissions. */
import { z } from 'zod';
import { plus, zero } from '../../../domain/amount.ts';
import { CardNumber } from '../../../domain/card/card-number.ts';
import type { OwnTransaction, PriceList, TransactionKind } from '../../../domain/own-account.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { OwnAccount } from '../../../domain/ports/own-account.ts';
import type { Login } from '../../../domain/user.ts';
import { deadlines } from '../../http/api.ts';
import type { ResourceDeps } from '../../http/caller.ts';
import { askAs, unlessStatus } from '../../http/caller.ts';
import type { FormField } from '../../http/form.ts';
import { formBody, pathSegment, query } from '../../http/form.ts';
import { expectErrorCodeZero, valueOf } from '../../http/json.ts';
import { listPage } from '../../http/list-answer.ts';
import { visibleText } from '../../../core/text/visible-text.ts';
import { amount } from '../balance.ts';

const mostTransactions = 10;
const longestDescription = 120;

/** Refused by permission, not there, or switched off. */
const notForThem = [403, 404, 405, 501] as const;

/** `detailtype` of `POST /users/<username>`. */
const details = { card: 4, shortId: 5 } as const;

const kinds: Readonly<Record<string, TransactionKind>> = {
  TOP_UP: 'top-up',
  DEDUCTION: 'deduction',
  ADJUSTMENT: 'adjustment',
  RESERVATION: 'reservation',
  RESERVATION_RELEASE: 'reservation-release',
  INITIAL: 'initial',
  WITHDRAW: 'withdraw',
  RENEW: 'renew',
};

const transactionInfo = z
  .object({
    quotaAmount: amount.nullish(),
    walletAmount: amount.nullish(),
    transactionType: z.string().catch(''),
    description: z.string().nullish().catch(undefined),
    timestamp: z.iso.datetime({ offset: true }).nullish().catch(undefined),
  })
  .transform(
    ({ quotaAmount, walletAmount, transactionType, description, timestamp }): OwnTransaction => ({
      kind: (Object.hasOwn(kinds, transactionType) && kinds[transactionType]) || 'other',
      amount: plus(quotaAmount ?? zero, walletAmount ?? zero),
      description: visibleText(description ?? '').slice(0, longestDescription),
      ...(timestamp ? { at: timestamp } : {}),
    }),
  );

const balanceConfigInfo = z.object({
  enabled: z.boolean(),
  bwNormalPage: amount,
  bwLargePage: amount,
  colorNormalPage: amount,
  colorLargePage: amount,
});

const ownCards = z.object({ cards: z.array(z.string().min(1).max(128)).nullish() });

export const createOwnAccount = (deps: ResourceDeps): OwnAccount => new OwnAccountInService(deps);

class OwnAccountInService implements OwnAccount {
  readonly #deps: ResourceDeps;

  constructor(deps: ResourceDeps) {
    this.#deps = deps;
  }

  async transactions(login: Login, options: CallOptions): Promise<readonly OwnTransaction[] | undefined> {
    const fields = [...ownerFields(login), ['maxrecords', mostTransactions] as const];
    const page = await this.#read({
      path: '/api/v1/balance/transactions',
      fields,
      login,
      shape: listPage,
      decimals: ['quotaAmount', 'walletAmount'],
      options,
    });
    return page?.entries.slice(0, mostTransactions).flatMap((entry) => {
      const { success, data } = transactionInfo.safeParse(entry);
      return success ? [data] : [];
    });
  }

  async prices(login: Login, options: CallOptions): Promise<PriceList | undefined> {
    const config = await this.#read({
      path: '/api/v1/balance/config',
      fields: [],
      login,
      shape: balanceConfigInfo,
      decimals: ['bwNormalPage', 'bwLargePage', 'colorNormalPage', 'colorLargePage'],
      options,
    });
    if (!config?.enabled) return undefined;
    const { bwNormalPage, bwLargePage, colorNormalPage, colorLargePage } = config;
    return {
      bwNormal: bwNormalPage,
      bwLarge: bwLargePage,
      colorNormal: colorNormalPage,
      colorLarge: colorLargePage,
    };
  }

  async cards(login: Login, options: CallOptions): Promise<readonly CardNumber[] | undefined> {
    const user = await this.#read({
      path: '/api/v1/users',
      fields: ownerFields(login),
      login,
      shape: ownCards,
      options,
    });
    return user?.cards?.map((number) => new CardNumber(number)) ?? (user && []);
  }

  async dropCards(login: Login, options: CallOptions): Promise<void> {
    await this.#change(login, [['detailtype', details.card]], options);
  }

  async giveShortId(
    shortId: Parameters<OwnAccount['giveShortId']>[0],
    login: Login,
    options: CallOptions,
  ): Promise<void> {
    const fields = [
      ['detailtype', details.shortId],
      ['detaildata', shortId.reveal()],
    ] as const;
    await this.#change(login, fields, options);
  }

  #read<T>(asked: {
    readonly path: string;
    readonly fields: readonly FormField[];
    readonly login: Login;
    readonly shape: z.ZodType<T>;
    readonly decimals?: readonly string[];
    readonly options: CallOptions;
  }): Promise<T | undefined> {
    const { path, fields, login, shape, decimals = [], options } = asked;
    const call = { method: 'GET', path: path + query(fields), shownPath: path, urgency: 'person' } as const;
    const answered = askAs(this.#deps, call, this.#asUser(login, options)).then((answer) => {
      const value = valueOf(answer, shape, { decimals });
      answer.body.fill(0);
      return value;
    });
    return unlessStatus(notForThem, answered);
  }

  async #change(login: Login, fields: readonly FormField[], options: CallOptions): Promise<void> {
    const { userName, providerId } = login.user;
    const body = formBody([['providerid', providerId], ...fields]);
    const call = {
      method: 'POST',
      path: `/api/v1/users/${pathSegment(userName)}`,
      shownPath: '/api/v1/users/<username>',
      urgency: 'person' as const,
      body,
    } as const;
    try {
      expectErrorCodeZero(await askAs(this.#deps, call, this.#asUser(login, options)));
    } finally {
      body.bytes.fill(0);
    }
  }

  #asUser({ token }: Login, { signal }: CallOptions) {
    return { token, signal: this.#deps.clock.deadline(deadlines.interactive, signal) };
  }
}

const ownerFields = ({ user }: Login): readonly FormField[] => [
  ['username', user.userName],
  ['providerid', user.providerId],
];
