/** The details of a user of the simulated cloud, each with the number of its type (spec, Users). */
import { z } from 'zod';
import { errorCode, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import type { CloudUser } from '../../state.ts';

/** 2 home folder, 7 alias, 12 expiration and 14 external id are stored, but no call reports them. */
const types = ['0', '1', '2', '3', '4', '5', '6', '7', '11', '12', '14'] as const;
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

export function withCard({ state }: CloudContext, { id, cards }: CloudUser, card: string): string[] {
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
