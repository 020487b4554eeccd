/**
 * `notify`: who receives messages about conditions, when, and how: webhooks, Alertmanagers and mail. Without this
 * section, no message is sent.
 */
import { z } from 'zod';
import { Secret } from '../../core/secret.ts';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';
import { problemKinds } from '../../domain/problem/problem-kinds.ts';
import type { Outside } from './values.ts';
import { isLoopback, neverShown, parsedUrl, readBy, secretSource, serviceUrl, unread } from './values.ts';

/** Standard Webhooks 1.0: `whsec_` and the base64 of 24 to 64 bytes. */
function isWebhookSecret(secret: Secret): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret.reveal()) ?? [];
  const { length } = Buffer.from(encoded, 'base64');
  return length >= 24 && length <= 64;
}

const hookUrl = z
  .string()
  .refine((text) => {
    const url = parsedUrl(text);
    return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  }, 'must be an https:// address; http:// is allowed only for a loopback address')
  .refine((text) => {
    const url = parsedUrl(text);
    return !url || (url.hash === '' && url.username === '' && url.password === '');
  }, 'must not contain a user name or a fragment')
  // For some receivers, the secret address is the only protection.
  .meta(neverShown);

const webhook = (outside: Outside) =>
  z.strictObject({
    url: hookUrl.describe(
      'Address to which Platen posts messages as JSON, https://…. For some receivers this address is like a password',
    ),
    secret: secretSource
      .transform(readBy(outside.secret))
      .refine(
        (secret) => !(secret instanceof Secret) || secret === unread || isWebhookSecret(secret),
        'must be whsec_ and the base64 of 24 to 64 bytes. To make one: echo whsec_$(openssl rand -base64 32)',
      )
      .describe('Signs each message (Standard Webhooks): whsec_ and base64; a secret'),
  });

const alertmanager = (outside: Outside) =>
  z.strictObject({
    url: serviceUrl.describe(
      'Address of an Alertmanager, https://HOST[:PORT]. Platen sends alerts to /api/v2/alerts there',
    ),
    token: secretSource
      .transform(readBy(outside.secret))
      .optional()
      .describe('Token that Platen sends as Authorization: Bearer; a secret'),
  });

const mailServer = z
  .string()
  .refine(
    (text) => /^smtps?:\/\/[^/?#@]+\/?$/.test(text) && parsedUrl(text) !== undefined,
    'must be smtp://HOST[:587] (STARTTLS) or smtps://HOST[:465] (TLS)',
  )
  .transform((text) => {
    const { protocol, hostname, port } = new URL(text);
    const isImplicit = protocol === 'smtps:';
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (isImplicit ? 465 : 587) : Number(port),
      security: isImplicit
        ? ('tls' as const)
        : isLoopback(hostname)
          ? ('plain' as const)
          : ('starttls' as const),
    };
  });

const address = z.string().regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/, 'must be a mail address, NAME@HOST');

const mail = (outside: Outside) =>
  z
    .strictObject({
      server: mailServer.describe(
        'smtp://HOST[:587] with STARTTLS, or smtps://HOST[:465] with TLS. TLS may be missing only for a loopback address',
      ),
      user: z.string().min(1).optional().describe('User name at the mail server. It needs a password'),
      password: secretSource
        .transform(readBy(outside.secret))
        .optional()
        .describe('Password at the mail server; a secret'),
      from: address.describe('Sender address of the messages'),
      to: z.array(address).min(1).max(50).describe('Recipient addresses of the messages'),
    })
    .refine(({ user, password }) => (user === undefined) === (password === undefined), {
      path: ['password'],
      message: 'needs both user and password, or neither',
    });

const codes = Object.keys(problemKinds) as readonly ProblemCode[] as readonly [ProblemCode, ...ProblemCode[]];

const only = z.strictObject({
  severity: z.enum(['warning', 'error']).default('warning').describe('The lowest severity that Platen tells'),
  terminals: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Only conditions of these terminals, by id. agent: conditions of the whole agent. Default: all terminals and the agent',
    ),
  conditions: z.array(z.enum(codes)).optional().describe('Only these conditions, by code. Default: all'),
});

const seconds = (least: number) => z.number().int().min(least).max(86_400);

export const notify = (outside: Outside) =>
  z
    .strictObject({
      webhooks: z.array(webhook(outside)).default([]).describe('Receivers of signed JSON'),
      alertmanagers: z
        .array(alertmanager(outside))
        .default([])
        .describe('Alertmanagers of Prometheus. List all members of a cluster'),
      mail: mail(outside).optional().describe('Receivers of messages by mail (SMTP)'),
      caFile: z
        .string()
        .min(1)
        .transform(readBy(outside.certificates))
        .optional()
        .describe(
          'PEM file of authorities that Platen trusts for receivers, in addition to those of the system',
        ),
      proxyUrl: secretSource
        .transform(readBy(outside.proxy))
        .optional()
        .describe('Proxy to webhooks and Alertmanagers; a secret. Default: HTTPS_PROXY and NO_PROXY'),
      only: only.prefault({}),
      afterSeconds: z
        .strictObject({
          warning: seconds(0)
            .default(60)
            .describe(
              'Platen tells a warning when it has lasted this many seconds, and its end when it has been gone this many seconds',
            ),
          error: seconds(0).default(10).describe('The same number of seconds for an error'),
        })
        .prefault({}),
      groupSeconds: seconds(1)
        .default(30)
        .describe('Platen puts all conditions that come or go within this many seconds into one message'),
      repeatHours: z
        .number()
        .min(1)
        .max(8760)
        .default(24)
        .describe('Platen tells a lasting condition again after this many hours'),
      mostPerHour: z
        .number()
        .int()
        .min(1)
        .max(3600)
        .default(20)
        .describe(
          'Maximum number of messages per hour to each webhook and by mail. After that, one message says how many were held back',
        ),
    })
    .refine(
      ({ webhooks, alertmanagers, mail: byMail }) =>
        webhooks.length + alertmanagers.length > 0 || byMail !== undefined,
      'has no receivers. Set webhooks, alertmanagers or mail',
    );

export type NotifyConfig = z.output<ReturnType<typeof notify>>;
