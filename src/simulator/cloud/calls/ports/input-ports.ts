/** `GET /inputports` of the simulated cloud (spec, Input ports). */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formBoolean, formInteger, formText } from '../../parameters.ts';
import type { CloudState } from '../../state.ts';
import type { NamedUser } from '../people/users.ts';
import { isNamed } from '../people/users.ts';

const largest = 2 ** 31 - 1;
const schema = z.strictObject({
  providerid: formInteger(0, largest).optional(),
  username: formText.optional(),
  locationids: z.array(formInteger(0, largest)).optional(),
  enrichPorts: formBoolean.default(false),
});

export function listInputPorts(context: CloudContext, call: Call): Answer {
  return answerList(context, call, {
    schema,
    section: 'spec, Input ports',
    repeatable: ['locationids'],
    find: ({ locationids, enrichPorts, ...asked }) =>
      queuesFor(context.state, asked)
        .filter(({ locationId }) => !locationids || locationids.some((id) => id === locationId))
        .map(({ locationId, containerName, ...port }) =>
          enrichPorts
            ? { ...port, locationId: locationId ?? null, containerName: containerName ?? null }
            : port,
        ),
  });
}

/** All belong to the one account; for a user whom nobody knows there are none. */
const queuesFor = ({ users, inputPorts }: CloudState, asked: NamedUser): CloudState['inputPorts'] =>
  users.some((one) => isNamed(one, asked)) ? inputPorts : [];
