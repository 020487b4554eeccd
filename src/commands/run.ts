/** `platen run`: the daemon in the foreground. Exit codes: contract, section 1. */
import { startAgent } from '../agent.ts';
import { loadConfig } from '../config/load.ts';
import { systemChance } from '../core/chance.ts';
import { systemClock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { createLog } from '../core/log.ts';
import { Problem } from '../domain/problem.ts';
import { refuseLogOnPrompt } from '../station/prompt.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';

export async function runCommand({ config: file }: { config: string }, io: Io): Promise<number> {
  refuseOpenDoors(io.env, process.execArgv);
  const config = loadConfig(file, io.env);
  refuseLogOnPrompt(config.terminals);
  const log = createLog({ level: config.log.level });
  const agent = await startAgent({ config, clock: systemClock, chance: systemChance, log });
  const unhook = keepOnHangup(log);
  try {
    await agent.run(io.stop);
    return exitCode.ok;
  } finally {
    unhook();
  }
}

/** A debugger reads every secret, and unchecked certificates send them to anybody (reliability.md T22, T32). */
function refuseOpenDoors(env: Io['env'], execArgv: readonly string[]): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== undefined) {
    throw new Problem('config-invalid', 'NODE_TLS_REJECT_UNAUTHORIZED is set: unset it and use cloud.caFile');
  }
  if ([...execArgv, env['NODE_OPTIONS'] ?? ''].some((option) => option.includes('--inspect'))) {
    throw new Problem('config-invalid', 'a debugging port is asked for (--inspect): start without it');
  }
}

/** Without a listener SIGHUP would end the process. */
function keepOnHangup(log: Log): () => void {
  const tell = () => log.warn('config not reloaded', { detail: 'restart the agent to use a changed config' });
  process.on('SIGHUP', tell);
  return () => process.off('SIGHUP', tell);
}
