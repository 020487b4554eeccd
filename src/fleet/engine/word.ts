/** What people are told of the engine: that it was found, is away or refuses, why, and that it is back. */
import type { Clock } from '../../core/clock.ts';
import { inSeconds, milliseconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import type { Conditions } from '../../domain/condition.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import type { ServerFacts } from './connection.ts';

interface World {
  readonly clock: Clock;
  readonly log: Log;
  readonly conditions: Conditions;
}

export class EngineWord {
  readonly #world: World;
  /** Somebody was told that it is away, and not yet that it is back. */
  #away: { readonly since: number; readonly code: string } | undefined;

  constructor({ clock, log, conditions }: World) {
    this.#world = { clock, log, conditions };
  }

  up({ place: engine, settings: { version } }: ServerFacts): void {
    const { clock, log, conditions } = this.#world;
    if (this.#away) {
      const span = milliseconds(clock.monotonic() - this.#away.since);
      log.info('engine back', { engine, version, awaySeconds: Math.round(inSeconds(span)) });
    } else log.info('engine found', { engine, version });
    this.#away = undefined;
    conditions.clear('agent', 'engine');
  }

  away(problem: Problem): void {
    const { clock, log, conditions } = this.#world;
    const { code, message: detail } = problem;
    if (this.#away?.code !== code) log.warn('engine away', { error: problem });
    this.#away = { since: this.#away?.since ?? clock.monotonic(), code };
    conditions.raise({ code, severity: 'error', scope: 'agent', subject: 'engine', detail });
  }
}
