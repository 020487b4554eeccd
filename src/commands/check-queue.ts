/**
 * `platen check` of a queue of CUPS: where it prints to, and whether CUPS would print a document again by itself or
 * keep it (reliability.md D15). Half of that CUPS tells nobody over IPP; what cannot be seen is said.
 */
import type { TerminalConfig } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { seconds } from '../core/duration.ts';
import { createLog } from '../core/log.ts';
import { complaintAbout } from '../domain/spooler-queue.ts';
import { createIppPrinter } from '../printing/ipp-printer.ts';
import { systemTrust } from '../printing/system-trust.ts';
import { examinationLimit } from './examination.ts';
import type { Io } from './io.ts';

export async function examineQueue({ printer: settings }: TerminalConfig, io: Io): Promise<string> {
  await using printer = createIppPrinter({
    uri: settings.uri,
    outputType: settings.outputType,
    stall: seconds(settings.stallSeconds),
    clock: systemClock,
    log: createLog({ level: 'fatal' }),
    trust: systemTrust(),
  });
  const { queue } = await printer.describe({ signal: systemClock.deadline(examinationLimit, io.stop) });
  if (!queue) throw new Error(`${settings.uri} is no queue; write cups:QUEUE or cups://host/QUEUE`);
  const complaint = complaintAbout(queue);
  if (complaint) throw new Error(complaint);
  return [
    `${queue.name} prints to ${queue.device || 'a printer it does not name'}`,
    `error policy ${queue.errorPolicy}`,
    'the spooler confirms, not the printer',
    'PreserveJobFiles cannot be seen from here: it must be No in cupsd.conf',
  ].join('; ');
}
