/** Adds, replaces and removes the groups of a local user of the simulated cloud (spec, Users). */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { done } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { formTexts, readForm } from '../../parameters.ts';
import { groupsCalled } from './groups.ts';
import { namedLocalUser, replaceUser } from './users.ts';

const some = z.strictObject({ groupid: formTexts });
const any = z.strictObject({ groupid: formTexts.default([]) });

const changing =
  (
    schema: z.ZodType<{ groupid: string[] }>,
    become: (old: readonly number[], named: readonly number[]) => readonly number[],
  ) =>
  (context: CloudContext, call: Call): Answer => {
    const reading = { schema, section: 'spec, Users', repeatable: ['groupid'], mayBeEmpty: true } as const;
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
