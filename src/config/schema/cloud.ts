/** `cloud`: the print service, its servers, and how much they are asked. */
import { z } from 'zod';
import type { Outside } from './values.ts';
import { readBy, secretSource, serviceUrl } from './values.ts';

/** Another server of the same service, tried where the one before does not answer (src/cloud/README.md 10). */
const fallback = (outside: Outside) =>
  z.strictObject({
    baseUrl: serviceUrl.describe('Address of its API, as cloud.baseUrl'),
    authUrl: serviceUrl.describe('Address of its sign-in, as cloud.authUrl'),
    apiKey: secretSource
      .transform(readBy(outside.secret))
      .optional()
      .describe('Its API key. Without it: cloud.apiKey'),
    caFile: certificatesOf(outside).describe('As cloud.caFile, for this server'),
  });

/** A file of certificates, relative to the configuration. */
const certificatesOf = (outside: Outside) =>
  z.string().min(1).transform(readBy(outside.certificates)).optional();

export const cloud = (outside: Outside) =>
  z.strictObject({
    baseUrl: serviceUrl.describe(
      'Address of the service, https://HOST[:PORT]; its API is below it, under /api/v1',
    ),
    authUrl: serviceUrl.describe(
      'Address where devices and people sign in, https://HOST[:PORT]; OAuth is under /oauth/v1',
    ),
    apiKey: secretSource
      .transform(readBy(outside.secret))
      .describe('API key of the service: the text, { file: PATH }, { env: NAME } or { credential: NAME }'),
    caFile: certificatesOf(outside).describe(
      'PEM file of authorities to trust besides those of the system, relative to this file',
    ),
    proxyUrl: secretSource
      .transform(readBy(outside.proxy))
      .optional()
      .describe(
        'Proxy to the service, http://[USER:PASSWORD@]HOST:PORT; a secret. Without it: HTTPS_PROXY and NO_PROXY',
      ),
    fallbacks: z
      .array(fallback(outside))
      .default([])
      .describe('Further servers of the service, in the order to try'),
    limits: z
      .strictObject({
        requestsPerSecond: z
          .number()
          .positive()
          .max(10_000)
          .default(50)
          .describe('Most requests a second to each server, on average'),
        burst: z
          .number()
          .int()
          .positive()
          .max(10_000)
          .default(100)
          .describe('Most requests at once to each server'),
      })
      .prefault({}),
  });
