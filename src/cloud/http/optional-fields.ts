/** Optional fields of an answer: if they are absent, null, empty or of another type, they count as unknown. */
import { z } from 'zod';

const orUnknown = <T>(schema: z.ZodType<T>) =>
  schema
    .optional()
    .catch(undefined)
    .transform((value) => value);

export const optionalText = orUnknown(z.string()).transform((text) => text?.trim() || undefined);
export const optionalFlag = orUnknown(z.boolean());
export const optionalInt = orUnknown(z.int());
export const optionalTexts = z.array(z.string()).catch([]);
