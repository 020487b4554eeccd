/** `GET /outputports` of the simulated cloud (spec, Output ports). */
import { z } from 'zod';
import type { Answer, Call } from './cloud-call.ts';
import type { CloudContext } from './cloud-context.ts';
import { answerList } from './cloud-paging.ts';
import { formBoolean, formInteger, formText } from './cloud-parameters.ts';

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
    find: ({ enrichPorts }) =>
      context.state.outputPorts.map(
        ({ accountId, containerName, parentAccountOrContainerId, groupNo, ...port }) => ({
          ...port,
          groupNo: seesLicense ? groupNo : '',
          ...(enrichPorts ? { accountId, containerName, parentAccountOrContainerId } : {}),
        }),
      ),
  });
}
