/** Output ports of the simulated cloud that a client creates or changes (spec, Output ports, POST and PATCH). */
import { z } from 'zod';
import type { AccountInfo } from '../../account-records.ts';
import { container } from '../../account-records.ts';
import type { Answer, Call } from '../../call.ts';
import { done, errorAnswer, errorCode, Refusal, refused, requirePermission } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { accountOf, nextId, portBySerial } from '../../context.ts';
import { formBoolean, formInteger, formText, readForm } from '../../parameters.ts';
import type { CloudState, OutputPortInfo } from '../../state.ts';

const section = 'spec, output port parameters';
export const repeatable = ['serviceid'];
const largest = 2 ** 31 - 1;

const identity = {
  domainname: formText,
  portname: formText,
  address: formText,
  porttype: formInteger(0, 1),
};

const details = {
  serviceid: z.array(formInteger(0, largest)).optional(),
  vendor: formText.optional(),
  embedded: formBoolean.optional(),
  printprotocol: formInteger(0, 2).optional(),
  // 2 is deprecated, and taken.
  outputtype: formInteger(0, 5).optional(),
  reversefinisher: formBoolean.optional(),
  printerippurl: z.string().optional(),
  modelfamily: formInteger(0, 2).optional(),
  monochromeprinter: formBoolean.optional(),
  ipreaderaddress: z.string().optional(),
  embeddedconfiguration: formInteger(0, largest).optional(),
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

export const creation = z.strictObject({ ...identity, ...details });
/** Whose port it is, its name and its kind go with a change as well (src/cloud/README.md 12, row 49). */
const change = z.strictObject({ ...identity, address: formText.optional(), ...details });
export type PortForm = z.infer<typeof change>;

export function createOutputPort(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: creation, section, repeatable });
  requireLicenseRights(call, form);
  return createPort(context, form);
}

export function createPort(context: CloudContext, form: z.infer<typeof creation>): Answer {
  const { state } = context;
  const account = namedAccount(context, form);
  if (portBySerial(state, form.deviceserial)) {
    throw new Refusal('the serial number is taken', errorAnswer(400, errorCode.createOutputPort));
  }
  const id = nextId(state.outputPorts);
  const place = { ...placeIn(state, account), parentAccountOrContainerId: account.id };
  const named = { id, name: form.portname, address: form.address, portType: form.porttype };
  state.outputPorts.push({ ...blankPort, ...place, ...named, ...settingsIn(form) });
  if (form.matchinginputport) {
    state.inputPorts.push({
      id: nextId(state.inputPorts),
      name: form.portname,
      portType: 1,
      outputPort: form.portname,
    });
  }
  context.tell(`output port: ${form.portname} is new`);
  return done(id);
}

export function changeOutputPort(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: change, section, repeatable });
  requireLicenseRights(call, form);
  return changePort(context, namedPort(context, call.parts['outputportid']), form);
}

/** The spec names no status for an id that no port has. */
export function namedPort({ state }: CloudContext, id: string | undefined, code?: number): OutputPortInfo {
  const port = state.outputPorts.find((one) => String(one.id) === id);
  if (!port) throw refused('no such output port', 404, code);
  return port;
}

export function changePort(context: CloudContext, port: OutputPortInfo, form: PortForm): Answer {
  const { state } = context;
  requireOwnAccount(context, port, form);
  state.outputPorts = state.outputPorts.map((one) => (one === port ? { ...one, ...settingsIn(form) } : one));
  context.tell(`output port: ${port.name} is changed`);
  return done(port.id);
}

export function namedAccount(
  { state }: CloudContext,
  { domainname }: Pick<PortForm, 'domainname'>,
): AccountInfo {
  const account = accountOf(state, domainname);
  if (!account) throw new Refusal('no such account', errorAnswer(400, errorCode.accountNotFound));
  return account;
}

/** A container goes by its own name, in the account of its customer. */
export function placeIn({ accounts }: CloudState, { id, name, accountType }: AccountInfo) {
  if (accountType !== container) return { accountId: id, containerName: '' };
  return { accountId: customerOf(accounts, id), containerName: name };
}

/** The account at the top of the containers that this one stands in. */
export function customerOf(accounts: CloudState['accounts'], id: number): number {
  const account = accounts.find((one) => one.id === id);
  if (account?.accountType !== container) return id;
  const first = accounts.find((one) => one.accountType !== container);
  return customerOf(accounts, account.parentId ?? first?.id ?? 0);
}

/** A PATCH changes a port where it stands; another account is for the call that moves it. */
function requireOwnAccount(context: CloudContext, port: OutputPortInfo, form: PortForm): void {
  const { id } = namedAccount(context, form);
  if (id === port.parentAccountOrContainerId) return;
  throw new Refusal('the port stands in another account', errorAnswer(400, errorCode.objectTree));
}

/** `active` and `groupNo` need ViewLicense and ModifyLicense. */
function requireLicenseRights(call: Call, { active, groupNo }: PortForm): void {
  if ((active ?? groupNo) !== undefined) requirePermission(call, 'ViewLicense', 'ModifyLicense');
}

/** The parameters under the names OutputPortInfo has for them, those that came. */
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
