/** The receivers in `notify`: webhooks, Alertmanagers and mail. */
import { z } from 'zod';
import { Secret } from '../../../core/secret.ts';
import type { Outside } from '../values.ts';
import { isLoopback, neverShown, parsedUrl, readBy, secretSource, serviceUrl, unread } from '../values.ts';

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

export const webhook = (outside: Outside) =>
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

export const alertmanager = (outside: Outside) =>
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

export const mail = (outside: Outside) =>
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
