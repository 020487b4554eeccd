/** Output ports of the simulated cloud that are moved or deleted, and the older forms of making and changing one. */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { done, errorCode, refused, requirePermission } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { formId, formText, readForm, requireNoParameters } from '../../parameters.ts';
import {
  changePort,
  createPort,
  creation,
  customerOf,
  namedAccount,
  namedPort,
  placeIn,
  repeatable,
} from './provisioning.ts';

const section = 'spec, Output ports';

const moveForm = z.strictObject({ domainname: formText, destinationdomainname: formText });

/** Only inside the hierarchy of its parent account. */
export function moveOutputPort(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: moveForm, section });
  const port = namedPort(context, call.parts['outputportid']);
  const { state } = context;
  const from = namedAccount(context, form);
  const to = namedAccount(context, { domainname: form.destinationdomainname });
  const isInside = customerOf(state.accounts, from.id) === customerOf(state.accounts, to.id);
  if (port.parentAccountOrContainerId !== from.id || !isInside) {
    throw refused('not in this hierarchy', 400, errorCode.objectTree);
  }
  const moved = { ...port, ...placeIn(state, to), parentAccountOrContainerId: to.id };
  state.outputPorts = state.outputPorts.map((one) => (one === port ? moved : one));
  context.tell(`output port: ${port.name} is moved to ${to.name}`);
  return done(port.id);
}

export function deleteOutputPort(context: CloudContext, call: Call): Answer {
  requireNoParameters(call, section);
  const port = namedPort(context, call.parts['outputportid'], errorCode.deleteOutputPort);
  const { state } = context;
  state.outputPorts = state.outputPorts.filter((one) => one !== port);
  context.tell(`output port: ${port.name} is gone`);
  return done();
}

const olderForm = creation
  .omit({ sendusername: true, active: true, groupNo: true })
  .extend({ id: formId.optional() });

/** `PUT /outputports`, which POST and PATCH have replaced: answered still, and noticed. */
export function saveOutputPort(context: CloudContext, call: Call): Answer {
  const { id, ...form } = readForm(call, { schema: olderForm, section, repeatable });
  requirePermission(call, id === undefined ? 'CreateOutputPort' : 'ModifyOutputPort');
  context.note(call, 'a deprecated call; POST and PATCH replace it', 'spec, Versioning');
  return id === undefined
    ? createPort(context, form)
    : changePort(context, namedPort(context, String(id)), form);
}
