/** Terminals of the simulated cloud: their configurations (spec, Terminal config), and their status reports. */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { errorAnswer, errorCode, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { accountOf, portBySerial } from '../../context.ts';
import { grown, nextId } from '../../kept-lists.ts';
import { formInteger, formText, isoTime, readForm, readJson, readQuery } from '../../parameters.ts';
import type { TerminalConfig } from '../../records/account-records.ts';

const section = 'spec, Terminal config';

/** Only one maker's embedded terminal has a configuration (spec), so most devices get 404. */
export function showTerminalConfig({ state }: CloudContext, call: Call): Answer {
  const schema = z.strictObject({ serialnumber: formText });
  const port = portBySerial(state, readQuery(call, { schema, section }).serialnumber);
  const found = state.terminalConfigs.find(({ devices }) => devices.some((id) => id === port?.id));
  if (!found) throw new Refusal('no terminal config', errorAnswer(404));
  return json(200, found.config);
}

const creation = z.strictObject({
  domain: formText,
  name: formText,
  vendor: formText,
  adminuser: z.string().default(''),
  adminpassword: z.string().default(''),
  applicationtype: formInteger(0, 3).default(0),
  devices: z.array(formInteger(1, 2 ** 31 - 1)).default([]),
});

export function createTerminalConfig(context: CloudContext, call: Call): Answer {
  const { domain, name, devices } = readForm(call, { schema: creation, section, repeatable: ['devices'] });
  const { state } = context;
  const areKnown = devices.every((id) => state.outputPorts.some((one) => one.id === id));
  if (!accountOf(state, domain) || !areKnown) {
    throw new Refusal('no such account or port', errorAnswer(400, errorCode.createTerminalConfig));
  }
  const id = nextId(state, 'terminalConfigs');
  state.terminalConfigs.push({ id, name, devices, config: plainTerminal });
  context.tell(`terminal config: “${name}” is new`);
  return json(200, { errorCode: errorCode.ok, id });
}

/** Prints, signs in by card or short id, and enrols cards by one-time password. */
export const plainTerminal: TerminalConfig = {
  services: {
    scanToMe: {
      serviceId: 'SCANTOMAIL',
      enabled: false,
      instanceIndex: 1,
      smtp: {
        server: '',
        port: 25,
        security: { mode: 'none', disableCertificateCheck: false },
        user: '',
        password: '',
        senderEmail: '',
        disableUserAuthentication: false,
      },
    },
    print: { serviceId: 'PRINT', enabled: true, instanceIndex: 1 },
    printShortcut: { serviceId: 'SHSVCPRINT', enabled: true },
    shOfficeShortcut: { serviceId: 'SHOFFICE', enabled: false, tenant: { tenantId: '', clientId: '' } },
    copyShortcut: { serviceId: 'STANDARDCOPY', enabled: false },
    standardScanShortcut: { serviceId: 'STANDARDSCAN', enabled: false },
    standardFaxShortcut: { serviceId: 'STANDARDFAX', enabled: false },
  },
  'authentication-way': {
    oneTimePasswordEnrollment: true,
    cardOnlyAuthentication: false,
    shortIdAuthentication: true,
    developerLogEnabled: false,
  },
};

const terminalInfo = z.strictObject({
  deployStatus: z
    .strictObject({ stage: z.int().min(0).max(8), message: z.string(), lastDate: isoTime })
    .nullish(),
  terminalStatus: z
    .strictObject({
      terminalVersion: z.string(),
      installationSource: z.int().min(0).max(4),
      cardReaderData: z.string(),
      modelName: z.string(),
      additionalModelInfo: z.string(),
      firmwareVersion: z.string(),
      status: z.int().min(0).max(3),
      statusMessage: z.string(),
      errorData: z.string(),
      modifiedDate: isoTime,
    })
    .nullish(),
});

const statusWord = ['UNKNOWN', 'OK', 'WARNING', 'ERROR'];

/** The status report of a terminal to the simulated cloud (src/cloud/README.md 12, row 30). */
export function reportTerminal(context: CloudContext, call: Call): Answer {
  const info = readJson(call, { schema: terminalInfo, section: 'spec, OutputPortInfo.terminalInfo' });
  const { state, clock } = context;
  const id = Number(call.parts['outputportid']);
  const port = state.outputPorts.find((one) => one.id === id);
  if (port === undefined) throw new Refusal('no such output port', errorAnswer(404));
  state.outputPorts = state.outputPorts.map((one) => (one === port ? { ...one, terminalInfo: info } : one));
  state.statusReports = grown(state.statusReports, { outputPortId: id, at: clock.now(), terminalInfo: info });
  const status = info.terminalStatus;
  context.tell(
    `status: ${port.name} is ${statusWord[status?.status ?? 0]} (${status?.statusMessage || 'no message'})`,
  );
  return json(200, { errorCode: errorCode.ok });
}
