/**
 * Which records are told: those of the configured level and above; for a limited time of a lower one too; and all from
 * debug up of a terminal whose developer log the service switched on. Every log that comes from one log asks the same.
 */
import type { Clock } from './clock.ts';
import type { Duration } from './duration.ts';
import { inMinutes } from './duration.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface LogLevels {
  tells(level: LogLevel, terminal?: unknown): boolean;
  /** The configuration says another level. */
  configure(level: LogLevel): void;
  /**
   * This level for so long, unless the configured one is lower still; opened again, the time begins anew. `by`: the user
   * id of whoever wants it, where that is known.
   */
  openWindow(level: LogLevel, span: Duration, by?: number): void;
  /** Back to the configured level at once. */
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
  /** Tells, at info, what changes; called while the lower level is in force, so that it is always read. */
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
    tell('log level as configured', { from: window.level, to: configured, ...byWhom(by) });
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
      tell('log level lowered', { from: configured, to: level, minutes: inMinutes(span), ...byWhom(by) });
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

const byWhom = (by: number | undefined) => (by === undefined ? {} : { by });
