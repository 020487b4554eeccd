/** What the control socket makes the agent do; the socket itself is `operations/control.ts`. */
import type { Config } from './config/schema.ts';
import type { RootLog } from './core/log.ts';
import type { ControlActions } from './operations/control.ts';
import { startControl } from './operations/control.ts';
import type { OperationsPages } from './operations/pages.ts';

export const startAgentControl = (options: {
  readonly config: Pick<Config, 'stateDir'>;
  readonly log: RootLog;
  readonly retryOutbox: ControlActions['retryOutbox'];
  readonly pages: OperationsPages;
}): Promise<AsyncDisposable> => {
  const { config, log, retryOutbox, pages } = options;
  const { levels } = log;
  return startControl({
    stateDir: config.stateDir,
    ...{ log, pages },
    actions: {
      retryOutbox,
      recentLog: () => log.recent(),
      logLevel: (level, span) => (span === 0 ? levels.closeWindow() : levels.openWindow(level, span)),
    },
  });
};
