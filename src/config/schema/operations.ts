/**
 * `operations`: the listener for monitoring, and its access rules. From other machines, any caller could read the
 * agent's status and no caller could verify the agent. A listener beyond this machine therefore needs TLS or a token.
 */
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { Secret } from '../../core/secret.ts';
import type { Outside } from './values.ts';
import { isLoopback, listenAddress, readBy, secretSource, serviceUrl, unread } from './values.ts';

/** RFC 6750, 2.1: the characters that are allowed after `Bearer`. */
const bearer = /^[A-Za-z0-9._~+/-]{16,}=*$/;

/** RFC 9110, 5.6.2: a token. */
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of a header');

const otlp = (outside: Outside) =>
  z.strictObject({
    url: serviceUrl.describe(
      'Address of the receiver, https://HOST[:PORT]. Platen sends traces to /v1/traces there',
    ),
    headers: z
      .record(headerName, secretSource.transform(readBy(outside.secret)))
      .default({})
      .describe('More headers that Platen sends, for example Authorization; secrets'),
    caFile: z
      .string()
      .min(1)
      .transform(readBy(outside.certificates))
      .optional()
      .describe(
        'PEM file of authorities that Platen trusts for the receiver, in addition to those of the system',
      ),
  });

export const operations = (outside: Outside) =>
  z
    .strictObject({
      listen: listenAddress
        .prefault('127.0.0.1:7381')
        .describe(
          'HOST:PORT of /healthz, /readyz, /status, /metrics and the administrators’ page, /ui/. An address that is not loopback needs operations.tls or operations.token',
        ),
      hosts: z
        .array(z.string().regex(/^[^\s/@]+$/, 'must be HOST or HOST:PORT, in the form that callers use'))
        .default([])
        .describe(
          'Names of this machine in the addresses that callers use, HOST or HOST:PORT. Default: only its own address',
        ),
      token: secretSource
        .transform(readBy(outside.secret))
        .refine(
          (token) => !(token instanceof Secret) || token === unread || bearer.test(token.reveal()),
          'must have at least 16 characters: letters, digits and -._~+/',
        )
        .optional()
        .describe(
          'Callers must send this token (Authorization: Bearer), otherwise they get no answer; a secret',
        ),
      tls: z
        .strictObject({
          certificateFile: z
            .string()
            .min(1)
            .transform(readBy(outside.certificates))
            .describe('PEM file of the certificate and its issuers'),
          key: secretSource
            .transform(readBy(outside.secret))
            .describe('Private key of the certificate, PEM; a secret'),
          clientCaFile: z
            .string()
            .min(1)
            .transform(readBy(outside.certificates))
            .optional()
            .describe(
              'PEM file of authorities. Callers must show a certificate of one of them, or send operations.token if it is set',
            ),
        })
        .refine(belongTogether, 'the key does not belong to the certificate, or Platen cannot read it')
        .transform(({ certificateFile: certificate, key, clientCaFile: clientCa }) => ({
          certificate,
          key,
          ...(clientCa === undefined ? {} : { clientCa }),
        }))
        .optional()
        .describe('The certificate with its issuers (PEM), and its key (PEM)'),
      otlp: otlp(outside)
        .optional()
        .describe(
          'Receiver of release traces (OpenTelemetry, OTLP over HTTP as JSON). Absent: Platen sends none',
        ),
    })
    .refine(({ listen, token, tls }) => isLoopback(listen.host) || token !== undefined || tls !== undefined, {
      path: ['listen'],
      message:
        'is not a loopback address, so everybody in the network could read the state of the agent. Set operations.tls, operations.token, or both',
    });

function belongTogether({ certificateFile: cert, key }: { certificateFile: string; key: Secret }): boolean {
  if (key === unread) return true;
  try {
    createSecureContext({ cert, key: key.reveal() });
    return true;
  } catch {
    return false;
  }
}
