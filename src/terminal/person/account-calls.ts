/**
 * The calls to the service for the screen of a person's own account. The account is read when the screen is opened, and
 * changed by a single deed at a time. Before the first change the person proves who they are.
 */
import type { Clock } from '../../core/clock.ts';
import { hours, seconds } from '../../core/duration.ts';
import type { Secret } from '../../core/secret.ts';
import type { Env } from '../../domain/env.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import { drawnShortId } from '../../domain/login.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { isSameOwner } from '../../domain/ports/owed-cards.ts';
import type { OwnAccount } from '../../domain/ports/own-account.ts';
import type { Balance, Logins, Users } from '../../domain/ports/service.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import { logFailure, serviceFailure } from '../../domain/problem/service-failure.ts';
import type { Login, User } from '../../domain/user.ts';
import type { Admit } from '../admission.ts';
import type { Calls, Session } from '../given.ts';
import { cardDropped, registered, shortIdGiven } from '../notices.ts';
import { untilSettled } from '../registration.ts';
import type { Altered, Deed, FoundAccount } from './account-context.ts';
import { CardOfAnother } from './account-context.ts';
import { dropCard } from './card-drop.ts';
import type { CardReturn } from './card-return.ts';
import { holderOf } from './card-return.ts';

export interface AccountCallDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  readonly account: OwnAccount;
  readonly balance: Pick<Balance, 'own'>;
  readonly users: Pick<Users, 'enrolCard'>;
  readonly logins: Logins;
  readonly cardReturn: Pick<CardReturn, 'begin'>;
  readonly admit: Admit;
}

/** For all calls of a deed together. Shorter than the machine's own limit of a call. */
const limit = seconds(25);
/** A short id may belong to another person already. */
const mostShortIds = 3;

export const accountCalls = (
  deps: AccountCallDeps,
  refused = new RefusedDeeds(deps.clock),
): Pick<Calls, 'readAccount' | 'prove' | 'alterAccount'> => ({
  readAccount: async ({ session }, { signal }) => ({
    ...(await readAll(deps, session.login, { signal })),
    denied: refused.of(session.login.user),
  }),

  async prove({ session, credentials }, { signal }) {
    const { user } = await deps.admit(credentials, { signal });
    if (!isSameOwner(user, session.login.user)) throw new Problem('login-refused', 'somebody else signed in');
  },

  async alterAccount({ session, deed }) {
    const facts = { sessionId: session.id, deed: deed.kind };
    try {
      // The deed is finished even if another person comes meanwhile, because half a deed would be worse.
      const altered = await alter(deps, { session, deed }, { signal: deps.clock.deadline(limit) });
      deps.log.info('account changed', facts);
      return altered;
    } catch (error) {
      if (isProblem(error, 'cloud-denied')) refused.note(session.login.user, deed.kind);
      // Logged also when the person has left and cannot be told.
      if (!(error instanceof CardOfAnother))
        logFailure(deps.log, 'account not changed', serviceFailure(error), facts);
      throw error;
    }
  },
});

/** Facts that the service does not have are left out. Facts that failed to load are marked as missing. */
async function readAll(
  { account, balance, log }: AccountCallDeps,
  login: Login,
  options: CallOptions,
): Promise<Omit<FoundAccount, 'denied'>> {
  let isIncomplete = false;
  const part = async <T>(asked: Promise<T | undefined>): Promise<T | undefined> => {
    try {
      return await asked;
    } catch (error) {
      if (options.signal.aborted || isProblem(error, 'user-token-refused')) throw error;
      logFailure(log, 'account not read', serviceFailure(error));
      isIncomplete = true;
      return undefined;
    }
  };
  const [own, transactions, prices, cards] = await Promise.all([
    part(balance.own(login, options)),
    part(account.transactions(login, options)),
    part(account.prices(login, options)),
    part(account.cards(login, options)),
  ]);
  return {
    ...(own && { balance: own }),
    ...(transactions && { transactions }),
    ...(prices && { prices }),
    ...(cards && { cards }),
    isIncomplete,
  };
}

interface Altering {
  readonly session: Session;
  readonly deed: Deed;
}

async function alter(
  deps: AccountCallDeps,
  { session, deed }: Altering,
  options: CallOptions,
): Promise<Altered> {
  const { login } = session;
  switch (deed.kind) {
    case 'drop':
      await dropCard(deps, { login, card: deed.card }, options);
      return { notice: cardDropped };
    case 'register':
      if (deed.card) await registerCard(deps, { login, card: deed.card }, options);
      return { notice: registered };
    default:
      return { notice: shortIdGiven, shortId: await newShortId(deps, login, options) };
  }
}

interface OwnCard {
  readonly login: Login;
  readonly card: CardNumber;
}

/** A card that signs in another person is not registered: its holder is at the terminal. */
async function registerCard(
  deps: AccountCallDeps,
  { login, card }: OwnCard,
  options: CallOptions,
): Promise<void> {
  const holder = await holderOf(card, deps.logins, options);
  if (holder && !isSameOwner(holder, login.user)) throw new CardOfAnother(card);
  if (holder) return;
  const asUser = { ...options, token: login.token };
  await untilSettled(() => deps.users.enrolCard(login.user, card, asUser), asUser, deps);
}

async function newShortId(deps: AccountCallDeps, login: Login, options: CallOptions): Promise<Secret> {
  for (let tries = 1; ; tries += 1) {
    const shortId = drawnShortId(deps.chance);
    try {
      await deps.account.giveShortId(shortId, login, options);
      return shortId;
    } catch (error) {
      if (tries === mostShortIds || !isProblem(error, 'cloud-rejected')) throw error;
    }
  }
}

type Kind = Deed['kind'];
const kinds: readonly Kind[] = ['drop', 'register', 'short-id'];

const keptFor = hours(24);
const most = 1_000;

/**
 * The deeds that the service refused to a person by permission. The service does not tell this in advance, so a deed is
 * tried once. Then it is not offered to this person for a day, because they would type their password in vain. Only the
 * person's number is kept, in memory.
 */
class RefusedDeeds {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** The oldest entry first. */
  readonly #until = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  note(user: User, kind: Kind): void {
    const key = keyOf(user, kind);
    this.#until.delete(key);
    this.#until.set(key, this.#clock.monotonic() + keptFor);
    const [oldest] = this.#until.keys();
    if (this.#until.size > most && oldest !== undefined) this.#until.delete(oldest);
  }

  of(user: User): readonly Kind[] {
    const now = this.#clock.monotonic();
    return kinds.filter((kind) => (this.#until.get(keyOf(user, kind)) ?? now) > now);
  }
}

const keyOf = ({ providerId, id }: User, kind: Kind): string => `${providerId} ${id} ${kind}`;
