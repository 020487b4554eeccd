/**
 * Rules against double or unknown names for people and documents. They apply to the seed file of a simulated cloud, and
 * to additions of a test over `/simulator`.
 */
import type { Mistake } from '../../config/mistakes.ts';
import { didYouMean } from '../../core/text/near-word.ts';
import { allPermissions } from '../cloud/permissions.ts';
import type { SeedFile } from './seed-schema.ts';

type User = SeedFile['users'][number];
type NewDocument = SeedFile['documents'][number];

/** The names and numbers that are already in use. */
export interface Taken {
  readonly userNames: Set<string>;
  readonly shortIds: Set<string>;
  readonly cards: Set<string>;
  readonly uuids: Set<string>;
}

interface Others {
  readonly users: readonly Pick<User, 'userName' | 'shortId' | 'cards'>[];
  readonly documents: readonly Pick<NewDocument, 'uuid'>[];
}

export function takenBy({ users, documents }: Others): Taken {
  return {
    userNames: new Set(users.map(({ userName }) => userName)),
    shortIds: new Set(users.map(({ shortId }) => shortId)),
    cards: new Set(users.flatMap(({ cards }) => cards)),
    uuids: new Set(documents.flatMap(({ uuid }) => uuid ?? [])),
  };
}

/** `path` is relative to the entry. The call also adds this person's names and numbers to `taken`. */
export function mistakesOfUser(user: User, taken: Taken, groups: readonly string[]): readonly Mistake[] {
  const { userName, shortId, cards, permissions } = user;
  return [
    ...takes(taken.userNames, userName, { path: ['userName'], what: 'name of another user' }),
    ...takes(taken.shortIds, shortId, { path: ['shortId'], what: 'short id of another user' }),
    ...cards.flatMap((card, at) =>
      cards.indexOf(card) < at
        ? [{ path: ['cards', at], message: `"${card}" is given twice` }]
        : takes(taken.cards, card, { path: ['cards', at], what: 'card of another person' }),
    ),
    ...user.groups.flatMap((group, at) =>
      user.groups.indexOf(group) < at
        ? [{ path: ['groups', at], message: `"${group}" is given twice` }]
        : unknown(group, groups, { path: ['groups', at], list: 'groups' }),
    ),
    ...(Array.isArray(permissions) ? permissions : []).flatMap((one, at) =>
      unknownPermission(one, ['permissions', at]),
    ),
  ];
}

export const unknownPermission = (name: string, path: Mistake['path']): readonly Mistake[] =>
  unknown(name, allPermissions, { path, list: "the specification's permissions" });

/** The same for a document. `file` is its content, or the name of the file that came with it. */
export function mistakesOfDocument(
  { owner, name, file, uuid = '' }: Pick<NewDocument, 'owner' | 'name' | 'file' | 'uuid'>,
  taken: Taken,
): readonly Mistake[] {
  return [
    ...unknown(owner, [...taken.userNames], { path: ['owner'], list: 'users' }),
    ...takes(taken.uuids, uuid, { path: ['uuid'], what: 'uuid of another document' }),
    ...(name === undefined && file === undefined
      ? [{ path: [], message: 'has neither a name nor a file; give one of them' }]
      : []),
  ];
}

/** An empty text does not count as taken. */
function takes(
  those: Set<string>,
  name: string,
  { path, what }: { readonly path: Mistake['path']; readonly what: string },
): readonly Mistake[] {
  if (name === '') return [];
  if (those.has(name)) return [{ path, message: `"${name}" is the ${what}` }];
  those.add(name);
  return [];
}

export function unknown(
  name: string,
  names: readonly string[],
  { path, list }: { readonly path: Mistake['path']; readonly list: string },
): readonly Mistake[] {
  if (names.includes(name)) return [];
  return [{ path, message: `"${name}" is not among ${list}${didYouMean(name, names)}` }];
}
