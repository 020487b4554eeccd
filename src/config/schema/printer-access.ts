/**
 * Under `terminals[].printer`: how a printer is trusted (`tls`), and what Platen shows it of itself (`credentials`).
 * Both concern printers of IPP; credentials only one whose address the administrator wrote (INVARIANTS.md T12).
 */
import { z } from 'zod';
import type { Outside } from './values.ts';
import { neverShown, readBy, secretSource } from './values.ts';

export const printerAccess = (outside: Outside) => ({
  credentials: z
    .strictObject({
      username: z
        .string()
        .min(1)
        .max(255)
        .regex(/^[^:\p{Cc}]+$/u, 'must not contain a colon or control characters')
        .describe('User name of Platen at the printer')
        .meta(neverShown),
      password: secretSource
        .transform(readBy(outside.secret))
        .describe('Password of Platen at the printer; a secret'),
    })
    .optional()
    .describe(
      'User name and password for the printer. Platen uses HTTP Digest, and Basic only over ipps:// or cupss://, or on this computer',
    ),
  tls: z
    .strictObject({
      trust: z
        .enum(['auto', 'ca'])
        .default('auto')
        .describe(
          'Which certificates Platen trusts over ipps:// and cupss://. auto: certificates of a trusted authority, otherwise the certificate of the first connection. ca: only certificates of a trusted authority',
        ),
      caFile: z
        .string()
        .min(1)
        .transform(readBy(outside.certificates))
        .optional()
        .describe(
          'PEM file of authorities that Platen trusts for the printer, in addition to those of the system',
        ),
    })
    .prefault({})
    .describe('ipps:// and cupss:// only'),
});

/** Credentials never go to an address that may come from the service, and no other protocol has any. */
export const hasWhereToGo = (printer: { readonly uri: string; readonly credentials?: object | undefined }) =>
  printer.credentials === undefined || /^(ipps?|cupss?):/.test(printer.uri);
