/** Conditions, whoever is told of them, and a clock that a test moves. The receiver verifies what it gets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { outsideOf } from '../../src/config/outside.ts';
import { notify as notifySchema } from '../../src/config/schema/notify.ts';
import { systemChance } from '../../src/core/chance.ts';
import type { Duration } from '../../src/core/duration.ts';
import { seconds } from '../../src/core/duration.ts';
import { runServices } from '../../src/core/service.ts';
import type { Condition } from '../../src/domain/condition.ts';
import type { Letter, Posting } from '../../src/domain/ports/posting.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { notifierServices } from '../../src/notify/notifier.ts';
import { createConditions } from '../../src/status/conditions.ts';
import { openSentNotices } from '../../src/store/files/condition-notes.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const hook = 'https://hooks.example/T00/B00?key=as-good-as-a-password';
const evenChance = { ...systemChance, jitter: (span: Duration) => span };

interface ToldNotice {
  readonly code: string;
  readonly scope: string;
  readonly severity: string;
  readonly subject: string;
  readonly since: string;
}

export interface Payload {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly gateway: string;
    readonly came: readonly ToldNotice[];
    readonly lasting: readonly ToldNotice[];
    readonly went: readonly (ToldNotice & { readonly until: string })[];
    readonly heldBack: number;
    readonly more: number;
    readonly meanings: Readonly<Record<string, { readonly what: string; readonly advice: string }>>;
  };
}

export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
}

export function setNotifyStage(settings: object = { webhooks: [{ url: hook, secret }] }) {
  const clock = createSteeredClock();
  const stateDir = mkdtempSync(join(tmpdir(), 'platen-notify-'));
  const recorded = recordLog();
  const conditions = createConditions({ clock, log: recorded.log });
  const letters: { readonly at: number; readonly letter: Letter }[] = [];
  /** By host; who is not here takes everything. */
  const refusals = new Map<string, Problem>();
  const posting: Posting = {
    async post(letter) {
      const refusal = refusals.get(letter.url.host);
      letters.push({ at: clock.monotonic() - 5000, letter });
      if (refusal) throw refusal;
      return Buffer.from('{}');
    },
    [Symbol.asyncDispose]: async () => {},
  };
  let config = notifySchema(outsideOf('.', {})).parse(settings);
  let stop = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const stage = {
    clock,
    conditions,
    stateDir,
    refusals,
    recorded,
    letters,
    start(changed: object = settings) {
      config = notifySchema(outsideOf('.', {})).parse(changed);
      stop = new AbortController();
      running = runServices(
        notifierServices(config, {
          from: { gateway: 'gateway-1', version: '1.2.3' },
          posting,
          conditions,
          clock,
          chance: evenChance,
          log: recorded.log,
          authorities: () => [],
          timed: () => conditions.timed(),
          onChange: (listener) => conditions.onChange(listener),
          register: openSentNotices({ stateDir, log: recorded.log }),
        }),
        stop.signal,
      );
    },
    async end() {
      stop.abort();
      await clock.advance(seconds(0));
      await running;
    },
    raise: (over: Partial<Condition> = {}) =>
      conditions.raise({
        code: 'printer-unreachable',
        severity: 'error',
        scope: 'lobby',
        subject: 'printer',
        detail: 'no answer',
        ...over,
      }),
    clear: (scope = 'lobby', subject = 'printer') => conditions.clear(scope, subject),
    /** Those that the receiver took, verified by the signature; seconds since the stage was set. */
    messages: (): readonly { readonly at: number; readonly id: string; readonly payload: Payload }[] =>
      letters
        .filter(({ letter }) => 'webhook-id' in letter.headers && !refusals.has(letter.url.host))
        .map(({ at, letter }) => ({
          at: at / 1000,
          id: letter.headers['webhook-id'] ?? '',
          payload: verified(letter),
        })),
    alerts: (): readonly { readonly at: number; readonly alerts: readonly Alert[] }[] =>
      letters
        .filter(({ letter }) => letter.url.pathname.endsWith('/api/v2/alerts'))
        .map(({ at, letter }) => ({ at: at / 1000, alerts: JSON.parse(letter.body.toString()) })),
    async [Symbol.asyncDispose]() {
      await stage.end();
      rmSync(stateDir, { recursive: true });
    },
  };
  return stage;
}

/** By the specification's own library, but for its clock. */
export function verified({ headers, body }: Letter): Payload {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers;
  const signed = new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), body.toString());
  if (signed !== headers['webhook-signature']) throw new Problem('internal', 'the signature is wrong');
  return JSON.parse(body.toString());
}
