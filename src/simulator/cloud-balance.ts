/** `POST /balance/check` of the simulated cloud (spec, Balance): the answer is what the settings say. */
import { z } from 'zod';
import type { Answer, Call } from './cloud-call.ts';
import { Deviation, errorAnswer, json } from './cloud-call.ts';
import type { CloudContext } from './cloud-context.ts';
import { readJson } from './cloud-parameters.ts';

const section = 'spec, BalanceCheckData';

const balanceCheckData = z.strictObject({
  uuid: z.string().min(1),
  userName: z.string().min(1),
  providerId: z.int(),
  totalPages: z.int().min(0),
  colorPages: z.int().min(0),
  paperSize: z.string(),
  copies: z.int().min(1),
});

export function checkBalance(context: CloudContext, call: Call): Answer {
  const { uuid, userName, providerId } = readJson(call, { schema: balanceCheckData, section });
  const { caller } = call;
  const isOwn =
    caller.kind === 'user' &&
    caller.user.userName === userName &&
    caller.user.providerId === providerId &&
    context.state.documents.some((one) => one.info.uuid === uuid && one.owner === userName);
  if (!isOwn) throw new Deviation('not a document of this user', section, errorAnswer(403));
  return json(200, context.settings.balance);
}
