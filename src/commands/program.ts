/** The programs that a support bundle asks: each with fixed arguments, for a short time, with no environment of ours. */
import { seconds } from '../core/duration.ts';

/** What it said on standard output; `undefined` where there is no such program, or it would not. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | undefined>;

const limit = seconds(5);
/** Octets; what is more than that is cut. */
const longestOutput = 4 * 1024 * 1024;

export const runProgramOf =
  (path: string | undefined): RunProgram =>
  (program, args) =>
    new Promise((resolve) => {
      const env = { LC_ALL: 'C', ...(path === undefined ? {} : { PATH: path }) };
      const options = { env, timeout: limit, maxBuffer: longestOutput, killSignal: 'SIGKILL' } as const;
      // Asked for here: every command loads this file at its start, and few start a program.
      const { execFile } = process.getBuiltinModule('node:child_process');
      // dpkg-query says what it knows, and fails for what it does not.
      execFile(program, [...args], options, (_error, stdout) => resolve(stdout === '' ? undefined : stdout));
    });
