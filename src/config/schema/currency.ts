/** In which currency the service counts; it does not say so itself. */
import { z } from 'zod';

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const currency = z
  .string()
  .refine((code) => known.has(code), 'must be the code of a currency (ISO 4217), for example EUR')
  .optional()
  .describe(
    'Currency of prices and balances (ISO 4217), for example EUR. If it is not set, they are plain numbers',
  );
