/** Output ports and terminal configuration of the simulated cloud (spec, Output ports; api-supplement 12, row 30). */
import { z } from 'zod';
import type { Answer, Call } from './cloud-call.ts';
import { errorAnswer, errorCode, json, Refusal } from './cloud-call.ts';
import type { CloudContext } from './cloud-context.ts';
import { listed } from './cloud-context.ts';
import { formBoolean, formInteger, formText, isoTime, readJson, readQuery } from './cloud-parameters.ts';

const listQuery = z.strictObject({
  providerid: formInteger(0, 2 ** 31 - 1).optional(),
  username: formText.optional(),
  enrichPorts: formBoolean.default(false),
});

export function listOutputPorts(context: CloudContext, call: Call): Answer {
  const { enrichPorts } = readQuery(call, { schema: listQuery, section: 'spec, Output ports' });
  const { settings, state } = context;
  if (call.caller.kind === 'device' && settings.outputPortsFor === 'users') {
    throw new Refusal('a device token is not enough here', errorAnswer(403));
  }
  const ports = state.outputPorts.map(({ accountId, containerName, parentAccountOrContainerId, ...port }) =>
    enrichPorts ? { ...port, accountId, containerName, parentAccountOrContainerId } : port,
  );
  return json(200, listed(ports, settings.listShape));
}

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
      additionalModelInfo: z.string().optional(),
      firmwareVersion: z.string(),
      status: z.int().min(0).max(3),
      statusMessage: z.string(),
      errorData: z.string(),
      modifiedDate: isoTime,
    })
    .nullish(),
});

const statusWord = ['UNKNOWN', 'OK', 'WARNING', 'ERROR'];

export function reportTerminal(context: CloudContext, call: Call): Answer {
  const info = readJson(call, { schema: terminalInfo, section: 'spec, OutputPortInfo.terminalInfo' });
  const { state, clock } = context;
  const id = Number(call.parts['outputportid']);
  const port = state.outputPorts.find((one) => one.id === id);
  if (port === undefined) throw new Refusal('no such output port', errorAnswer(404));
  state.outputPorts = state.outputPorts.map((one) => (one === port ? { ...one, terminalInfo: info } : one));
  state.statusReports.push({ outputPortId: id, at: clock.now(), terminalInfo: info });
  const status = info.terminalStatus;
  context.tell(
    `status: ${port.name} is ${statusWord[status?.status ?? 0]} (${status?.statusMessage || 'no message'})`,
  );
  return json(200, { errorCode: errorCode.ok });
}

/** There is one for one maker's embedded terminal only (spec, Terminal config), hence none here. */
export function terminalConfig(_: CloudContext, call: Call): Answer {
  readQuery(call, { schema: z.strictObject({ serialnumber: formText }), section: 'spec, Terminal config' });
  throw new Refusal('no terminal config', errorAnswer(404));
}
