/** The address in the QR code of a terminal that is out of service. The operator writes it, with two placeholders. */
import { z } from 'zod';
import { neverShown, parsedUrl } from './values.ts';

const placeholders = ['reference', 'terminal'] as const;

export type SupportFacts = Readonly<Record<(typeof placeholders)[number], string>>;

const sample: SupportFacts = { reference: '7K3QF2', terminal: 'lobby' };

/** Each fact is encoded for use in an address. */
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
