/** Groups of the simulated cloud (spec, Groups): the list, and one by its id or its textual id. */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { errorAnswer, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { requireNoParameters } from '../../parameters.ts';

const section = 'spec, Groups';

export function listGroups(context: CloudContext, call: Call): Answer {
  const find = () => context.state.groups;
  return answerList(context, call, { schema: z.strictObject({}), section, find });
}

export function showGroup({ state }: CloudContext, call: Call): Answer {
  requireNoParameters(call, section);
  const id = call.parts['groupid'];
  const group = state.groups.find((one) => String(one.id) === id || one.groupDN === id);
  if (!group) throw new Refusal('no such group', errorAnswer(404));
  return json(200, group);
}
