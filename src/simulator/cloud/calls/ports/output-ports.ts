/** `GET /outputports` of the simulated cloud (spec, Output ports). */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formBoolean, formInteger, formText } from '../../parameters.ts';
import type { CloudState } from '../../state.ts';
import type { NamedUser } from '../people/users.ts';
import { isNamed } from '../people/users.ts';

const schema = z.strictObject({
  providerid: formInteger(0, 2 ** 31 - 1).optional(),
  username: formText.optional(),
  enrichPorts: formBoolean.default(false),
});

export function listOutputPorts(context: CloudContext, call: Call): Answer {
  const { caller } = call;
  const seesLicense = caller.kind === 'user' && caller.user.permissions.includes('ViewLicense');
  return answerList(context, call, {
    schema,
    section: 'spec, Output ports',
    find: ({ enrichPorts, ...asked }) =>
      portsFor(context.state, asked).map(
        ({ accountId, containerName, parentAccountOrContainerId, groupNo, ...port }) => ({
          ...port,
          groupNo: seesLicense ? groupNo : '',
          ...(enrichPorts ? { accountId, containerName, parentAccountOrContainerId } : {}),
        }),
      ),
  });
}

/** The ports of the named user's account. For an unknown user there are none. */
function portsFor({ users, outputPorts }: CloudState, { username, providerid }: NamedUser) {
  if (username === undefined && providerid === undefined) return outputPorts;
  const accounts = users
    .filter((one) => isNamed(one, { username, providerid }))
    .map(({ accountId }) => accountId);
  return outputPorts.filter(({ accountId }) => accounts.includes(accountId));
}
