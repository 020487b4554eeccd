/** `device`: as what Platen registers with the service, and how it keeps what it is given. */
import { z } from 'zod';
import type { Outside } from './values.ts';
import { readBy, secretSource } from './values.ts';

export const device = (outside: Outside) =>
  z.strictObject({
    clientId: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Id of this device in the service. If it is not set, Platen makes a UUID once and keeps it'),
    clientType: z
      .enum(['printer', 'server'])
      .default('printer')
      .describe('Type of this device in its registration at the service'),
    description: z
      .string()
      .max(255)
      .default('Platen print-release terminal')
      .describe('Shown to the administrator who approves the device'),
    poll: z
      .strictObject({
        firstSeconds: z
          .number()
          .int()
          .min(1)
          .max(3600)
          .default(5)
          .describe(
            'Seconds until Platen first asks again whether the device is approved. Each later wait is longer',
          ),
        longestSeconds: z
          .number()
          .int()
          .min(1)
          .max(3600)
          .default(60)
          .describe('Maximum number of seconds between two such questions'),
      })
      .prefault({}),
    sealingKey: secretSource
      .transform(readBy(outside.key))
      .optional()
      .describe(
        'Key that encrypts the stored tokens and the device key: 32 bytes, raw, base64 or hexadecimal; a secret. If it is not set, Platen makes a key file of mode 0600 in stateDir once',
      ),
  });
