/** Output ports of the simulated cloud (spec, Output ports): listed, created, changed, moved and deleted. */
import { z } from 'zod';
import { requirePermission } from '../../admission.ts';
import type { Answer, Call } from '../../call.ts';
import { done, errorCode, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { accountOf, portBySerial } from '../../context.ts';
import { nextId } from '../../kept-lists.ts';
import { answerList } from '../../paging.ts';
import { formBoolean, formId, formInteger, formText, readForm } from '../../parameters.ts';
import { quartet } from '../../permissions.ts';
import type { AccountInfo } from '../../records/account-records.ts';
import { container } from '../../records/account-records.ts';
import type { CloudState, OutputPortInfo } from '../../state.ts';
import type { Collection } from '../collection.ts';
import type { NamedUser } from '../people/users.ts';
import { isNamed } from '../people/users.ts';
import { forgetPlaces, renameInQueues } from './queue-places.ts';

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

const section = 'spec, output port parameters';

const identity = {
  domainname: formText,
  portname: formText,
  address: formText,
  porttype: formInteger(0, 1),
};

const details = {
  serviceid: z.array(formId).optional(),
  vendor: formText.optional(),
  embedded: formBoolean.optional(),
  printprotocol: formInteger(0, 2).optional(),
  // 2 is deprecated, but accepted.
  outputtype: formInteger(0, 5).optional(),
  reversefinisher: formBoolean.optional(),
  printerippurl: z.string().optional(),
  modelfamily: formInteger(0, 2).optional(),
  monochromeprinter: formBoolean.optional(),
  ipreaderaddress: z.string().optional(),
  embeddedconfiguration: formId.optional(),
  deviceserial: z.string().optional(),
  matchinginputport: formBoolean.optional(),
  description: z.string().optional(),
  softwareCopyCollation: formBoolean.optional(),
  sendusername: formBoolean.optional(),
  deviceAdminUsername: z.string().optional(),
  deviceAdminPassword: z.string().optional(),
  active: formBoolean.optional(),
  groupNo: z.string().optional(),
};

const creation = z.strictObject({ ...identity, ...details });
/** A change also carries the account, the name and the kind of the port (src/cloud/README.md 12, row 49). */
const change = z.strictObject({ ...identity, address: formText.optional(), ...details });
/** `PUT` creates a port or changes the named one. POST and PATCH have replaced it. */
const older = creation
  .omit({ sendusername: true, active: true, groupNo: true })
  .extend({ id: formId.optional() });
type PortForm = z.infer<typeof change>;
const forms: Readonly<Record<string, z.ZodType<PortForm>>> = { POST: creation, PATCH: change, PUT: older };

export const outputPorts: Collection<OutputPortInfo, PortForm> = {
  path: '/outputports',
  section,
  permissions: quartet('OutputPort'),
  calls: { create: ['POST', 'id'], change: ['PATCH', 'id'], save: 'id', remove: 'code' },
  missing: { remove: 403 },
  codes: { remove: errorCode.deleteOutputPort },
  items: (state) => state.outputPorts,
  list: 'outputPorts',
  open(context, call) {
    if (call.method !== 'PUT') return;
    context.note(call, 'a deprecated call; POST and PATCH replace it', 'spec, Versioning');
  },
  read: (call) =>
    readForm(call, { schema: forms[call.method] ?? change, section, repeatable: ['serviceid'] }),
  make(form, { context, call, id, before }) {
    requireLicenseRights(context, call, form);
    if (!before) return newPort(context, form, id);
    requireOwnAccount(context, before, form);
    requireOwnSerial(context, form, id);
    renameInQueues(context.state, 'outputPort', { before: before.name, after: form.portname });
    return { ...before, ...settingsIn(form) };
  },
  settle: ({ state }) => forgetPlaces(state),
};

function newPort(context: CloudContext, form: PortForm, id: number): OutputPortInfo {
  const { state } = context;
  const account = namedAccount(context, form);
  requireOwnSerial(context, form, id);
  if (form.matchinginputport) {
    state.inputPorts.push({
      id: nextId(state, 'inputPorts'),
      name: form.portname,
      portType: 1,
      outputPort: form.portname,
      ...(account.accountType === container && { containerName: account.name }),
    });
  }
  const place = { ...placeIn(state, account), parentAccountOrContainerId: account.id };
  const named = { id, name: form.portname, address: form.address ?? '', portType: form.porttype };
  return { ...blankPort, ...place, ...named, ...settingsIn(form) };
}

function requireOwnSerial({ state }: CloudContext, { deviceserial }: PortForm, id: number): void {
  const holder = portBySerial(state, deviceserial);
  if (holder === undefined || holder.id === id) return;
  throw refused('the serial number is taken', 400, errorCode.createOutputPort);
}

export function namedAccount(
  { state }: CloudContext,
  { domainname }: Pick<PortForm, 'domainname'>,
): AccountInfo {
  const account = accountOf(state, domainname);
  if (!account) throw refused('no such account', 400, errorCode.accountNotFound);
  return account;
}

/** A container has its own name and belongs to the account of its customer. */
function placeIn({ accounts }: CloudState, { id, name, accountType }: AccountInfo) {
  if (accountType !== container) return { accountId: id, containerName: '' };
  return { accountId: customerOf(accounts, id), containerName: name };
}

/** The account above all containers around this one. */
function customerOf(accounts: CloudState['accounts'], id: number): number {
  const account = accounts.find((one) => one.id === id);
  if (account?.accountType !== container) return id;
  const first = accounts.find((one) => one.accountType !== container);
  return customerOf(accounts, account.parentId ?? first?.id ?? 0);
}

const moveForm = z.strictObject({ domainname: formText, destinationdomainname: formText });

/** A port can only be moved within the hierarchy of its customer account. */
export function moveOutputPort(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: moveForm, section });
  const { state } = context;
  const port = state.outputPorts.find((one) => String(one.id) === call.parts['outputportid']);
  if (!port) throw refused('no such output port', 404);
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

