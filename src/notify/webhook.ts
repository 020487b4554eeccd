/**
 * Messages as signed JSON, by Standard Webhooks 1.0 (standardwebhooks.com). The body, its id and the time of the try
 * are signed together with HMAC-SHA-256. So a receiver can detect a forged message or an old one.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Secret } from '../core/secret.ts';
import type { Posting } from '../domain/ports/posting.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import type { GoneNotice, Message, Notice } from './message.ts';
import { meaningOf, mostNamed } from './message.ts';
import type { MessageWay } from './way.ts';

interface WebhookDeps {
  readonly id: string;
  readonly name: string;
  readonly url: URL;
  /** `whsec_` and base64. */
  readonly secret: Secret;
  readonly posting: Posting;
  readonly clock: Pick<Clock, 'now'>;
}

export function createWebhook({ id, name, url, secret, posting, clock }: WebhookDeps): MessageWay {
  return {
    id,
    name,
    async tell(message, call) {
      const body = Buffer.from(JSON.stringify(payloadOf(message)));
      const timestamp = String(Math.floor(clock.now() / 1000));
      const headers = {
        'webhook-id': message.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatureOf({ id: message.id, timestamp, body }, secret),
      };
      await posting.post({ url, headers, body }, call);
    },
  };
}

function signatureOf(
  { id, timestamp, body }: { readonly id: string; readonly timestamp: string; readonly body: Buffer },
  secret: Secret,
): string {
  const key = Buffer.from(secret.reveal().slice('whsec_'.length), 'base64');
  const signed = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return `v1,${signed}`;
}

/** Documented in systemd/monitor.md. The meaning of a code is there once, not with each condition. */
function payloadOf({ at, from, heldBack, isTest, ...changes }: Message): object {
  const { came, lasting, went } = changes;
  let left = mostNamed;
  const named = <Kind extends Notice | GoneNotice>(notices: readonly Kind[]): readonly Kind[] => {
    const some = notices.slice(0, left);
    left -= some.length;
    return some;
  };
  const conditions = { came: named(came), lasting: named(lasting), went: named(went) };
  const all = [...conditions.came, ...conditions.lasting, ...conditions.went];
  const codes = new Set<ProblemCode>(all.map(({ code }) => code));
  return {
    type: isTest ? 'platen.test' : 'platen.conditions',
    timestamp: at,
    data: {
      ...from,
      ...conditions,
      heldBack,
      more: came.length + lasting.length + went.length - all.length,
      meanings: Object.fromEntries([...codes].map((code) => [code, meaningOf(code)])),
    },
  };
}
