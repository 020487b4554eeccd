/**
 * The programs that a support bundle runs: each with fixed arguments, for a short time, and without our environment.
 */
import { seconds } from '../core/duration.ts';

/** Its standard output; `undefined` if there is no such program or if it failed. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | undefined>;

const limit = seconds(5);
/** Octets. More output is cut. */
const longestOutput = 4 * 1024 * 1024;

export const runProgramOf =
  (path: string | undefined): RunProgram =>
  (program, args) =>
    new Promise((resolve) => {
      const env = { LC_ALL: 'C', ...(path === undefined ? {} : { PATH: path }) };
      const options = { env, timeout: limit, maxBuffer: longestOutput, killSignal: 'SIGKILL' } as const;
      // Loaded only here: every command loads this file at its start, but few start a program.
      const { execFile } = process.getBuiltinModule('node:child_process');
      // dpkg-query prints the packages that it knows, and fails because of the others.
      execFile(program, [...args], options, (_error, stdout) => resolve(stdout === '' ? undefined : stdout));
    });