/** A PATCH must name the port's own account. Another account needs the call that moves the port. */
function requireOwnAccount(context: CloudContext, port: OutputPortInfo, form: PortForm): void {
  const { id } = namedAccount(context, form);
  if (id === port.parentAccountOrContainerId) return;
  throw refused('the port stands in another account', 400, errorCode.objectTree);
}

/** `active` and `groupNo` need ViewLicense and ModifyLicense. */
function requireLicenseRights(context: CloudContext, call: Call, { active, groupNo }: PortForm): void {
  if ((active ?? groupNo) !== undefined) requirePermission(context, call, 'ViewLicense', 'ModifyLicense');
}

/** The parameters that were sent, with their names in OutputPortInfo. */
function settingsIn(form: PortForm): Partial<OutputPortInfo> {
  const settings = {
    name: form.portname,
    address: form.address,
    portType: form.porttype,
    services: form.serviceid && { PRINT: form.serviceid },
    vendor: form.vendor,
    embedded: form.embedded,
    printProtocol: form.printprotocol,
    outputType: form.outputtype,
    isReverseFinisher: form.reversefinisher,
    printerIppUrl: form.printerippurl,
    modelFamily: form.modelfamily,
    monochrome: form.monochromeprinter,
    ipReaderAddress: form.ipreaderaddress,
    embeddedConfigurationId: form.embeddedconfiguration,
    deviceSerial: form.deviceserial,
    description: form.description,
    softwareCopyCollation: form.softwareCopyCollation,
    sendUsername: form.sendusername,
    active: form.active,
    groupNo: form.groupNo,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

const blankPort = {
  vendor: 'unknown',
  logoutTimeout: 0,
  autoRelease: false,
  embedded: false,
  monochrome: false,
  trimCardId: false,
  description: '',
  embeddedConfigurationId: 0,
  printProtocol: 0,
  modelFamily: 0,
  outputType: 0,
  services: {},
  deviceSerial: '',
  properties: {},
  decimalFormatForCardIds: false,
  isReverseFinisher: false,
  printerIppUrl: '',
  ipReaderAddress: '',
  softwareCopyCollation: false,
  sendUsername: false,
  registrationSource: 'manual',
  active: true,
  groupNo: '',
  terminalInfo: {},
} as const;
