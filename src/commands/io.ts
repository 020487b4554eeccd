/** The world of a command: output, screen, clock, stop signal; and the exit codes of the contract, section 1. */
import type { Clock } from '../core/clock.ts';
import type { Screen } from './terminal-text/screen.ts';

export interface Io {
  /** A line on standard output. */
  out(text: string): void;
  /** A line on standard error. */
  error(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The terminal that a person looks at; absent for a pipe or a file. */
  readonly screen?: Screen | undefined;
  /** The user id of the caller. */
  readonly caller?: number | undefined;
  /** A command measures its waits by this clock. */
  readonly clock: Clock;
  /** SIGTERM or SIGINT. */
  readonly stop: AbortSignal;
}

/** 0 and 1 have a meaning in each command; the others are those of sysexits.h. */
export const exitCode = {
  ok: 0,
  failed: 1,
  notRunning: 3,
  /** `init`: the file is written, but the device or a terminal was not ready in time. */
  notYet: 4,
  usage: 64,
  /** `run`: an address is in use. In a fleet: its engine does not answer. */
  unavailable: 69,
  storeFailed: 70,
  alreadyRunning: 75,
  configInvalid: 78,
} as const;

/**
 * For `check --monitor`: the codes of Nagios and Icinga (Monitoring Plugins Development Guidelines, "Plugin Return
 * Codes").
 */
export const monitorCode = { ok: 0, warning: 1, critical: 2, unknown: 3 } as const;
