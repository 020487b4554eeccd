/** An error as the administrator reads it, one line each, and its exit code. */
import { ConfigInvalid } from '../config/mistakes.ts';
import { printableWhole } from '../core/text/printable.ts';
import { ServiceEnded } from '../core/service.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { isProblem } from '../domain/problem/problem.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';

/** A command could not do its task. The message is for the administrator; the exit code is 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

export function tellFailure(error: unknown, io: Io, options: { debug?: boolean | undefined } = {}): number {
  const cause = error instanceof ServiceEnded && error.cause !== undefined ? error.cause : error;
  for (const line of linesOf(cause)) io.error(`platen: ${line}`);
  if (options.debug && cause instanceof Error && cause.stack) io.error(cause.stack);
  return codeOf(cause);
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof ConfigInvalid) return error.lines.map(printableWhole);
  if (isProblem(error)) return [`${printableWhole(error.message)}. ${error.advice}`];
  return [printableWhole(error instanceof Error ? error.message : String(error))];
}

const beyondTrying: readonly ProblemCode[] = [
  'fleet-engine-refused',
  'fleet-key-differs',
  'fleet-differs',
  'fleet-member-behind',
];

function codeOf(error: unknown): number {
  if (error instanceof CommandFailed) return exitCode.failed;
  if (isProblem(error, 'config-invalid')) return exitCode.configInvalid;
  // A restart does not help: the wrong version is installed.
  if (isProblem(error, 'state-newer')) return exitCode.configInvalid;
  if (isProblem(error, 'fleet-engine-away')) return exitCode.unavailable;
  // A restart does not help: the address, the key or the version must be corrected.
  if (isProblem(error) && beyondTrying.includes(error.code)) return exitCode.configInvalid;
  if (isProblem(error, 'already-running')) return exitCode.alreadyRunning;
  if (isProblem(error, 'port-taken')) return exitCode.unavailable;
  return exitCode.storeFailed;
}
