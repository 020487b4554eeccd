/** A command line carried out in this process, with what it said on both of its outputs. */
import { runCommandLine } from '../../src/commands/command-line.ts';
import { systemClock } from '../../src/core/clock.ts';
import { patientClock } from './patience.ts';

export interface Said {
  readonly code: number;
  /** Standard output, its lines joined. */
  readonly out: string;
  readonly error: string;
}

/** As if they had called it through sudo(8). */
export const callerHere = 4242;

const never = new AbortController().signal;

/** For whom nothing that is said matters. */
export const silentIo = { out: () => {}, error: () => {}, env: {}, clock: systemClock, stop: never };

export async function commandHere(
  args: readonly string[],
  stop: AbortSignal = never,
  env: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const out: string[] = [];
  const error: string[] = [];
  const io = {
    out: (text: string) => void out.push(text),
    error: (text: string) => void error.push(text),
    env,
    clock: patientClock,
    caller: callerHere,
    stop,
  };
  const code = await runCommandLine(args, io);
  return { code, out: out.join('\n'), error: error.join('\n') };
}
