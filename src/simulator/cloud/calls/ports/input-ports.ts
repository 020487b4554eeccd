/** Input ports of the simulated cloud (spec, Input ports). */
import { z } from 'zod';
import type { InputPortInfo } from '../../account-records.ts';
import { container } from '../../account-records.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, done, errorAnswer, errorCode, refused, requirePermission } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { nextId } from '../../context.ts';
import { answerList } from '../../paging.ts';
import {
  formBoolean,
  formId,
  formInteger,
  formText,
  readForm,
  requireNoParameters,
} from '../../parameters.ts';
import { namedAccount } from './provisioning.ts';
import type { CloudState } from '../../state.ts';
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

/** All belong to the one account; for a user whom nobody knows there are none. */
const queuesFor = ({ users, inputPorts }: CloudState, asked: NamedUser): CloudState['inputPorts'] =>
  users.some((one) => isNamed(one, asked)) ? inputPorts : [];

const portForm = z.strictObject({
  id: formId.optional(),
  domainname: formText,
  portname: formText,
  porttype: z.enum(['0', '1']),
  outputportid: formId.optional(),
  /** Bit 0: available by default. No call tells of it. */
  portFlags: formInteger(0, Number.MAX_SAFE_INTEGER).optional(),
  locationid: formId.optional(),
});
type PortForm = z.infer<typeof portForm>;

/** `PUT /inputports` makes a port, or changes the one whose `id` it names. */
export function saveInputPort(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: portForm, section });
  requirePermission(call, form.id === undefined ? 'CreateInputPort' : 'ModifyInputPort');
  const { state } = context;
  const before = state.inputPorts.find((one) => one.id === form.id);
  if (form.id !== undefined && !before) throw refused('no such input port', 404, errorCode.createInputPort);
  const port = portFrom(context, form, before?.id ?? nextId(state.inputPorts));
  state.inputPorts = [...state.inputPorts.filter((one) => one !== before), port];
  context.tell(`input port: ${port.name} is ${before ? 'changed' : 'new'}`);
  return done(port.id);
}

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
    ...{ id, name: form.portname, portType: isPush ? 1 : 0 },
    ...(output && { outputPort: output.name }),
    ...(form.locationid !== undefined && { locationId: form.locationid }),
    ...(account.accountType === container && { containerName: account.name }),
  };
}

export function deleteInputPort({ state }: CloudContext, call: Call): Answer {
  requireNoParameters(call, section);
  const found = state.inputPorts.find((one) => String(one.id) === call.parts['id']);
  if (!found) throw refused('no such input port', 404, errorCode.deleteInputPort);
  state.inputPorts = state.inputPorts.filter((one) => one !== found);
  return done();
}
