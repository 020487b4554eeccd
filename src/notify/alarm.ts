/**
 * Sends the standing conditions to an Alertmanager every minute, because an alert that is not sent again expires there.
 * Conditions that went are sent for some minutes more, for an Alertmanager that was just started. Nothing of this has
 * to survive a restart of ours.
 */
import { minutes } from '../core/duration.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { Progress, Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import { asProblem } from '../domain/problem/problem.ts';
import type { Standing } from './standing.ts';
import { callLimit, retry } from './patience.ts';
import { noteReach } from './reach.ts';
import type { AlertWay } from './way.ts';
import { isAbout } from './way.ts';

export interface AlarmDeps extends Env {
  readonly way: AlertWay;
  readonly standing: Pick<Standing, 'list' | 'lately'>;
}

const sendAgain = minutes(1);
/** Alertmanager's documentation asks clients for this. */
const goneFor = minutes(5);

export class Alarm implements Service {
  readonly name: string;
  readonly #deps: AlarmDeps;
  readonly #wake = new Wake();
  #isAway = false;

  constructor(deps: AlarmDeps) {
    this.name = `notify ${deps.way.name}`;
    this.#deps = deps;
  }

  look(): void {
    if (!this.#isAway) this.#wake.ring();
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { way, conditions, log } = this.#deps;
    const duty = {
      attempt: (end: AbortSignal) => this.#send(end),
      interval: sendAgain,
      retry,
      wake: this.#wake,
      onFailure: (error: unknown) => {
        const problem = asProblem(error, 'notify-unreachable', 'the alerts were not taken');
        if (!this.#isAway) log.warn('notification failed', { way: way.name, error: problem });
        this.#isAway = true;
        noteReach({ way, conditions }, problem);
        return problem.retryAfter;
      },
    };
    try {
      await runPeriodically(duty, this.#deps, signal, progress);
    } finally {
      noteReach({ way, conditions }, undefined);
    }
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { way, standing, conditions, clock } = this.#deps;
    const isOwn = isAbout(way);
    const alerts = {
      standing: standing.list().filter((notice) => !isOwn(notice)),
      gone: standing.lately(goneFor).filter((notice) => !isOwn(notice)),
    };
    // If it was away, an empty list tests whether it is back.
    if (alerts.standing.length + alerts.gone.length === 0 && !this.#isAway) return;
    await way.send(alerts, { signal: clock.deadline(callLimit, signal) });
    this.#isAway = false;
    noteReach({ way, conditions }, undefined);
  }
}
