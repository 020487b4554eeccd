/**
 * `tls` of a `tcp-connect` reader: that it speaks TLS, and who it is (INVARIANTS.md T10). Nobody is trusted for having
 * been there first: a trusted authority has signed its certificate, or its fingerprint stands here.
 */
import { z } from 'zod';
import type { Outside } from './values.ts';
import { readBy } from './values.ts';

export const readerTls = (outside: Outside) =>
  z
    .strictObject({
      caFile: z
        .string()
        .min(1)
        .transform(readBy(outside.certificates))
        .optional()
        .describe(
          'PEM file of authorities that Platen trusts for the reader, in addition to those of the system',
        ),
      fingerprint: z
        .string()
        .regex(/^([0-9a-f]{2}:?){31}[0-9a-f]{2}$/i, 'must be a SHA-256 fingerprint: 64 hexadecimal digits')
        .transform((text) =>
          text
            .replaceAll(':', '')
            .toUpperCase()
            .replace(/(..)(?=.)/g, '$1:'),
        )
        .optional()
        .describe("SHA-256 fingerprint of the reader's certificate, instead of caFile"),
    })
    .refine(({ caFile, fingerprint }) => caFile === undefined || fingerprint === undefined, {
      path: ['fingerprint'],
      error: 'must not be set together with caFile: this one certificate needs no authority',
    })
    .optional()
    .describe(
      'TLS for the connection to the reader. Without TLS, others on the network can read the card numbers',
    );
