/** The status report of a terminal to the simulated cloud (src/cloud/README.md 12, row 30). */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { errorAnswer, errorCode, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { isoTime, readJson } from '../../parameters.ts';
import { grown } from '../../growing.ts';

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
