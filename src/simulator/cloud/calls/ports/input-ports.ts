/** Input ports of the simulated cloud (spec, Input ports). */
import { z } from 'zod';
import type { InputPortInfo } from '../../records/account-records.ts';
import { container } from '../../records/account-records.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, errorAnswer, errorCode, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formBoolean, formId, formInteger, formText, readForm } from '../../parameters.ts';
import { namedAccount } from './output-ports.ts';
import { quartet } from '../../permissions.ts';
import type { CloudState } from '../../state.ts';
import type { Collection } from '../collection.ts';
import type { NamedUser } from '../people/users.ts';
import { isNamed } from '../people/users.ts';

const section = 'spec, Input ports';
const schema = z.strictObject({
  providerid: formId.optional(),
  username: formText.optional(),
  locationids: z.array(formId).optional(),
  enrichPorts: formBoolean.default(false),
});

export function listInputPorts(context: CloudContext, call: Call): Answer {
  return answerList(context, call, {
    schema,
    section,
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

/** All queues belong to the one account. For an unknown user there are none. */
const queuesFor = ({ users, inputPorts }: CloudState, asked: NamedUser): CloudState['inputPorts'] =>
  users.some((one) => isNamed(one, asked)) ? inputPorts : [];

const portForm = z.strictObject({
  id: formId.optional(),
  domainname: formText,
  portname: formText,
  porttype: z.enum(['0', '1']),
  outputportid: formId.optional(),
  /** Bit 0: available by default. No call reports it. */
  portFlags: formInteger(0, Number.MAX_SAFE_INTEGER).optional(),
  locationid: formId.optional(),
});
type PortForm = z.infer<typeof portForm>;

export const inputPorts: Collection<InputPortInfo, PortForm> = {
  path: '/inputports',
  section,
  permissions: quartet('InputPort'),
  calls: { save: 'id', remove: 'code' },
  missing: { remove: 403 },
  codes: { change: errorCode.createInputPort, remove: errorCode.deleteInputPort },
  items: (state) => state.inputPorts,
  list: 'inputPorts',
  read: (call) => readForm(call, { schema: portForm, section }),
  make: (form, { context, id }) => portFrom(context, form, id),
};

function portFrom(context: CloudContext, form: PortForm, id: number): InputPortInfo {
  const { state } = context;
  const account = namedAccount(context, form);
  const isPush = form.porttype === '1';
  if (!isPush && form.outputportid !== undefined) {
    throw new Deviation(
      'outputportid is for push queues',
      section,
      errorAnswer(400, errorCode.createInputPort),
    );
  }
  const output = state.outputPorts.find((one) => one.id === form.outputportid);
  const isOnMap = form.locationid === undefined || state.locations.some((one) => one.id === form.locationid);
  if ((form.outputportid !== undefined && !output) || !isOnMap) {
    throw refused('no such output port or location', 400, errorCode.createInputPort);
  }
  return {
    id,
    name: form.portname,
    portType: isPush ? 1 : 0,
    ...(output && { outputPort: output.name }),
    ...(form.locationid !== undefined && { locationId: form.locationid }),
    ...(account.accountType === container && { containerName: account.name }),
  };
}
