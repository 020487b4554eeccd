/**
 * Decides which log records are written. These are records of the configured level and above, and for a limited time
 * also records of a lower level. If the developer log of a terminal is on, all its records from debug up are written.
 * All logs that come from one log share these levels.
 */
import type { Clock } from './clock.ts';
import type { Duration } from './duration.ts';
import { inMinutes } from './duration.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface LogLevels {
  tells(level: LogLevel, terminal?: unknown): boolean;
  /** Sets the level that the configuration names. */
  configure(level: LogLevel): void;
  /**
   * Writes this level for the span, unless the configured level is lower still. A second call begins the time anew.
   * `by` is the user id of the person who asked, if it is known.
   */
  openWindow(level: LogLevel, span: Duration, by?: number): void;
  /** Returns to the configured level at once. */
  closeWindow(by?: number): void;
  isWindowOpen(): boolean;
  developerLog(terminal: string, state: 'on' | 'off'): void;
}

const ranks: Readonly<Record<LogLevel, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
};

export function createLogLevels(options: {
  readonly configured: LogLevel;
  readonly clock: Clock;
  /** Logs each change at info. It is called while the lower level is in force, so that the record is always written. */
  tell(msg: string, facts: Record<string, string | number>): void;
}): LogLevels {
  const { clock, tell } = options;
  let { configured } = options;
  let window: { readonly level: LogLevel; readonly timer: unknown } | undefined;
  const developers = new Set<string>();

  const tells: LogLevels['tells'] = (level, terminal) => {
    const rank = ranks[level];
    if (rank >= ranks[configured] || (window && rank >= ranks[window.level])) return true;
    return rank >= ranks.debug && typeof terminal === 'string' && developers.has(terminal);
  };

  function closeWindow(by?: number): void {
    if (!window) return;
    clock.clearTimeout(window.timer);
    tell('log level as configured', { from: window.level, to: configured, ...byUser(by) });
    window = undefined;
  }

  return {
    tells,
    configure(level) {
      configured = level;
    },
    openWindow(level, span, by) {
      clock.clearTimeout(window?.timer);
      window = { level, timer: clock.setTimeout(() => closeWindow(), span) };
      tell('log level lowered', { from: configured, to: level, minutes: inMinutes(span), ...byUser(by) });
    },
    closeWindow,
    isWindowOpen: () => window !== undefined,
    developerLog(terminal, state) {
      if (developers.has(terminal) === (state === 'on')) return;
      developers.add(terminal);
      tell(`developer log ${state}`, { terminal });
      if (state === 'off') developers.delete(terminal);
    },
  };
}

const byUser = (by: number | undefined) => (by === undefined ? {} : { by });
