/** The terminal's report about itself: `terminalInfo` of the spec's OutputPortInfo. */
import type { Condition } from '../condition.ts';

/** deployStatus.stage of the spec, without the stages that a running agent cannot have. */
export const deployStage = { configuring: 4, configured: 5, failed: 6 } as const;
export type DeployStage = (typeof deployStage)[keyof typeof deployStage];

/** terminalStatus.status of the spec. */
export const terminalStatus = { unknown: 0, ok: 1, warning: 2, error: 3 } as const;
export type TerminalStatus = (typeof terminalStatus)[keyof typeof terminalStatus];

export interface TerminalInfo {
  readonly deployStatus: { readonly stage: DeployStage; readonly message: string; readonly lastDate: string };
  readonly terminalStatus: {
    readonly terminalVersion: string;
    /** 1: installed by hand. */
    readonly installationSource: 1;
    readonly cardReaderData: string;
    readonly modelName: string;
    /** The formats that the printer takes, and its paper. */
    readonly additionalModelInfo: string;
    readonly firmwareVersion: string;
    readonly status: TerminalStatus;
    readonly statusMessage: string;
    readonly errorData: string;
    readonly modifiedDate: string;
  };
}

export function statusOf(conditions: readonly Condition[]): TerminalStatus {
  if (conditions.some((one) => one.severity === 'error')) return terminalStatus.error;
  return conditions.length > 0 ? terminalStatus.warning : terminalStatus.ok;
}
