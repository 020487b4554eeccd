/**
 * Conditions as alerts of Prometheus' Alertmanager: POST /api/v2/alerts (its documentation, "Alerts API"), sent again
 * and again. It groups, repeats and silences by its own rules. Labels make an alert the same as before; annotations
 * do not.
 */
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import { minutes } from '../core/duration.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { Secret } from '../core/secret.ts';
import type { Progress, Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type { Posting } from '../domain/ports/posting.ts';
import { asProblem } from '../domain/problem/problem.ts';
import type { Notice, Teller } from './message.ts';
import { meaningOf, sentenceOf } from './message.ts';
import type { Standing } from './standing.ts';
import type { AlertWay } from './way.ts';
import { callLimit, isAbout, noteReach, retry } from './way.ts';

interface AlertmanagerDeps {
  readonly id: string;
  readonly name: string;
  /** The base address; the API is below it. */
  readonly url: URL;
  readonly token: Secret | undefined;
  readonly from: Teller;
  readonly posting: Posting;
  readonly clock: Pick<Clock, 'now'>;
}

/** If this agent is gone, an alert ends by itself: after four times the interval in which it is sent again. */
const expiry = minutes(4);
const testExpiry = minutes(1);

export function createAlertmanager(deps: AlertmanagerDeps): AlertWay {
  const { id, name, url, token, from, posting, clock } = deps;
  const to = new URL(`${url.pathname.replace(/\/$/, '')}/api/v2/alerts`, url);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` };
  const post = async (alerts: readonly object[], call: Parameters<Posting['post']>[1]): Promise<void> => {
    await posting.post({ url: to, headers, body: Buffer.from(JSON.stringify(alerts)) }, call);
  };
  const fromNow = (span: number) => isoInstant(clock.now() + span);
  return {
    id,
    name,
    send: ({ standing, gone }, call) =>
      post(
        [
          ...gone.map((notice) => alertOf(notice, from, notice.until)),
          ...standing.map((notice) => alertOf(notice, from, fromNow(expiry))),
        ],
        call,
      ),
    test: (call) =>
      post(
        [
          {
            labels: { alertname: 'PlatenTest', severity: 'warning', ...placeOf(from) },
            annotations: { summary: `A test from ${from.gateway}. Nothing has happened` },
            startsAt: fromNow(0),
            endsAt: fromNow(testExpiry),
          },
        ],
        call,
      ),
  };
}

const placeOf = ({ gateway, site }: Teller) => ({ gateway, ...(site === undefined ? {} : { site }) });

function alertOf(notice: Notice, from: Teller, endsAt: string): object {
  const { code, severity, scope, subject, since } = notice;
  return {
    labels: {
      alertname: `Platen${inCapitals(code)}`,
      code,
      // As in config/prometheus.
      severity: severity === 'error' ? 'critical' : 'warning',
      ...placeOf(from),
      ...(scope === 'agent' ? {} : { terminal: scope }),
      subject,
    },
    annotations: { summary: sentenceOf(notice, from), description: meaningOf(code).advice },
    startsAt: since,
    endsAt,
    ...(from.url === undefined ? {} : { generatorURL: from.url }),
  };
}

/** `printer-unreachable`: PrinterUnreachable */
const inCapitals = (code: string): string =>
  code
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

interface AlarmDeps extends Env {
  readonly way: AlertWay;
  readonly standing: Pick<Standing, 'list' | 'lately'>;
}

const sendAgain = minutes(1);
/** Alertmanager's documentation asks clients for this. */
const goneFor = minutes(5);

/**
 * Sends the standing conditions to an Alertmanager every minute, because an alert that is not sent again expires
 * there. Conditions that went are sent for some minutes more, for an Alertmanager that was just started. Nothing of
 * this has to survive a restart of ours.
 */
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
