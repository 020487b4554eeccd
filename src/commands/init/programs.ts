/**
 * The programs that `platen init` runs, such as `avahi-browse` and `systemctl`. It uses no shell, and no argument comes
 * from the network.
 */
import type { ExecFileException } from 'node:child_process';
import { execFile } from 'node:child_process';
import type { Io } from '../io.ts';

export interface ProgramEnd {
  /** `undefined`: there is no such program. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export type RunProgram = (
  program: string,
  args: readonly string[],
  options: { readonly signal: AbortSignal; readonly input?: string },
) => Promise<ProgramEnd>;

/** Octets of output. A program with more output is stopped, and its output so far is used. */
const longestOutput = 2 ** 20;

/** Runs the program to its end. Rejects when the signal aborts. */
export const runProgramOf =
  (env: Io['env']): RunProgram =>
  (program, args, { signal, input }) =>
    new Promise((resolve, reject) => {
      const options = { env: { ...env }, signal, maxBuffer: longestOutput, killSignal: 'SIGKILL' } as const;
      const child = execFile(program, [...args], options, (error, stdout, stderr) => {
        if (signal.aborted) reject(new Error(`${program} was stopped`, { cause: error }));
        else if (error?.code === 'ENOENT') resolve({ code: undefined, stdout: '', stderr: '' });
        else resolve({ code: codeOf(error), stdout, stderr });
      });
      // The program may have ended without reading its input.
      child.stdin?.on('error', () => {}).end(input);
    });

function codeOf(error: ExecFileException | null): number {
  if (!error || error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 0;
  return typeof error.code === 'number' ? error.code : 1;
}
