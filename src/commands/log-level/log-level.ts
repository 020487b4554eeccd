/** `platen log-level`: the running agent logs more for a limited time, at most 15 minutes (INVARIANTS.md T20). */
import { statePlace } from '../config-part.ts';
import { callControl, notRunning } from '../control-call.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';

export type WantedLevel = 'debug' | 'trace' | 'configured';

export interface LogLevelOptions {
  readonly config: string;
  readonly level: WantedLevel;
  readonly minutes: number;
}

export async function logLevelCommand({ config, level, minutes }: LogLevelOptions, io: Io): Promise<number> {
  const isBack = level === 'configured';
  const body = isBack ? { level: 'debug', minutes: 0 } : { level, minutes };
  const answer = await callControl(statePlace(config, io), io, {
    method: 'POST',
    path: '/log-level',
    body,
  });
  if (answer === undefined) {
    io.error(`platen: ${notRunning(config)}`);
    return exitCode.notRunning;
  }
  io.out(
    isBack
      ? 'the agent logs at its configured level'
      : `the agent logs at ${level} for ${minutes} min, then at its configured level again`,
  );
  return exitCode.ok;
}
