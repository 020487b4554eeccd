/**
 * `kiosk`: the page for the browser of this machine, and the address in the QR code of a terminal that is out of
 * service.
 */
import { z } from 'zod';
import { brand, howToSend, languages } from '../brand/brand.ts';
import type { Outside } from './values.ts';
import { isLoopback, listenAddress, neverShown, parsedUrl, readBy } from './values.ts';

const placeholders = ['reference', 'terminal'] as const;

type SupportFacts = Readonly<Record<(typeof placeholders)[number], string>>;

const sample: SupportFacts = { reference: '7K3QF2', terminal: 'lobby' };

/** The operator writes this address with two placeholders. Each fact is encoded for use in an address. */
export const supportAddress = (template: string, facts: SupportFacts): string =>
  placeholders.reduce(
    (text, name) => text.replaceAll(`{${name}}`, encodeURIComponent(facts[name])),
    template,
  );

export const support = z
  .string()
  .max(300, 'must be at most 300 characters. A phone cannot read a larger code from a screen')
  .refine(
    (template) => /^(https|mailto):$/.test(parsedUrl(supportAddress(template, sample))?.protocol ?? ''),
    'must be an https:// or mailto: address',
  )
  .refine(
    (template) => template.includes('{reference}'),
    'must contain {reference}, which leads to the reason in the log',
  )
  .refine(
    (template) => !/[{}]/.test(supportAddress(template, sample)),
    'may contain only the placeholders {reference} and {terminal}',
  )
  // The address may be a person's e-mail address.
  .meta(neverShown)
  .optional()
  .describe(
    'Address in the QR code of a terminal that is out of service, for example https://help.example/?code={reference}. {terminal} is the id of the terminal. Default: the QR code contains the code for support as text',
  );

export const kiosk = (outside: Outside) =>
  z.strictObject({
    listen: listenAddress
      .prefault('127.0.0.1:7380')
      .refine(
        ({ host }) => isLoopback(host),
        'must be a loopback address, because the page is only for this machine',
      )
      .describe('HOST:PORT of the page for the browser. Only a loopback address is allowed'),
    user: z
      .union([z.int().min(0).max(4_294_967_294), z.string().min(1)], 'must be the name of a user, or a uid')
      .transform(readBy(outside.user))
      .optional()
      .describe(
        'User name or uid of the browser. The page answers no other user of this machine. Default: it answers every user of this machine',
      ),
    support,
    askAbovePages: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(50)
      .describe('If a person prints more pages than this at once, the page and the prompt ask first'),
    account: z
      .enum(['off', 'read', 'full'])
      .default('read')
      .describe(
        'Rights of people on their own account at the page. read: see balance, transactions, prices and cards. full: also drop or register cards or take a new ID number, after they enter their password',
      ),
    currency,
    brand: brand(outside).optional(),
    languages,
    howToSend,
    bigButtons: z
      .boolean()
      .default(false)
      .describe(
        'true: if one to three documents wait, the button that prints them all takes half the screen',
      ),
  });

/** The service does not say in which currency it counts, so the administrator may name one that Node knows. */
const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const currency = z
  .string()
  .refine((code) => known.has(code), 'must be the code of a currency (ISO 4217), for example EUR')
  .optional()
  .describe(
    'Currency of prices and balances (ISO 4217), for example EUR. If it is not set, they are plain numbers',
  );
