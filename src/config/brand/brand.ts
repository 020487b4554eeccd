/** `kiosk.brand`, and the other texts that the administrator writes for people at the page, by language. */
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
    .refine((text) => !unseen.test(text.replaceAll('\n', '')), 'must contain only text');

/** For example `{ en: …, de: … }`. */
export const texts = (most: number) =>
  z
    .partialRecord(z.enum(languageCodes), sayable(most))
    .refine((said) => Object.keys(said).length > 0, 'must contain a text in at least one language');

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be # and six hexadecimal digits, for example #0f5b52')
  .transform(
    readBy((said: string) => {
      accentOf(said);
      return said;
    }),
  );

export const brand = (outside: Outside) =>
  z.strictObject({
    name: sayable(60)
      .optional()
      .describe('Name of your organisation. The idle screen shows it beside the logo'),
    logo: z
      .string()
      .min(1)
      .transform(readBy(outside.logo))
      .optional()
      .describe(
        'File of the picture beside the name: SVG or PNG, up to 256 KiB. Platen checks the picture when it reads the file',
      ),
    colour: colour
      .optional()
      .describe(
        'Colour of buttons and other things to touch, for example #0f5b52. White letters on it need a contrast of 4.5 to 1. Default: a deep sea green',
      ),
    idle: texts(160)
      .optional()
      .describe(
        'Text of the idle screen below the call to hold a card, for each language, for example { en: Welcome }. Other languages show the usual sentence',
      ),
  });

export const languages = z
  .array(z.enum(languageCodes))
  .min(1)
  .refine((codes) => new Set(codes).size === codes.length, 'must name each language only once')
  .optional()
  .describe(
    'Languages of the page, in this order, for example [de, en]. The idle screen uses the first. Default: all languages, and the idle screen uses the language of the browser',
  );

export const howToSend = texts(300)
  .optional()
  .describe(
    'Text for people who have no waiting documents, for each language, for example { en: Send it to print@example.org }. Other languages show the usual sentence',
  );
