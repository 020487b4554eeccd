/**
 * Keeps Alertmanagers told of what stands: an alert that is not sent again expires there, so each goes again every
 * minute, and what went is sent for some minutes more, for an Alertmanager that was just started. Nothing of it has to
 * last over a restart of ours.
 */
import type { Chance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { minutes } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { Progress, Service } from '../core/service.ts';
import type { Conditions } from '../domain/condition.ts';
import { asProblem } from '../domain/problem/problem.ts';
import type { Standing } from './standing.ts';
import { callLimit, retry } from './patience.ts';
import { noteReach } from './reach.ts';
import type { AlertWay } from './way.ts';
import { isAbout } from './way.ts';

export interface AlarmOptions {
  readonly way: AlertWay;
  readonly standing: Pick<Standing, 'list' | 'lately'>;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

const sendAgain = minutes(1);
/** As its documentation asks of clients. */
const goneFor = minutes(5);

export class Alarm implements Service {
  readonly name: string;
  readonly #options: AlarmOptions;
  readonly #wake = new Wake();
  #isAway = false;

  constructor(options: AlarmOptions) {
    this.name = `notify ${options.way.name}`;
    this.#options = options;
  }

  look(): void {
    if (!this.#isAway) this.#wake.ring();
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { way, conditions, log } = this.#options;
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
      await runPeriodically(duty, this.#options, signal, progress);
    } finally {
      noteReach({ way, conditions }, undefined);
    }
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { way, standing, conditions, clock } = this.#options;
    const isOwn = isAbout(way);
    const alerts = {
      standing: standing.list().filter((notice) => !isOwn(notice)),
      gone: standing.lately(goneFor).filter((notice) => !isOwn(notice)),
    };
    // One that was away is asked with an empty list.
    if (alerts.standing.length + alerts.gone.length === 0 && !this.#isAway) return;
    await way.send(alerts, { signal: clock.deadline(callLimit, signal) });
    this.#isAway = false;
    noteReach({ way, conditions }, undefined);
  }
}
