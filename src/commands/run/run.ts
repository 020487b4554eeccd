/** `platen run`: the daemon in the foreground. Exit codes: contract, section 1. */
import { resolve } from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import { startAgent } from '../../agent/agent.ts';
import { leaveOutUnfit } from '../../agent/unfit-version.ts';
import { loadConfig } from '../../config/load.ts';
import type { PushedChoice } from '../../config/pushed/over-local.ts';
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import { createLog } from '../../core/log.ts';
import { settleIn } from '../../core/long-run.ts';
import { createServiceManager, inheritedSockets } from '../../operations/service-manager.ts';
import { refuseLogOnPrompt } from '../../station/prompt.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { debugOnSignal } from '../log-level/log-signal.ts';

export async function runCommand({ config: file }: { config: string }, io: Io): Promise<number> {
  settleIn();
  const { stop } = io;
  const pushed: PushedChoice = {};
  const read = () => {
    const config = loadConfig(file, io.env, pushed);
    refuseLogOnPrompt(config.terminals);
    return config;
  };
  const config = read();
  const log = createLog({ level: config.log.level });
  using _signal = debugOnSignal(log.levels);
  let agent: Agent | undefined;
  // Listens from the beginning, because SIGHUP without a listener would end the process.
  let isAskedEarly = false;
  const reload = () => {
    if (agent) void agent.reload(read);
    else isAskedEarly = true;
  };
  process.on('SIGHUP', reload);
  try {
    agent = await startAgent({
      config,
      configFile: resolve(file),
      readConfig: read,
      pushed,
      clock: systemClock,
      chance: systemChance,
      log,
      manager: createServiceManager({ env: io.env, clock: systemClock, log }),
      sockets: inheritedSockets(io.env, process.pid),
      bundle: async (signal) => (await import('./own-bundle.ts')).ownBundle(resolve(file), io, signal),
    });
    const running = agent.run(stop);
    if (isAskedEarly) reload();
    await running;
    return exitCode.ok;
  } catch (error) {
    const version = agent ? undefined : leaveOutUnfit(error, { stateDir: config.stateDir, pushed });
    if (version === undefined) throw error;
    // The service manager shall start the agent again. It would not do so after exit code 78.
    throw new CommandFailed(
      `${(error as Error).message}. The agent cannot start with version ${version} of the fleet's configuration. The next start does not use this version`,
      { cause: error },
    );
  } finally {
    process.off('SIGHUP', reload);
  }
}
