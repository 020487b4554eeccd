/** How a command speaks with the world, and the exit codes of the contract, section 1. */
import type { Clock } from '../core/clock.ts';
import type { Screen } from './terminal-text/screen.ts';

export interface Io {
  /** A line on standard output. */
  out(text: string): void;
  /** A line on standard error. */
  error(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a person looks at standard output; absent for a pipe or a file. */
  readonly screen?: Screen | undefined;
  /** The user id of whoever called it. */
  readonly caller?: number | undefined;
  /** By it a command measures how long it waits. */
  readonly clock: Clock;
  /** SIGTERM or SIGINT. */
  readonly stop: AbortSignal;
}

/** 0 and 1 are each command's own; the others are those of sysexits.h. */
export const exitCode = {
  ok: 0,
  failed: 1,
  notRunning: 3,
  /** `init`: written, and not approved or not ready in the time given. */
  notYet: 4,
  usage: 64,
  /** `run`: an address is taken; of a fleet: its engine does not answer. */
  unavailable: 69,
  storeFailed: 70,
  alreadyRunning: 75,
  configInvalid: 78,
} as const;

/** Of `check --monitor`: those of Nagios and Icinga (Monitoring Plugins Development Guidelines, "Plugin Return Codes"). */
export const monitorCode = { ok: 0, warning: 1, critical: 2, unknown: 3 } as const;
