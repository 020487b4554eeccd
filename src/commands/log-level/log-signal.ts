/**
 * The log level by signal: SIGUSR2 lowers it to debug for a quarter of an hour, and once more puts it back at once
 * (INVARIANTS.md T20). The same through the control socket is `log-level.ts`. Windows has no such signal.
 */
import { minutes } from '../../core/duration.ts';
import type { LogLevels } from '../../core/log-levels.ts';

const span = minutes(15);

/** Until it is disposed, which puts the level back. */
export function debugOnSignal(levels: LogLevels): Disposable {
  const turn = () => (levels.isWindowOpen() ? levels.closeWindow() : levels.openWindow('debug', span));
  process.on('SIGUSR2', turn);
  return {
    [Symbol.dispose]() {
      process.off('SIGUSR2', turn);
      levels.closeWindow();
    },
  };
}
