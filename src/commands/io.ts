/** How a command speaks with the world, and the exit codes of the contract, section 1. */
export interface Io {
  /** A line on standard output. */
  out(text: string): void;
  /** A line on standard error. */
  error(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** SIGTERM or SIGINT. */
  readonly stop: AbortSignal;
}

/** 0 and 1 are each command's own; the others are those of sysexits.h. */
export const exitCode = {
  ok: 0,
  failed: 1,
  notRunning: 3,
  usage: 64,
  portTaken: 69,
  storeFailed: 70,
  alreadyRunning: 75,
  configInvalid: 78,
} as const;
