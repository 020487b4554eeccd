/** `cloud`: the print service, its servers and its request limits. */
import { z } from 'zod';
import type { Outside } from './values.ts';
import { autoOr, readBy, secretSource, serviceUrl } from './values.ts';

/** Another server of the same service, tried when the previous one does not answer (src/cloud/README.md 10). */
const fallback = (outside: Outside) =>
  z.strictObject({
    baseUrl: serviceUrl.describe("Address of the server's API, in the form of cloud.baseUrl"),
    authUrl: serviceUrl.describe("Address of the server's sign-in, in the form of cloud.authUrl"),
    apiKey: secretSource
      .transform(readBy(outside.secret))
      .optional()
      .describe('API key of the server. Default: cloud.apiKey'),
    caFile: certificatesOf(outside).describe('The same as cloud.caFile, for this server'),
  });

/** A file of certificates, relative to the configuration file. */
const certificatesOf = (outside: Outside) =>
  z.string().min(1).transform(readBy(outside.certificates)).optional();

export const cloud = (outside: Outside) =>
  z.strictObject({
    baseUrl: serviceUrl.describe(
      'Address of the service, https://HOST[:PORT]. The API of the service is under /api/v1 there',
    ),
    authUrl: serviceUrl.describe(
      'Address where devices and people sign in, https://HOST[:PORT]. OAuth is under /oauth/v1 there',
    ),
    apiKey: secretSource
      .transform(readBy(outside.secret))
      .describe('API key of the service: the text, { file: PATH }, { env: NAME } or { credential: NAME }'),
    caFile: certificatesOf(outside).describe(
      'PEM file of authorities that Platen trusts in addition to those of the system. The path is relative to this file',
    ),
    proxyUrl: secretSource
      .transform(readBy(outside.proxy))
      .optional()
      .describe(
        'Proxy to the service, http://[USER:PASSWORD@]HOST:PORT; a secret. Default: HTTPS_PROXY and NO_PROXY',
      ),
    fallbacks: z
      .array(fallback(outside))
      .default([])
      .describe('More servers of the service. Platen tries them in this order'),
    limits: autoOr(
      z.strictObject({
        requestsPerSecond: z
          .number()
          .positive()
          .max(10_000)
          .default(50)
          .describe('Maximum number of requests per second to each server, on average'),
        burst: z
          .number()
          .int()
          .positive()
          .max(10_000)
          .default(100)
          .describe('Maximum number of requests to each server at the same time'),
      }),
      '{ requestsPerSecond: 50, burst: 100 }',
    ).describe(
      'Limits of requests. auto: 50 a second to each server, 2 more for each terminal beyond 25, and 100 at the same time. If the service answers 429, Platen sends fewer',
    ),
  });
