/**
 * `platen init --dry-run`: shows the answers of the printers and of the service, and the file that would be written. It
 * writes nothing.
 */
import { printable } from '../../../core/text/printable.ts';
import type { Secret } from '../../../core/secret.ts';
import { exitCode } from '../../io.ts';
import type { Answers } from '../answers.ts';
import type { Machine } from '../machine.ts';
import { mistakesIn, unsaidIn } from '../missing.ts';
import { looksAsJson, looksAsTable } from './printer-looks.ts';
import { terminalsOf } from './terminals.ts';

export interface DryRun {
  readonly answers: Answers;
  readonly key: Secret | undefined;
  readonly json: boolean;
  /**
   * Shows the file that would be written, if no answer is missing, and the answer of the service. False: because of
   * that answer, init would not write the file.
   */
  show(terminals: Awaited<ReturnType<typeof terminalsOf>>['terminals']): Promise<boolean>;
}

export async function showWithoutWriting(machine: Machine, dryRun: DryRun): Promise<number> {
  const { io, present } = machine;
  const { answers, key, json } = dryRun;
  const tells = json ? 'nothing' : 'how far';
  const { terminals, looks, missing } = await terminalsOf(answers, present, { io, tells });
  const mistakes = [...mistakesIn(answers, machine), ...missing];
  for (const one of mistakes) io.error(`platen: ${printable(one)}`);
  const code = mistakes.length > 0 ? exitCode.usage : exitCode.ok;
  if (json) {
    io.out(looksAsJson(answers.printers, terminals, looks));
    return code;
  }
  if (looks.length > 0) for (const line of looksAsTable(answers.printers, terminals, looks)) io.out(line);
  const unsaid = unsaidIn(answers, machine, key);
  for (const one of unsaid) io.out(`Still missing: ${one}`);
  const isWritable = mistakes.length + unsaid.length > 0 || (await dryRun.show(terminals));
  io.out('Nothing was written.');
  return isWritable ? code : exitCode.failed;
}
