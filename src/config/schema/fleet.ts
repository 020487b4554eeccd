/**
 * `fleet`: the keys of a gateway that replaces others and is replaced by them (contract, section 2). Without this
 * section, no code of the fleet is loaded.
 */
import { z } from 'zod';
import { engineAddress } from '../engine-address.ts';
import type { Outside } from './values.ts';
import { absent, readBy, secretSource } from './values.ts';

export const fleet = (outside: Outside) =>
  z.strictObject({
    engine: z
      .strictObject({
        url: secretSource
          .transform(readBy((source) => engineAddress(outside.engineUrl(source), outside.certificates)))
          .describe(
            'postgresql://user:password@host1,host2/database?sslmode=verify-full. TLS may be missing only for a loopback address',
          ),
      })
      .prefault(absent),
    key: secretSource
      .transform(readBy(outside.key))
      .describe(
        'Key of 32 bytes, the same on every member. It encrypts the data that members leave for each other',
      ),
    previousKey: secretSource
      .transform(readBy(outside.key))
      .optional()
      .describe('Only while key is changed: the other key of the two. It opens data, and encrypts nothing'),
    site: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits and ._-')
      .default('main')
      .describe('Site of this gateway. Terminals move only between members of the same site'),
    signers: z
      .array(z.string().min(1).transform(readBy(outside.signer)))
      .prefault([])
      .describe(
        'Public keys (Ed25519, PEM) of the administrators who may sign configuration from the engine. Only root may be able to write these files. None: configuration stays local',
      ),
  });
