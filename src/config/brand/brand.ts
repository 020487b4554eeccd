/** `kiosk.brand` and what else the administrator says to people at the page, in their languages. */
import { z } from 'zod';
import { languageCodes } from '../../domain/language.ts';
import { accentOf } from './accent.ts';
import type { Outside } from '../schema/values.ts';
import { readBy } from '../schema/values.ts';

const unseen = /[\p{Cc}\p{Zl}\p{Zp}]/u;

const sayable = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most, `must be at most ${most} characters, so that it fits on the screen`)
    .refine((text) => !unseen.test(text.replaceAll('\n', '')), 'must be text alone');

/** `{ en: …, de: … }` */
export const texts = (most: number) =>
  z
    .partialRecord(z.enum(languageCodes), sayable(most))
    .refine((said) => Object.keys(said).length > 0, 'must hold a text of one language at least');

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be # and six hexadecimal digits, as in #0f5b52')
  .transform(
    readBy((said: string) => {
      accentOf(said);
      return said;
    }),
  );

export const brand = (outside: Outside) =>
  z.strictObject({
    name: sayable(60).optional().describe('Whose terminal it is; beside the logo, while nobody is signed in'),
    logo: z
      .string()
      .min(1)
      .transform(readBy(outside.logo))
      .optional()
      .describe(
        'File of the picture beside the name: SVG or PNG, up to 256 KiB; it is looked at when it is read',
      ),
    colour: colour
      .optional()
      .describe(
        'Colour of what is touched, as in #0f5b52; white letters on it need a contrast of 4.5 to 1. Without it: a deep sea green',
      ),
    idle: texts(160)
      .optional()
      .describe(
        'What the idle screen says below its call, by language, as in { en: Welcome }; in other languages the usual sentence',
      ),
  });

export const languages = z
  .array(z.enum(languageCodes))
  .min(1)
  .refine((codes) => new Set(codes).size === codes.length, 'must name each language once')
  .optional()
  .describe(
    'Languages of the page, in this order, as in [de, en]; the first is that of the idle screen. Without it: all, and the idle screen in that of the browser',
  );

export const howToSend = texts(300)
  .optional()
  .describe(
    'What people read where nothing waits for them, by language, as in { en: Send it to print@example.org }; in other languages the usual sentence',
  );
