/** `GET` and `HEAD /account` and `GET /account/containers` of the simulated cloud (spec, Account). */
import { z } from 'zod';
import type { AccountInfo } from '../../records/account-records.ts';
import { container } from '../../records/account-records.ts';
import type { Answer, Call } from '../../call.ts';
import { empty, errorAnswer, errorCode, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { accountAskedFor } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formText, readQuery } from '../../parameters.ts';

export function showAccount(context: CloudContext, call: Call): Answer {
  const { parentId: _, ...account } = askedAccount(context, call);
  const [primaryDomain] = account.domainNames;
  return json(200, { ...account, ...(primaryDomain === undefined ? {} : { primaryDomain }) });
}

/** Tells a caller without a key whether the account exists. */
export function findAccount(context: CloudContext, call: Call): Answer {
  askedAccount(context, call);
  return empty(200);
}

/** ContainerInfo of the spec. */
export function listContainers(context: CloudContext, call: Call): Answer {
  const { accounts } = context.state;
  return answerList(context, call, {
    schema: z.strictObject({}),
    section: 'spec, Account',
    find: () =>
      accounts
        .filter(({ accountType }) => accountType === container)
        .map(({ id, name, domainNames, timezone }) => ({ id, name, domainNames, timezone })),
  });
}

function askedAccount({ state }: CloudContext, call: Call): AccountInfo {
  const schema = z.strictObject({ domainname: formText.optional() });
  const { domainname } = readQuery(call, { schema, section: 'spec, Account' });
  const account = accountAskedFor(state, call, domainname);
  if (!account) throw new Refusal('no such account', errorAnswer(404, errorCode.accountNotFound));
  return account;
}
