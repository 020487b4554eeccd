/** A user's record, details, cards and groups in the simulated cloud (spec, Users; src/cloud/README.md 6). */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { done, errorAnswer, errorCode, json, Refusal, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formId, formText, readForm, readQuery } from '../../parameters.ts';
import type { CloudState, CloudUser } from '../../state.ts';

const section = 'spec, Users';
const userQuery = z.strictObject({ username: formText, providerid: formId });

export function showUser({ state }: CloudContext, call: Call): Answer {
  const { username, providerid } = readQuery(call, { schema: userQuery, section });
  const user = state.users.find((one) => one.userName === username && one.providerId === providerid);
  if (!user) throw new Refusal('no such user', errorAnswer(404));
  return json(200, userInfo(user, null));
}

export function enrolCard(context: CloudContext, call: Call): Answer {
  const { cardid } = readForm(call, { schema: z.strictObject({ cardid: formText }), section });
  const user = namedUser(context, call);
  const cards = withCard(context, user, cardid);
  user.cards.splice(0, user.cards.length, ...cards);
  context.tell(`card: ${user.userName} has ${cards.length}`);
  return done();
}

export function listGroupsOfUser(context: CloudContext, call: Call): Answer {
  return answerList(context, call, {
    schema: z.strictObject({}),
    section,
    find() {
      const { groupIds } = namedLocalUser(context, call);
      return context.state.groups.filter((one) => groupIds.includes(one.id));
    },
  });
}

/**
 * The exact name is preferred; otherwise upper and lower case do not matter. For an unknown name the spec lists 400,
 * not 404.
 */
function namedUser({ state }: { state: Pick<CloudState, 'users'> }, call: Call): CloudUser {
  const name = call.parts['username'] ?? '';
  const found = state.users.filter((one) => one.userName.toLowerCase() === name.toLowerCase());
  const user = found.find((one) => one.userName === name) ?? found[0];
  if (!user) throw new Refusal('no such user', errorAnswer(400));
  return user;
}

/** Groups of the API are those of local users (spec, Users). */
export function namedLocalUser({ state }: CloudContext, call: Call): CloudUser {
  const local = state.authProviders.filter(({ providerType }) => providerType === 0).map(({ id }) => id);
  const users = state.users.filter(({ providerId }) => local.includes(providerId));
  return namedUser({ state: { users } }, call);
}

/** Tokens refer to a user by id, so they stay valid. */
export function replaceUser({ state }: CloudContext, before: CloudUser, after: CloudUser): void {
  state.users = state.users.map((one) => (one === before ? after : one));
}

/** Filters of a list for one user: by name, by provider, or both. Provider 0 means any provider. */
export interface NamedUser {
  readonly username?: string | undefined;
  readonly providerid?: number | undefined;
}

export const isNamed = ({ userName, providerId }: CloudUser, { username, providerid }: NamedUser): boolean =>
  (username === undefined || username === userName) && (!providerid || providerid === providerId);

/** UserInfo, field by field. */
export const userInfo = (user: CloudUser, token: object | null) => ({
  id: user.id,
  providerId: user.providerId,
  accountId: user.accountId,
  userName: user.userName,
  fullName: user.fullName,
  email: user.email,
  department: user.department,
  shortId: user.shortId,
  cards: user.cards,
  createdDate: user.createdDate,
  token,
  isExpired: user.isExpired ?? null,
  groupIds: user.groupIds,
});

/** 2 home folder, 7 alias, 12 expiration and 14 external id are stored, but no call reports them. */
const types = ['0', '1', '2', '3', '4', '5', '6', '7', '11', '12', '14'] as const;
/** The details of a user of the simulated cloud, each with the number of its type (spec, Users). */
export type DetailType = (typeof types)[number];
export const formDetailType = z.enum(types);

/** Without data, the detail is removed. Throws if another user has a value that must be unique. */
export function withDetail(
  context: CloudContext,
  user: CloudUser,
  [type, data]: readonly [DetailType, string | undefined],
): CloudUser {
  const text = texts[type];
  if (text !== undefined) return { ...user, [text]: data ?? '' };
  if (type === '4') return { ...user, cards: data === undefined ? [] : withCard(context, user, data) };
  if (type === '5') return { ...user, shortId: ownShortId(context, user, data ?? '') };
  if (type === '6') return withPin(user, data);
  const { [Number(type)]: _, ...others } = user.details ?? {};
  return { ...user, details: data === undefined ? others : { ...others, [Number(type)]: data } };
}

type Texts = Readonly<Partial<Record<DetailType, keyof CloudUser>>>;
const texts: Texts = { 0: 'fullName', 1: 'email', 3: 'password', 11: 'department' };

/** Above this number, the oldest card is removed (src/cloud/README.md 6). */
const mostCards = 5;

function withCard({ state }: CloudContext, { id, cards }: CloudUser, card: string): string[] {
  const holder = state.users.find((one) => one.cards.includes(card));
  if (holder && holder.id !== id) {
    throw refused('the card is somebody else’s', 400, errorCode.enrollCard);
  }
  return holder ? cards : cardsWith(cards, card);
}

export const cardsWith = (cards: readonly string[], card: string): string[] =>
  [...cards, card].slice(-mostCards);

function ownShortId({ state }: CloudContext, { id }: CloudUser, shortId: string): string {
  const isTaken = shortId !== '' && state.users.some((one) => one.shortId === shortId && one.id !== id);
  if (isTaken) throw refused('the short id is somebody else’s', 400, errorCode.updateUser);
  return shortId;
}

function withPin({ pin: _, ...user }: CloudUser, pin: string | undefined): CloudUser {
  return pin === undefined ? user : { ...user, pin };
}
