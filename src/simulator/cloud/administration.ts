/** The actions of an administrator of the simulated cloud, or of a test, while it runs. */
import type { BalanceCheckInfo, Delivery } from './settings.ts';
import { chargeByDefault, setUserBalance } from './calls/balance/ledger.ts';
import type { CloudContext } from './context.ts';
import { promptDelivery } from './calls/documents/delivery.ts';
import type { Permission } from './permissions.ts';
import { everydayPermissions } from './permissions.ts';
import type { NewDocument } from '../sample/new-document.ts';
import { waitingDocument } from './population.ts';
import type { PriceList } from './records/balance-records.ts';
import { exact, priceListOf } from './records/balance-records.ts';
import type { Verdict } from './calls/oauth/registration.ts';
import { decide } from './calls/oauth/registration.ts';
import type { CloudDocument, CloudUser } from './state.ts';
import { blankUser } from './calls/people/user-accounts.ts';
import { cardsWith } from './calls/people/users.ts';

/** The card must be unknown so far. */
export type NewUser = Pick<CloudUser, 'userName'> & Partial<CloudUser>;

/** An unknown user, document owner or port name throws `RangeError`. */
export interface Administration {
  /** Approves the named client or all waiting clients, and gives their ids. */
  approve(clientId?: string): readonly string[];
  reject(clientId?: string): readonly string[];
  /** Makes its device tokens invalid from now on. */
  withdrawTrust(clientId?: string): readonly string[];
  /** As if an administrator had deleted the client. */
  deleteEndpoint(clientId: string): void;
  addDocument(document: NewDocument): CloudDocument;
  /** By default, the person has everyday permissions. */
  addUser(user: NewUser): CloudUser;
  addCard(userName: string, card: string): void;
  setPermissions(userName: string, permissions: readonly Permission[]): void;
  /** Decimals per page. A list turns balance on, for all users whose policy is not `free`. No list turns it off. */
  setPrices(prices: PriceList | undefined): void;
  /** The amounts are decimals. */
  setUserBalance(userName: string, amounts: { quota: number; wallet?: number }): void;
  /** Sets the answer to every balance check. With `undefined`, the price list decides. */
  setBalance(balance: BalanceCheckInfo | undefined): void;
  /** Sets how the service prints at this port. Missing values are those of a prompt delivery. */
  setDelivery(outputPortId: number, delivery: Partial<Delivery>): void;
  /** Access tokens of this kind are answered 401 from now on. New tokens work. */
  expireTokens(kind: 'device' | 'user'): void;
  /**
   * A killed client may not know that its refresh token is spent. One more use of each spent token is then no deviation
   * (INVARIANTS.md B.2, step 6). If an answer was lost on the wire, the cloud knows this by itself.
   */
  forgiveReuse(): void;
}

/** `changed` is called after each action. */
export function createAdministration(context: CloudContext, changed: () => void): Administration {
  const { state, settings } = context;
  const act =
    <Given extends readonly unknown[], Result>(action: (...given: Given) => Result) =>
    (...given: Given): Result => {
      const result = action(...given);
      changed();
      return result;
    };
  const verdict = (trust: Verdict) => act((clientId?: string) => decide(context, trust, clientId));
  return {
    approve: verdict('approved'),
    reject: verdict('rejected'),
    withdrawTrust: verdict('withdrawn'),
    deleteEndpoint: act((clientId) => {
      state.endpoints = state.endpoints.filter((one) => one.clientId !== clientId);
    }),
    addDocument: act((document) => {
      const added = waitingDocument(document, state.users, context);
      state.documents.push(added);
      return added;
    }),
    addUser: act((user) => {
      if (state.users.some((one) => one.userName === user.userName)) {
        throw new RangeError(`the simulated cloud has a user ${user.userName} already`);
      }
      const added = newUser(context, user);
      state.users.push(added);
      return added;
    }),
    addCard: act((userName, card) => {
      const { cards } = userCalled(context, userName);
      cards.splice(0, cards.length, ...cardsWith(cards, card));
    }),
    setPermissions: act((userName, permissions) => {
      const user = userCalled(context, userName);
      state.users = state.users.map((one) => (one === user ? { ...one, permissions } : one));
    }),
    setPrices: act((prices) => {
      state.priceList = prices && priceListOf(prices);
      if (prices) chargeByDefault(state);
    }),
    setUserBalance: act((userName, { quota, wallet = 0 }) => {
      const { providerId } = userCalled(context, userName);
      setUserBalance(context, { userName, providerId, quota: exact(quota), wallet: exact(wallet) });
    }),
    setBalance: act((balance) => {
      settings.balance = balance;
    }),
    setDelivery: act((outputPortId, delivery) => {
      settings.deliveries.set(outputPortId, { ...promptDelivery, ...delivery });
    }),
    expireTokens: act((kind) => {
      state.accessTokens = state.accessTokens.filter((one) => one.kind !== kind);
    }),
    forgiveReuse: act(() => {
      for (const token of state.refreshTokens) token.mayRecover ||= token.spentAt !== undefined;
    }),
  };
}

function userCalled({ state }: CloudContext, userName: string): CloudUser {
  const user = state.users.find((one) => one.userName === userName);
  if (!user) throw new RangeError(`the simulated cloud has no user ${userName}`);
  return user;
}

function newUser(context: CloudContext, user: NewUser): CloudUser {
  const [like] = context.state.users;
  const blank = blankUser(context, { userName: user.userName, providerId: like?.providerId ?? 1 });
  return { ...blank, fullName: user.userName, permissions: everydayPermissions, ...user };
}
