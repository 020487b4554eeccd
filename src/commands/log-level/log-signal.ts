/**
 * The log level by signal: SIGUSR2 sets it to debug for a quarter of an hour, and a second SIGUSR2 sets it back at once
 * (INVARIANTS.md T20). `log-level.ts` does the same through the control socket. Windows has no such signal.
 */
import { minutes } from '../../core/duration.ts';
import type { LogLevels } from '../../core/log-levels.ts';

const span = minutes(15);

/** Works until it is disposed, which also sets the level back. */
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
