/** Local groups of the simulated cloud and their members (spec, Groups), and the groups of a user (spec, Users). */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { done, errorCode, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { nextId } from '../../kept-lists.ts';
import { answerList } from '../../paging.ts';
import { formText, formTexts, readForm } from '../../parameters.ts';
import { quartet } from '../../permissions.ts';
import type { GroupInfo } from '../../records/account-records.ts';
import type { CloudState } from '../../state.ts';
import type { Collection } from '../collection.ts';
import { namedLocalUser, replaceUser, userInfo } from './users.ts';

const section = 'spec, Groups';
const schema = z.strictObject({ groupname: formText, groupdn: formText.optional() });
type GroupForm = z.infer<typeof schema>;

export const groups: Collection<GroupInfo, GroupForm> = {
  path: '/groups',
  section,
  permissions: quartet('User'),
  calls: { list: true, one: true, create: ['PUT', 'id'], remove: 'code' },
  codes: { remove: errorCode.deleteGroup },
  items: (state) => state.groups,
  list: 'groups',
  isCalled,
  read: (call) => readForm(call, { schema, section }),
  make({ groupname, groupdn }, { context: { state, chance }, id }) {
    // A text id that equals the key of a group would name two groups.
    const isTaken = state.groups.some(
      (one) => one.groupName === groupname || one.groupDN === groupdn || String(one.id) === groupdn,
    );
    if (isTaken) throw refused('there is such a group', 400, errorCode.createGroup);
    return { id: ownId(state, id), groupName: groupname, groupDN: groupdn ?? chance.uuid() };
  },
  settle({ state }) {
    const isThere = (id: number) => state.groups.some((one) => one.id === id);
    state.users = state.users.map((one) => ({ ...one, groupIds: one.groupIds.filter(isThere) }));
    state.balancePolicies = state.balancePolicies.map((one) => ({
      ...one,
      groupIds: one.groupIds.filter(isThere),
    }));
  },
};

export function listMembers(context: CloudContext, call: Call): Answer {
  const { state } = context;
  return answerList(context, call, {
    schema: z.strictObject({}),
    section,
    find() {
      const group = state.groups.find((one) => isCalled(one, call.parts['groupid'] ?? ''));
      if (!group) throw refused('no such group', 404);
      return state.users
        .filter(({ groupIds }) => groupIds.includes(group.id))
        .map((one) => userInfo(one, null));
    },
  });
}

/** A key that is not the text id of another group. */
const ownId = (state: CloudState, id: number): number =>
  state.groups.some(({ groupDN }) => groupDN === String(id)) ? ownId(state, nextId(state, 'groups')) : id;

/** A group is found by its key or by its text id. */
function isCalled({ id, groupDN }: GroupInfo, name: string): boolean {
  return String(id) === name || groupDN === name;
}

/** The ids of the named groups. Throws if a group is missing. */
function groupsCalled({ state }: CloudContext, names: readonly string[]): readonly number[] {
  return names.map((name) => {
    const found = state.groups.find((one) => isCalled(one, name));
    if (!found) throw refused(`no group ${name}`, 400);
    return found.id;
  });
}

/** The group with this name. It is created if it is missing. */
export function groupNamed({ state, chance }: CloudContext, groupName: string): GroupInfo {
  const found = state.groups.find((one) => one.groupName === groupName);
  if (found) return found;
  const made = { id: ownId(state, nextId(state, 'groups')), groupName, groupDN: chance.uuid() };
  state.groups.push(made);
  return made;
}

const some = z.strictObject({ groupid: formTexts });
const any = z.strictObject({ groupid: formTexts.default([]) });

const changing =
  (
    form: z.ZodType<{ groupid: string[] }>,
    become: (old: readonly number[], named: readonly number[]) => readonly number[],
  ) =>
  (context: CloudContext, call: Call): Answer => {
    const reading = {
      schema: form,
      section: 'spec, Users',
      repeatable: ['groupid'],
      mayBeEmpty: true,
    } as const;
    const { groupid } = readForm(call, reading);
    const user = namedLocalUser(context, call);
    const groupIds = [...new Set(become(user.groupIds, groupsCalled(context, groupid)))];
    replaceUser(context, user, { ...user, groupIds });
    context.tell(`groups: ${user.userName} is in ${groupIds.length}`);
    return done();
  };

export const addGroups = changing(some, (old, named) => [...old, ...named]);
export const replaceGroups = changing(any, (_, named) => named);
export const removeGroups = changing(some, (old, named) => old.filter((id) => !named.includes(id)));
