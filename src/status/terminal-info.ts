/**
 * Composes a terminal's report about itself for the cloud (`terminalInfo` of OutputPortInfo); `reporter.ts` sends it.
 */
import { isoInstant } from '../core/clock.ts';
import { printable } from '../core/text/printable.ts';
import type { Condition } from '../domain/condition.ts';
import type { PrinterDescription } from '../domain/ports/printer-description.ts';
import type { ReaderStatus } from '../domain/ports/readers.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import type { DeployStage, TerminalInfo } from '../domain/terminal/terminal-info.ts';
import { deployStage, statusOf } from '../domain/terminal/terminal-info.ts';

/** The present facts of the terminal. */
export interface TerminalSight {
  readonly version: string;
  /** The conditions that concern the terminal, most serious first. */
  readonly conditions: readonly Condition[];
  /** Wall time of the last change of the conditions. */
  readonly changedAt: number;
  readonly readers: readonly ReaderStatus[];
  /** The printer's last answer, if it has given one. */
  readonly printer: PrinterDescription | undefined;
}

/** Enrollment shows in the deploy stage. Every other code leaves the terminal configured. */
const stages: Partial<Record<ProblemCode, DeployStage>> = {
  'terminal-not-authorized': deployStage.configuring,
  'output-port-unknown': deployStage.configuring,
  'registration-refused': deployStage.failed,
  'registration-faulty': deployStage.failed,
  'api-key-refused': deployStage.failed,
  'device-key-refused': deployStage.failed,
  'trust-withdrawn': deployStage.failed,
};

export function composeTerminalInfo(sight: TerminalSight): TerminalInfo {
  const { conditions, printer } = sight;
  const changedAt = isoInstant(sight.changedAt);
  return {
    deployStatus: { ...deployment(conditions), lastDate: changedAt },
    terminalStatus: {
      terminalVersion: sight.version,
      installationSource: 1,
      cardReaderData: printable(sight.readers.map(readerText).join('; ')),
      modelName: printable(printer?.makeAndModel ?? ''),
      additionalModelInfo: printable(printer ? abilitiesOf(printer) : ''),
      firmwareVersion: printable(printer?.firmware ?? ''),
      status: statusOf(conditions),
      statusMessage: printable(conditions.map(({ detail }) => detail).join('; ')),
      errorData: printable(conditions.map(({ code, subject }) => `${code} ${subject}`).join('; ')),
      modifiedDate: changedAt,
    },
  };
}

/** `/dev/ttyUSB0 (serial): up, 12 frames, 0 garbage, 1 reconnects`; the spec leaves the text to the terminal. */
const readerText = ({ name, kind, state, frames, garbage, reconnects }: ReaderStatus): string =>
  `${name} (${kind}): ${state}, ${frames} frames, ${garbage} garbage, ${reconnects} reconnects`;

const abilitiesOf = ({ formats, mediaReady }: PrinterDescription): string =>
  [...formats, ...mediaReady].join(', ');

const stageOf = ({ code }: Condition): DeployStage => stages[code] ?? deployStage.configured;

function deployment(conditions: readonly Condition[]): { stage: DeployStage; message: string } {
  const hindrance =
    conditions.find((one) => stageOf(one) === deployStage.failed) ??
    conditions.find((one) => stageOf(one) === deployStage.configuring);
  if (!hindrance) return { stage: deployStage.configured, message: '' };
  return { stage: stageOf(hindrance), message: printable(hindrance.detail) };
}
