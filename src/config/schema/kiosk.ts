/** `kiosk`: the page for the browser of this machine. */
import { z } from 'zod';
import { brand, howToSend, languages } from '../brand/brand.ts';
import { currency } from './currency.ts';
import { support } from './support.ts';
import type { Outside } from './values.ts';
import { isLoopback, listenAddress, readBy } from './values.ts';

export const kiosk = (outside: Outside) =>
  z.strictObject({
    listen: listenAddress
      .prefault('127.0.0.1:7380')
      .refine(({ host }) => isLoopback(host), 'must be a loopback address: the page is for this machine only')
      .describe('HOST:PORT of the page for the browser; loopback only'),
    user: z
      .union([z.int().min(0).max(4_294_967_294), z.string().min(1)], 'must be the name of a user, or a uid')
      .transform(readBy(outside.user))
      .optional()
      .describe(
        'User name or uid of the browser: nobody else on this machine is answered. Without it: every user of this machine',
      ),
    support,
    askAbovePages: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(50)
      .describe(
        'More pages than this at once are printed only after a question, on the page and at the prompt',
      ),
    account: z
      .enum(['off', 'read', 'full'])
      .default('read')
      .describe(
        'What people may do with their own account at the page: see balance, transactions, prices and cards (read), and drop or register cards or take a new ID number after their password (full)',
      ),
    currency,
    brand: brand(outside).optional(),
    languages,
    howToSend,
    bigButtons: z
      .boolean()
      .default(false)
      .describe('Where one to three documents wait, the button that prints them all takes half the screen'),
  });
