/**
 * Conditions as alerts of Prometheus' Alertmanager: POST /api/v2/alerts (its documentation, "Alerts API"). It groups,
 * repeats and silences by its own rules. Labels make an alert the same as before; annotations do not.
 */
import type { Clock } from '../core/clock.ts';
import { isoInstant } from '../core/clock.ts';
import { minutes } from '../core/duration.ts';
import type { Secret } from '../core/secret.ts';
import type { Posting } from '../domain/ports/posting.ts';
import type { Teller } from './message.ts';
import { meaningOf } from './message.ts';
import type { Notice } from './notice.ts';
import { sentenceOf } from './text.ts';
import type { AlertWay } from './way.ts';

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
